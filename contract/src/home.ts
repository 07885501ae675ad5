import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { HOME_PATH } from './paths.ts';
import { Day, Moment } from './primitives.ts';

/** A figure of the running day, and of the same weekday a week before at the same time of day. */
const Compared = z.object({ now: z.int(), before: z.int() });

/** The day at a glance, of all buses that the user may see; each bus counts by its own local day. */
export const Home = z.object({
  /** When the figures were read. */
  made_at: Moment,
  /** The day in Moscow, in which lists across buses show moments, and the same weekday a week before. */
  day: Day,
  before_day: Day,
  buses: z.object({ moving: z.int(), standing: z.int(), silent: z.int() }),
  /** Effective counts. */
  entered: Compared,
  exited: Compared,
  /** Roubles with two decimals. */
  revenue: z.object({ now: z.string(), before: z.string() }),
  /** Passengers inside of buses that show them, and the places of those whose capacity is known. */
  inside: z.object({ now: z.int(), before: z.int(), places: z.int() }),
  /** People by hour of the local day, 0 to 23; of the day before all hours. */
  hours: z.object({
    entered: z.array(z.int()),
    exited: z.array(z.int()),
    entered_before: z.array(z.int()),
    exited_before: z.array(z.int()),
  }),
  review: z.object({
    /** Fragments that wait for review, of all days, and the start of the oldest. */
    waiting: z.int(),
    oldest: z.nullable(Moment),
    /** Reviewed since midnight in Moscow. */
    reviewed: z.int(),
  }),
  /** Buses whose figures are missing, because a job is rebuilding the hours of their day. */
  rebuilding: z.int(),
});
export type Home = z.infer<typeof Home>;

/** Greatest age of a cached answer, ms. */
export const HOME_KEPT_MS = 20_000;
/** After this long a visible screen asks again, ms. */
export const HOME_REFRESH_MS = 40_000;

export const findHome = endpoint({
  method: 'GET',
  path: HOME_PATH,
  summary: 'The day at a glance: figures of all visible buses against the same weekday last week',
  access: 'user',
  tagged: true,
  response: Home,
  errors: ['unauthorized'],
});

/**
 * Where a bus is: id, latitude, longitude, course in degrees clockwise from north or null, speed in km/h or null, state.
 * Tuples, because a fleet of thousands is asked for each second.
 */
export const BusPlace = z.tuple([
  z.int(),
  z.number(),
  z.number(),
  z.nullable(z.int()),
  z.nullable(z.int()),
  z.enum(['moving', 'standing', 'silent']),
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
  tagged: true,
  response: z.object({ items: z.array(BusPlace), number: z.int(), total: z.int() }),
  errors: ['unauthorized'],
});
