import { formatNumber, spanOf } from '../../i18n/format.ts';
import type { ListTexts } from './texts-ru.ts';

const MINUTE_MS = 60_000;

/** English texts of the bus list. */
export const en: ListTexts = {
  searchPlaceholder: 'Bus number or camera name',
  clearSearch: 'Clear search',
  onlyOf: (name) => `${name} only: show all`,
  noMatchTitle: 'Nothing found',
  noMatchText: (query) => `No bus or camera is named “${query}”.`,
  noneShownText: 'There are no such buses now.',
  showAll: 'Show all',
  emptyTitle: 'No buses yet',
  emptyText: 'They will appear here once an administrator sets them up.',
  addText: 'They will appear here once you set them up.',
  firstSteps: 'To the first steps',
  addBus: 'Add a bus',
  messages: 'banners',
  routes: 'routes',
  failedText: 'The list of buses did not load. Check the connection and try again.',
  never: 'never connected',
  noUnit: 'no unit',
  firstOf: (count) => `1 of ${count}`,
  closeBanner: (title) => `Close the banner “${title}”`,
  move: (bus) => `Move ${bus}`,
  moveTo: (route) => `To route ${route}`,
  removeFromRoute: 'Take off the route',
  attentionHint: 'Faults and warnings. Reviews and missing prices are notes in the column only.',
  filters: {
    label: 'Show buses',
    all: 'All',
    moving: 'Moving',
    standing: 'Standing',
    silent: 'Silent',
    off: 'Off',
    attention: 'Attention',
  },
  states: { moving: 'moving', standing: 'standing', silent: 'silent', off: 'off' },
  view: { label: 'View', rows: 'Rows', tiles: 'Tiles' },
  columns: {
    bus: 'Bus',
    state: 'State',
    entered: 'Entered',
    hours: 'By hour',
    inside: 'Inside',
    lap: 'Lap: there and back',
    cameras: 'Cameras',
    attention: 'Attention',
    rid: 'Unit',
  },
  sortBy: (column) => `Most important first: ${column}`,
  byRoutes: 'Back to the order by routes',
  figuresOf: 'Figures',
  figuresFailed: 'Figures are not updated',
  figuresFailedOf: 'Figures are not updated; the last are from',
  figuresOld: 'Figures are out of date',
  speed: (kmh) => `${kmh} km/h`,
  lasting: (ms) => {
    const { count, unit } = spanOf(Math.max(MINUTE_MS, ms));
    if (unit === 'h') {
      const minutes = Math.floor(ms / MINUTE_MS) % 60;
      return minutes > 0 ? `${count} h ${minutes} min` : `${count} h`;
    }
    return `${count} ${unit === 'd' ? 'd' : 'min'}`;
  },
  entered: (count) => `${formatNumber(count)} entered`,
  revenue: (money: string) => `revenue ${money}`,
  recounting: 'the day is being recounted',
  inside: (count) => `${formatNumber(count)} inside`,
  load: (percent, places) => `${percent} % · ${places}`,
  noRoute: 'no route',
  lap: (number) => `#${number}`,
  lapAt: (number, stop) => `lap ${number}, ${stop}`,
  asOf: (age) => `${age} ago`,
  onLine: (count) => `${count} connected`,
  marks: {
    day: (day: string) => `its day: ${day}`,
    passes: (day, names) => (names === undefined ? `yours from ${day}` : `from ${day}: ${names}`),
    camera: (name, more) => (more > 0 ? `${name} and ${more} more offline` : `${name} offline`),
    full: (percent) => `${percent} % full`,
    imbalance: (percent) => `in/out ±${percent} %`,
    no_price: (count) => `no price ${count}`,
    review: (count) => `review ${count}`,
  },
  rail: 'Routes',
  allBuses: 'All buses',
};
