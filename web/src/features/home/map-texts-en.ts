import { formatNumber } from '../../i18n/format.ts';
import { enForm } from '../../i18n/plural.ts';
import type { MapTexts } from './map-texts-ru.ts';

/** English texts of the map alone. */
export const en: MapTexts = {
  mapShow: 'Which buses',
  all: 'All',
  filters: { moving: 'Moving', standing: 'Standing', silent: 'Silent', off: 'Off' },
  legend: 'Marks',
  listed: 'Buses of this map as a list',
  here: (count) => `${formatNumber(count)} ${enForm(count, 'bus', 'buses')} here`,
  moreBuses: (count) => `${formatNumber(count)} more in the bus list`,
  speed: (kmh) => `${kmh} km/h`,
  onLap: (lap, next, stop) =>
    [next === null ? stop : `→ ${next}`, `lap ${lap}`].filter(Boolean).join(', '),
  insideNow: (people) => `${formatNumber(people)} inside`,
  load: (percent, places) => `${percent}\u00a0% · ${places}`,
  toBus: 'Open',
  placesFailed: 'Positions are not refreshed',
  noneShown: 'There is no such bus on the map now.',
  noPlaces: 'No bus has sent its position yet.',
};
