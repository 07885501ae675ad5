import { formatNumber } from '../../i18n/format.ts';
import { enForm } from '../../i18n/plural.ts';
import type { HomeTexts } from './texts-ru.ts';

/** English texts of the home page. */
export const en: HomeTexts = {
  title: 'Home',
  today: (day) => `Today, ${day}`,
  compared: (time, day) => `at ${time} Moscow time, against ${day} at this hour`,
  comparedShort: (time, day) => `${time} Moscow time · against ${day} at this hour`,
  figures: 'Figures of the day',
  entered: 'Entered',
  exited: 'Exited',
  revenue: 'Revenue',
  inside: 'Inside now',
  was: (value) => `was ${value}`,
  places: (percent) => `${formatNumber(percent)}\u00a0% of places`,
  buses: 'Buses',
  states: { moving: 'moving', standing: 'standing', silent: 'silent' },
  review: 'Waiting for review',
  reviewed: (count) => `${formatNumber(count)} reviewed today`,
  doReview: 'Review',
  oldest: (moment) => `the oldest: ${moment}`,
  rebuilding: (count) =>
    `${formatNumber(count)} ${enForm(count, 'bus is', 'buses are')} being recounted and in no figure yet.`,
  hours: 'By hour',
  hour: 'Hour',
  now: 'today',
  before: (day) => day,
  noHours: 'Nobody has got on or off today yet.',
  map: 'Buses on the map',
  mapShow: 'Which buses',
  all: 'All',
  filters: { moving: 'Moving', standing: 'Standing', silent: 'Silent' },
  speed: (kmh) => `${kmh} km/h`,
  toBus: 'Open',
  toMap: 'map',
  placesFailed: 'The places are not refreshed',
  noPlaces: 'No bus has sent yet where it is.',
  noBuses: 'No buses yet',
  noBusesText: 'Once there are some, this is the day: who got on and off, revenue, the map.',
  failed: 'The figures of the day did not load.',
};
