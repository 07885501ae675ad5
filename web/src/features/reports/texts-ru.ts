import type {
  ReportFailure,
  ReportFormat,
  ReportKind,
  ReportStatus,
} from '@ridewatch/contract/reports';
import { formatNumber } from '../../i18n/format.ts';
import { ruForm } from '../../i18n/plural.ts';

const kinds: Readonly<Record<ReportKind, string>> = {
  'passenger-traffic': 'Пассажиропоток',
  'tariff-calc': 'Расчёт выручки',
  'workplaces-report': 'Отчёт по автобусам',
  'bus-load': 'Наполняемость',
  'advanced-report': 'Расширенный отчёт',
  'test-export': 'Тестовая выгрузка',
};
const statuses: Readonly<Record<ReportStatus, string>> = {
  PROCESS: 'готовится',
  COMPLETE: 'готов',
  FAILED: 'не готов',
};
const filters: Readonly<Record<ReportStatus, string>> = {
  PROCESS: 'Готовятся',
  COMPLETE: 'Готовые',
  FAILED: 'Неудачные',
};
const failures: Readonly<Record<ReportFailure, string>> = {
  cancelled: 'Отменён',
  not_found: 'Его автобусов или маршрутов у вас больше нет',
  no_right: 'На этот отчёт больше нет права',
  too_large: 'Слишком много строк: выберите меньше дней или автобусов',
  no_space: 'На сервере кончилось место',
  failed: 'Сервер не смог его сделать. Запросите отчёт ещё раз',
};
const formats: Readonly<Record<ReportFormat, string>> = {
  xlsx: 'Таблица XLSX',
  csv: 'Текст CSV',
};
const routes = (count: number): string =>
  `${formatNumber(count)} ${ruForm(count, 'маршрут', 'маршрута', 'маршрутов')}`;

/** Russian texts of reports, and the type of the other languages. */
export const ru = {
  kinds,
  statuses,
  /** Of the filter by state. */
  filters,
  /** Instead of the state. */
  cancelled: 'отменён',
  failures,
  formats,
  format: 'Файл',
  from: 'С дня',
  to: 'По день',
  required: 'Обязательное поле',
  wrongOrder: 'Последний день раньше первого',
  tooManyDays: 'Не больше пяти лет',
  tooManyBuses: (most: number) =>
    `Не больше ${formatNumber(most)} автобусов. Без выбора отчёт будет обо всех.`,
  tooManyRoutes: (most: number) => `Не больше ${formatNumber(most)} маршрутов`,
  foreign: 'Часть выбранного вам больше не видна. Выберите заново.',
  tooLarge: 'Слишком много строк для файла: выберите меньше дней или автобусов.',
  tooMany: (most: number) =>
    `Готовятся уже ${most} ваших отчётов. Дождитесь одного из них или отмените его.`,
  notSent: 'Нет связи с сервером: отчёт не запрошен. Повторите, когда она вернётся.',
  failed: 'Отчёт не удалось скачать.',
  brokenOff: 'Файл оборвался на полпути. Скачайте его ещё раз.',
  routes,

  download: 'Скачать',
  make: 'Скачать отчёт',
  making: 'Отчёт готовится',
  saved: 'Отчёт скачан.',
  requested: 'Строк много, поэтому отчёт готовится. Он появится в списке отчётов.',
  toReports: 'К списку отчётов',

  title: 'Отчёты',
  ofKind: 'Ваши отчёты этого вида',
  kept: 'Рядом с файлом написано, до какого дня он хранится.',
  kind: 'Вид',
  status: 'Состояние',
  any: 'Все',
  anyKind: 'Все виды',
  allBuses: 'все автобусы',
  allRoutes: 'все маршруты',
  more: (count: number) => `и ещё ${formatNumber(count)}`,
  requestedAt: (moment: string) => `запрошен ${moment} МСК`,
  progress: 'Готовность отчёта',
  cancel: 'Отменить отчёт',
  rows: (count: number) => `${formatNumber(count)} ${ruForm(count, 'строка', 'строки', 'строк')}`,
  keptUntil: (day: string) => `хранится до ${day}`,
  kilobytes: 'КБ',
  megabytes: 'МБ',
  gone: 'Срок хранения этого отчёта вышел. Запросите его ещё раз.',
  none: 'Отчётов нет',
  noneText:
    'Здесь появляются большие отчёты, которые готовятся дольше. Небольшие скачиваются сразу.',
  noneFound: 'Таких отчётов нет',
  noneFoundText: 'Измените фильтры, чтобы увидеть другие.',
  resetFilters: 'Сбросить фильтры',
  listFailed: 'Список отчётов не загрузился',
  newer: 'Новее',
  older: 'Старее',
  page: (from: number, to: number, total: number) =>
    `${formatNumber(from)}–${formatNumber(to)} из ${formatNumber(total)}`,

  search: 'Поиск',
  chosen: (count: number, all: number) => `Выбрано ${formatNumber(count)} из ${formatNumber(all)}`,
  noneChosen: 'Ничего не выбрано',
  all: 'Все',
  listOf: (what: string) => `${what}: список`,

  buses: 'Автобусы',
  routesField: 'Маршруты',
  noRoutes: 'Маршрутов пока нет',
  noBuses: 'Автобусов пока нет',
  wholeFleet: 'Ничего не выбрано: выгрузка обо всех автобусах',
  advancedIntro: 'Круги, пассажиры и наибольшее наполнение по каждому маршруту, дню и часу.',
  advancedClosedTitle: 'Отчёт открыт не всем',
  advancedClosedText:
    'Расширенный отчёт доступен отдельным компаниям. Спросите администратора сервиса.',
  testIntro:
    'Каждое событие счётчика, как его прислал прибор или увидела программа на видео, с источником.',
  narrowTitle: 'Нужен широкий экран',
  narrowText: 'Тестовая выгрузка работает на компьютере: откройте этот адрес там.',
};
export type ReportTexts = typeof ru;
