import { formatNumber } from '../../i18n/format.ts';
import { ruForm } from '../../i18n/plural.ts';

/** Russian texts of the home page, and the type of the other languages. */
export const ru = {
  title: 'Главная',
  today: (day: string) => `Сегодня, ${day}`,
  /** `time`: 14:32 МСК. */
  compared: (time: string, day: string) => `на ${time}, сравнение с ${day} к этому же часу`,
  comparedShort: (time: string, day: string) => `${time} · к ${day} в этот же час`,
  moscow: 'МСК',
  zones: 'Каждый автобус — по своему времени.',
  figures: 'Показатели дня',
  entered: 'Вошло',
  exited: 'Вышло',
  revenue: 'Выручка',
  inside: 'Сейчас в салонах',
  was: (value: string) => `было ${value}`,
  places: (percent: number) => `${formatNumber(percent)}\u00a0% мест`,
  buses: 'Автобусы',
  states: {
    moving: (count: number) => ruForm(count, 'едет', 'едут', 'едут'),
    standing: (count: number) => ruForm(count, 'стоит', 'стоят', 'стоят'),
    silent: (count: number) => ruForm(count, 'молчит', 'молчат', 'молчат'),
    off: (count: number) => ruForm(count, 'выключен', 'выключены', 'выключены'),
  },
  review: 'Ждут проверки',
  reviewed: (count: number) => `проверено сегодня ${formatNumber(count)}`,
  doReview: 'Проверить',
  oldest: (moment: string) => `самый старый — ${moment}`,
  attention: 'Требует внимания',
  groups: { faulty: 'Не в порядке', money: 'Деньги и подсчёт', line: 'На линии' },
  toList: 'в список',
  toSettings: 'Настроить оповещения',
  showAll: 'все',
  more: (count: number) => `и ещё ${formatNumber(count)}`,
  calm: 'Всё в порядке: внимания ничто не требует.',
  fragments: (count: number) =>
    `${formatNumber(count)} ${ruForm(count, 'фрагмент', 'фрагмента', 'фрагментов')}`,
  wait: 'ждут проверки',
  customer: 'Чей день',
  allCustomers: 'Все клиенты',
  busCount: (count: number) =>
    `${formatNumber(count)} ${ruForm(count, 'автобус', 'автобуса', 'автобусов')}`,
  /** Of how many buses a figure is. */
  part: (complete: number, all: number) => `${formatNumber(complete)} из ${formatNumber(all)}`,
  ofBuses: (all: number) => ruForm(all, 'автобуса', 'автобусов', 'автобусов'),
  incomplete: (count: number) =>
    `Числа ещё неполные у ${formatNumber(count)} ${ruForm(count, 'автобуса', 'автобусов', 'автобусов')}.`,
  hours: 'По часам',
  hour: 'Час',
  now: 'сегодня',
  map: 'Автобусы на карте',
  noBuses: 'Автобусов пока нет',
  noBusesText: 'Когда они появятся, здесь будет день: кто вошёл и вышел, выручка, карта.',
  failed: 'Показатели дня не загрузились.',
};
export type HomeTexts = typeof ru;
