import { formatNumber, spanOf } from '../../i18n/format.ts';

const MINUTE_MS = 60_000;

/** Russian texts of the bus list. */
export const ru = {
  searchPlaceholder: 'Номер автобуса или имя камеры',
  clearSearch: 'Очистить поиск',
  /** The name of the only customer whose buses are listed. */
  onlyOf: (name: string) => `Только ${name}: показать всех`,
  noMatchTitle: 'Ничего не найдено',
  noMatchText: (query: string) => `Нет автобуса или камеры с именем «${query}».`,
  noneShownText: 'Таких автобусов сейчас нет.',
  showAll: 'Показать все',
  emptyTitle: 'Автобусов пока нет',
  emptyText: 'Они появятся здесь, как только их заведёт администратор.',
  addText: 'Они появятся здесь, как только вы их заведёте.',
  firstSteps: 'К первым шагам',
  addBus: 'Добавить автобус',
  messages: 'объявления',
  routes: 'маршруты',
  failedText: 'Список автобусов не загрузился. Проверьте связь и повторите.',
  never: 'ещё не выходил на связь',
  noUnit: 'нет прибора',
  firstOf: (count: number) => `1 из ${count}`,
  closeBanner: (title: string) => `Закрыть объявление «${title}»`,
  move: (bus: string) => `Переместить ${bus}`,
  moveTo: (route: string) => `На маршрут ${route}`,
  removeFromRoute: 'Снять с маршрута',
  attentionHint: 'Неисправности и предупреждения. Проверки и цены — только пометки в столбце.',
  filters: {
    label: 'Показать автобусы',
    all: 'Все',
    moving: 'Движутся',
    standing: 'Стоят',
    silent: 'Молчат',
    off: 'Выключены',
    attention: 'Внимание',
  },
  states: { moving: 'движется', standing: 'стоит', silent: 'молчит', off: 'выключен' },
  view: { label: 'Вид списка', rows: 'Строки', tiles: 'Плитки' },
  columns: {
    bus: 'Автобус',
    state: 'Состояние',
    entered: 'Вошло',
    hours: 'По часам',
    inside: 'В салоне',
    lap: 'Круг: туда и обратно',
    cameras: 'Камеры',
    attention: 'Внимание',
    rid: 'Прибор',
  },
  sortBy: (column: string) => `Сначала важное: ${column}`,
  byRoutes: 'Вернуть порядок по маршрутам',
  figuresOf: 'Показатели',
  figuresFailed: 'Показатели не обновляются',
  /** Before the age of the last ones. */
  figuresFailedOf: 'Показатели не обновляются, последние —',
  figuresOld: 'Показатели устарели',
  speed: (kmh: number) => `${kmh} км/ч`,
  /** How long something lasts, ms. */
  lasting: (ms: number) => {
    const { count, unit } = spanOf(Math.max(MINUTE_MS, ms));
    if (unit === 'h') {
      const minutes = Math.floor(ms / MINUTE_MS) % 60;
      return minutes > 0 ? `${count} ч ${minutes} мин` : `${count} ч`;
    }
    return `${count} ${unit === 'd' ? 'д' : 'мин'}`;
  },
  entered: (count: number) => `вошло ${formatNumber(count)}`,
  revenue: (money: string) => `выручка ${money}`,
  recounting: 'день пересчитывается',
  inside: (count: number) => `в салоне ${formatNumber(count)}`,
  load: (percent: number, places: number) => `${percent} % · ${places}`,
  noRoute: 'нет маршрута',
  lap: (number: number) => `№${number}`,
  lapAt: (number: number, stop: string) => `круг ${number}, ${stop}`,
  /** How old the place on the lap is, as `lasting` says it. */
  asOf: (age: string) => `${age} назад`,
  onLine: (count: number) => `${count} на связи`,
  marks: {
    day: (day: string) => `его день: ${day}`,
    /** From which day on it is whose; without a name, the user's. */
    passes: (day: string, names: string | undefined) =>
      names === undefined ? `ваш с ${day}` : `с ${day} — ${names}`,
    camera: (name: string, more: number) =>
      more > 0 ? `${name} и ещё ${more} не в сети` : `${name} не в сети`,
    full: (percent: number) => `полон ${percent} %`,
    imbalance: (percent: number) => `вход/выход ±${percent} %`,
    no_price: (count: number) => `нет цены ${count}`,
    review: (count: number) => `проверить ${count}`,
  },
  rail: 'Маршруты',
  allBuses: 'Все автобусы',
};

/** The type of the other languages. */
export type ListTexts = typeof ru;
