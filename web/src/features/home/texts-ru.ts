import { formatNumber } from '../../i18n/format.ts';
import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of the home page, and the type of the other languages. */
export const ru = {
  title: 'Главная',
  today: (day: string) => `Сегодня, ${day}`,
  compared: (time: string, day: string) => `на ${time} МСК, сравнение с ${day} к этому же часу`,
  comparedShort: (time: string, day: string) => `${time} МСК · к ${day} в этот же час`,
  figures: 'Показатели дня',
  entered: 'Вошло',
  exited: 'Вышло',
  revenue: 'Выручка',
  inside: 'Сейчас в салонах',
  was: (value: string) => `было ${value}`,
  places: (percent: number) => `${formatNumber(percent)}\u00a0% мест`,
  buses: 'Автобусы',
  states: { moving: 'едут', standing: 'стоят', silent: 'молчат' },
  review: 'Ждут проверки',
  reviewed: (count: number) => `проверено сегодня ${formatNumber(count)}`,
  doReview: 'Проверить',
  oldest: (moment: string) => `самый старый — ${moment}`,
  rebuilding: (count: number) =>
    `${formatNumber(count)} ${ruForm(count, 'автобус пересчитывается', 'автобуса пересчитываются', 'автобусов пересчитываются')}: их чисел пока нет.`,
  hours: 'По часам',
  hour: 'Час',
  now: 'сегодня',
  /** `day`: Friday 13.11. */
  before: (day: string) => day,
  noHours: 'Сегодня ещё никто не вошёл и не вышел.',
  map: 'Автобусы на карте',
  mapShow: 'Какие автобусы',
  all: 'Все',
  filters: { moving: 'Едут', standing: 'Стоят', silent: 'Молчат' },
  speed: (kmh: number) => `${kmh} км/ч`,
  toBus: 'Открыть',
  toMap: 'карта',
  placesFailed: 'Положения не обновляются',
  noPlaces: 'Ни один автобус ещё не прислал, где он.',
  noBuses: 'Автобусов пока нет',
  noBusesText: 'Когда они появятся, здесь будет день: кто вошёл и вышел, выручка, карта.',
  failed: 'Показатели дня не загрузились.',
};
export type HomeTexts = typeof ru;
