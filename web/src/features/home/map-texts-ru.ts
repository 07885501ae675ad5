import { formatNumber } from '../../i18n/format.ts';
import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of the map alone, which load with it, and the type of the other languages. */
export const ru = {
  mapShow: 'Какие автобусы',
  all: 'Все',
  filters: { moving: 'Едут', standing: 'Стоят', silent: 'Молчат', off: 'Выключены' },
  legend: 'Обозначения',
  listed: 'Автобусы этой карты списком',
  here: (count: number) =>
    `Здесь ${formatNumber(count)} ${ruForm(count, 'автобус', 'автобуса', 'автобусов')}`,
  moreBuses: (count: number) => `ещё ${formatNumber(count)} — в списке автобусов`,
  speed: (kmh: number) => `${kmh} км/ч`,
  /** `next`: the stop that it drives to, `stop` the one that it called at last; null where unknown. */
  onLap: (lap: number, next: string | null, stop: string | null) =>
    [next === null ? stop : `→ ${next}`, `круг ${lap}`].filter(Boolean).join(', '),
  insideNow: (people: number) => `${formatNumber(people)} в салоне`,
  load: (percent: number, places: number) => `${percent}\u00a0% · ${places}`,
  toBus: 'Открыть',
  placesFailed: 'Места автобусов не обновляются',
  noneShown: 'Таких автобусов на карте сейчас нет.',
  noPlaces: 'Ни один автобус ещё не прислал координаты.',
};
export type MapTexts = typeof ru;
