import * as z from 'zod/mini';
import { CauseBus, CauseCamera, CauseDetails } from './attention.ts';
import { BusState } from './buses.ts';
import { endpoint } from './endpoint.ts';
import { HOME_PATH } from './paths.ts';
import { Day, Id, IdText, Moment } from './primitives.ts';

/** A figure of the running day, and of the same weekday a week before until clocks showed the same time. */
const Compared = z.object({ now: z.int(), before: z.int() });

/** From this share of its places on a bus is full. */
export const FULL_SHARE = 0.9;
/** A bus that has stood so long inside a lap, away from its terminals, needs attention, ms. */
export const STANDS_LONG_MS = 15 * 60_000;
/** Revenue that is so much lower than a week before needs attention, percent, from this revenue on, kopecks. */
export const LOW_REVENUE_PERCENT = 30;
export const LEAST_REVENUE_KOPECKS = 100_000;
/** Most rows of a group of what needs attention; its total is of all. */
export const MAX_GROUP_ROWS = 20;

/** A finding in the figures of a bus that needs attention, beside its causes. */
const FigureDetails = z.discriminatedUnion('kind', [
  /** Passengers of the day's laps whose journey has no price. */
  z.object({ kind: z.literal('no_price'), passengers: z.int() }),
  /** Revenue against the same weekday a week before at this time of day; roubles with two decimals. */
  z.object({
    kind: z.literal('low_revenue'),
    percent: z.int(),
    now: z.string(),
    before: z.string(),
  }),
  /** The driver handed in less on this day than was due; roubles with two decimals. */
  z.object({
    kind: z.literal('short_handed_in'),
    day: Day,
    due: z.string(),
    handed_in: z.string(),
  }),
  /** The driver's salary is 0 % today, and was this many percent on the bus's latest earlier day. */
  z.object({ kind: z.literal('no_salary'), was: z.string() }),
  z.object({
    kind: z.literal('full'),
    inside: z.int(),
    places: z.int(),
    /** The stop that it drives to or stands at; null where unknown. */
    stop: z.nullable(z.string()),
  }),
  z.object({ kind: z.literal('standing'), stop: z.nullable(z.string()) }),
]);

/** Something that needs attention: an open cause, or figures of a bus. */
export const AttentionRow = z.object({
  details: z.union([CauseDetails, FigureDetails]),
  /** When it began; null where no moment is known. */
  since: z.nullable(Moment),
  workplace: CauseBus,
  camera: CauseCamera,
});
export type AttentionRow = z.infer<typeof AttentionRow>;

const AttentionGroup = z.object({ total: z.int(), items: z.array(AttentionRow) });
export type AttentionGroup = z.infer<typeof AttentionGroup>;

/** Most customers to choose from. */
export const MAX_HOME_CUSTOMERS = 500;

/** The day at a glance, of all buses that the user may see; each bus counts by its own local day and clock. */
export const Home = z.object({
  /** When the figures were read. */
  made_at: Moment,
  /** The zone that most buses have; the fallback zone without buses, or if as many have it. */
  timezone: z.string(),
  /** The number of different zones that the buses have. */
  zones: z.int(),
  /** The present day in `timezone`, and the same weekday a week before. */
  day: Day,
  before_day: Day,
  buses: z.object({ moving: z.int(), standing: z.int(), silent: z.int(), off: z.int() }),
  /** Effective counts. */
  entered: Compared,
  exited: Compared,
  /** Roubles with two decimals. */
  revenue: z.object({ now: z.string(), before: z.string() }),
  /** Passengers inside of buses that show them; `of_places` are those in buses whose capacity is known, `places`. */
  inside: z.object({ now: z.int(), before: z.int(), of_places: z.int(), places: z.int() }),
  /** People, and revenue in roubles with two decimals, by hour of the local clock, 0 to 23; of the day before all hours. */
  hours: z.object({
    entered: z.array(z.int()),
    exited: z.array(z.int()),
    entered_before: z.array(z.int()),
    exited_before: z.array(z.int()),
    revenue: z.array(z.string()),
    revenue_before: z.array(z.string()),
  }),
  review: z.object({
    /** Fragments that wait for review, of all days, and the start of the oldest. */
    waiting: z.int(),
    oldest: z.nullable(Moment),
    /** Reviewed since `day` began. */
    reviewed: z.int(),
  }),
  /**
   * Buses whose figures of the day or of the compared one lack something: their unit is silent or still sends earlier
   * records, or a job is working them out. Laps of the day count from the tenth minute on.
   */
  incomplete: z.int(),
  /** The rows that need attention: faulty devices and work, money and counts, on the line. */
  attention: z.object({ faulty: AttentionGroup, money: AttentionGroup, line: AttentionGroup }),
  /** The customers whose buses the user sees, to choose from; empty unless there are several. */
  customers: z.array(
    z.object({ id: Id, name: z.string(), surname: z.nullable(z.string()), buses: z.int() }),
  ),
  /** The buses of the chosen customer, for links to their statistics; null without a choice. */
  bus_ids: z.nullable(z.array(Id)),
});
export type Home = z.infer<typeof Home>;

/** Greatest age of a cached answer, ms. */
export const HOME_KEPT_MS = 20_000;
/** After this long a visible screen asks again, ms. */
export const HOME_REFRESH_MS = 40_000;

/** Only the buses of this customer; all that the user may see unless given. */
const ofCustomer = z.object({ clientId: z.optional(IdText) });

export const findHome = endpoint({
  method: 'GET',
  path: HOME_PATH,
  summary: 'The day at a glance: figures of all visible buses against the same weekday last week',
  access: 'user',
  tagged: true,
  query: ofCustomer,
  response: Home,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

/**
 * A bus on the map: id, latitude, longitude, course in degrees clockwise from north or null, speed in km/h or null, state.
 * Tuples, because a fleet of thousands is asked for each second.
 */
export const BusPlace = z.tuple([
  z.int(),
  z.number(),
  z.number(),
  z.nullable(z.int()),
  z.nullable(z.int()),
  BusState,
]);
export type BusPlace = z.infer<typeof BusPlace>;

/** Greatest age of cached places, ms, and after this long a visible map asks again. */
export const PLACES_KEPT_MS = 900;
export const PLACES_REFRESH_MS = 1000;

export const listPlaces = endpoint({
  method: 'GET',
  path: '/api/gps/all',
  summary: 'Where all visible buses are now; those without a position are left out',
  access: 'user',
  scope: 'positions',
  tagged: true,
  query: ofCustomer,
  response: z.object({ items: z.array(BusPlace), number: z.int(), total: z.int() }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

/** Most routes on the map of all buses, those of most buses, and most points of each. */
export const MAX_MAP_ROUTES = 60;
export const MAX_ROUTE_POINTS = 400;
/** Greatest age of the cached routes, ms. */
export const MAP_ROUTES_KEPT_MS = 10 * 60_000;

export const MapRoute = z.object({
  id: Id,
  name: z.string(),
  /** Latitude and longitude of each point. */
  line: z.array(z.tuple([z.number(), z.number()])),
});
export type MapRoute = z.infer<typeof MapRoute>;

export const listMapRoutes = endpoint({
  method: 'GET',
  path: '/api/gps/routes',
  summary: `The routes that visible buses are on, as simplified lines for a map, at most ${MAX_MAP_ROUTES}`,
  access: 'user',
  scope: 'positions',
  tagged: true,
  query: ofCustomer,
  response: z.object({
    items: z.array(MapRoute),
    number: z.int(),
    total: z.int(),
  }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});
