import type { StatTick } from '@ridewatch/contract/stat-ticks';
import { formatNumber } from '../../i18n/format.ts';
import { ruForm } from '../../i18n/plural.ts';
import type { CountKey, Filters } from './filters.ts';

type By = Filters['by'];

const seriesCount: Readonly<Record<By, (count: number) => string>> = {
  bus: (count) => `${formatNumber(count)} ${ruForm(count, 'автобус', 'автобуса', 'автобусов')}`,
  route: (count) => `${formatNumber(count)} ${ruForm(count, 'маршрут', 'маршрута', 'маршрутов')}`,
};
const keys: Readonly<Record<CountKey, string>> = {
  entered: 'Вошло',
  exited: 'Вышло',
  fare: 'Выручка',
};
const best: Readonly<Record<StatTick, string>> = {
  day: 'Лучший день',
  month: 'Лучший месяц',
  year: 'Лучший год',
};
const ticks: Readonly<Record<StatTick, string>> = {
  day: 'По дням',
  month: 'По месяцам',
  year: 'По годам',
};
const tick: Readonly<Record<StatTick, string>> = { day: 'День', month: 'Месяц', year: 'Год' };
const bys: Readonly<Record<By, string>> = { bus: 'По автобусам', route: 'По маршрутам' };
const bysInTitle: Readonly<Record<By, string>> = { bus: 'по автобусам', route: 'по маршрутам' };
const names: Readonly<Record<By, string>> = { bus: 'Автобус', route: 'Маршрут' };

/** Russian texts of the statistics, and the type of the other languages. */
export const ru = {
  locale: 'ru-RU',
  title: 'Статистика',
  demo: 'Статистика работает в демонстрационном режиме.',
  /** On a phone. */
  shortDemo: 'Демо-режим.',
  feedbackBefore: 'Расскажите, чего не хватает:',
  feedback: 'оставить отзыв',
  shortFeedback: 'Оставить отзыв',
  close: 'Закрыть',

  filters: 'Фильтры',
  period: 'Период',
  periods: {
    year: 'Год',
    quarter: 'Квартал',
    month: 'Месяц',
    week: 'Неделя',
    date: 'Дата',
    custom: 'Свои даты',
  },
  previous: 'Предыдущий период',
  next: 'Следующий период',
  quarter: (number: number, year: string) => `${number}-й квартал ${year}`,
  from: 'С',
  to: 'По',
  key: 'Показатель',
  keys,
  by: 'Группировать',
  bys,
  /** After the count key: `Вошло по маршрутам`. */
  bysInTitle,
  weekdays: 'Дни недели',
  weekday: ['Пн', 'Вт', 'Ср', 'Чт', 'Пт', 'Сб', 'Вс'],
  workdays: 'будни',
  allDays: 'все дни',
  compare: 'Сравнение',
  compares: { none: 'Нет', before: 'Предыдущий', year: 'Год назад' },
  /** The part of the page that a failed read names. */
  comparison: 'сравнение',
  /** The treatment of the day that is not over. */
  runningDay: 'Текущий день',
  runningDays: { none: 'Не считать', now: 'До этого часа' },
  buses: 'Автобусы',
  chosen: (count: string, of: string) => `выбрано ${count} из ${of}`,
  allBuses: 'Все автобусы',
  search: 'Автобус, маршрут, клиент',
  noBuses: 'Автобусов пока нет',
  ungrouped: 'Без маршрута',
  busList: 'список автобусов',
  report: 'Построить отчёт',
  reset: 'Сбросить',
  problems: {
    noBuses: 'Не выбрано ни одного автобуса.',
    tooManyBuses: (limit: string) =>
      `Можно выбрать не больше ${limit} автобусов. Выберите меньше, сгруппируйте по маршрутам или возьмите все.`,
    tooManyDays: 'Можно выбрать не больше пяти лет.',
  },

  firstTitle: 'Отчёт ещё не построен',
  firstText: 'Задайте параметры фильтра и постройте отчёт.',
  emptyTitle: 'Нет данных для отображения',
  emptyText: 'Измените фильтры: другой период, дни недели или автобусы.',
  noReport: 'Отчёт не построен',
  foreign: 'Часть выбранных автобусов вам не видна. Выберите автобусы заново.',
  failed: 'Статистика не загрузилась',

  view: 'Вид',
  views: { chart: 'График', table: 'Таблица' },
  busCount: seriesCount.bus,
  seriesCount,
  todayRuns: 'без текущего дня',
  untilNow: 'текущий день — до этого часа',
  drafted: 'Условия изменены: постройте отчёт заново.',
  comparedTo: (days: string) => `по сравнению с ${days}`,
  mean: 'В среднем за день',
  knownDays: (days: number) =>
    `${formatNumber(days)} ${ruForm(days, 'день', 'дня', 'дней')} с данными`,
  best,
  completeness: 'Полнота данных',
  nothingBefore: (day: string) => `до ${day} данных нет`,
  noPrice: (people: string) => `без цены: ${people}`,
  silent: (hours: string) => `приборы молчали ${hours} ч`,
  silentIn: (name: string, others: number, hours: string) =>
    `${name}${others > 0 ? ` и ещё ${formatNumber(others)}` : ''}: приборы молчали ${hours} ч`,
  pending: (days: number) =>
    `Ещё считаются ${formatNumber(days)} ${ruForm(days, 'день', 'дня', 'дней')} работы автобусов: последние записи или часы молчания в них не учтены.`,
  arriving: (from: string, buses: number) =>
    `История ещё поступает: ${formatNumber(buses)} ${ruForm(buses, 'автобус досылает', 'автобуса досылают', 'автобусов досылают')} записи с ${from}.`,
  partialBefore: 'До тех пор сравнение — лишь с частью записей.',
  unfinished: 'ещё не закончилось',
  /** Below the axis. */
  runs: 'идёт',
  notYet: 'ещё не наступило',
  noRecords: 'нет записей',
  more: (count: string) => `и ещё ${count}`,
  shownSum: 'Показанные',

  legend: 'Обозначения',
  allHidden: 'Все линии скрыты.',
  showAll: 'показать все',
  hideAll: 'скрыть все',
  table: 'Таблица',
  /** The name of the rows of a phone's table. */
  rows: 'Строки таблицы',
  ticks,
  tick,
  names,
  /** In files, where the rows may be either. */
  name: 'Название',
  total: 'Всего',
  sum: 'Итого',
  beforeTotal: 'Раньше',
  change: '±',
  perDay: 'В день',
  share: 'Доля',
  silence: 'Молчали',
  hours: (hours: string) => `${hours} ч`,
  openTick: (tick: string) => `Открыть: ${tick}`,

  export: 'Экспорт',
  savePicture: 'Сохранить график (PNG)',
  saveTable: 'Сохранить таблицу (CSV)',
  noPicture: 'Браузер не смог нарисовать график.',
  exports: {
    'passenger-traffic': 'Отчёт: пассажиропоток',
    'tariff-calc': 'Отчёт: расчёт выручки',
    'bus-load': 'Отчёт: наполняемость',
  },
};
export type StatsTexts = typeof ru;
