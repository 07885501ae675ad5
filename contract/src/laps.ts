import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Day, Id, IdText, Moment, Zone } from './primitives.ts';

/** Roubles with two decimals, as text: `1234.50`. */
export const Roubles = z.string();

/** Why a day cannot be computed: it takes over 20 s, or more memory or records than a day can have. */
export const DayLimit = z.enum(['too_long', 'too_large']);
export type DayLimit = z.infer<typeof DayLimit>;

/** Most days of one recalculation, both ends included. */
export const MAX_RECALCULATED_DAYS = 92;

export const RouteDirection = z.enum(['FORWARD', 'REVERSE']);
export type RouteDirection = z.infer<typeof RouteDirection>;

/** Why a lap is incomplete: docs/laps.md. */
export const IncompleteReason = z.enum([
  'no_departure',
  'no_arrival',
  'short_turn',
  'detour',
  'off_route',
  'no_route',
]);
export type IncompleteReason = z.infer<typeof IncompleteReason>;

export const TrackPoint = z.object({
  latitude: z.number(),
  longitude: z.number(),
  time: Moment,
  speed_kmh: z.nullable(z.number()),
});
export type TrackPoint = z.infer<typeof TrackPoint>;

/** One stop of a lap, in the order of the route; without an arrival when the bus did not stop. */
export const LapStop = z.object({
  /** The route's stop; null for a halt elsewhere. */
  id: z.nullable(Id),
  position: z.int(),
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  /** Number of the lap in its day. */
  lap: z.int(),
  classifier_id: z.nullable(Id),
  routeStop: z.nullable(z.object({ name: z.string(), groupName: z.string() })),
  direction: z.nullable(RouteDirection),
  arrival: z.nullable(Moment),
  departure: z.nullable(Moment),
  /** When the bus drove past without stopping, interpolated between two fixes; only if `skipped` is `passed`. */
  passed_at: z.nullable(Moment),
  /** Least distance of the bus from the stop, metres. */
  distance_m: z.nullable(z.number()),
  /** Why the visit is believed. */
  evidence: z.nullable(z.enum(['halt', 'slow', 'event', 'gap'])),
  /** Why there is no visit; `ahead`: the bus is on its way there. */
  skipped: z.nullable(z.enum(['passed', 'not_driven', 'no_fix', 'ahead'])),
  /** 0 to 1. */
  confidence: z.number(),
  /** Effective counts. */
  entered: z.int(),
  exited: z.int(),
  /** Load after the stop, balanced over the lap; and as counted, which may be below zero. */
  passengers: z.number(),
  raw_passengers: z.int(),
  /** Share of the bus's places, percent; null where unknown. */
  load_percent: z.nullable(z.number()),
  /** Fragments recorded while the bus was there. */
  segments: z.array(Id),
});
export type LapStop = z.infer<typeof LapStop>;

export const Halt = z.object({
  start: Moment,
  end: Moment,
  latitude: z.number(),
  longitude: z.number(),
  /** Number of the lap; null between laps. */
  lap: z.nullable(z.int()),
  /** Index of the lap's stop at the halt; null for none. */
  position: z.nullable(z.int()),
  entered: z.int(),
  exited: z.int(),
});
export type Halt = z.infer<typeof Halt>;

export const LapSummary = z.object({
  lap_id: Id,
  /** From 1 within the day. */
  number: z.int(),
  group: z.nullable(z.object({ id: Id, name: z.string() })),
  /** The pattern of the route that the lap fits best, as named then; null off the route, and if the route has one. */
  pattern: z.nullable(z.object({ id: Id, name: z.string() })),
  start: Moment,
  end: Moment,
  /** Seconds. */
  duration: z.int(),
  /** The start of the lap on the day's timeline, and its length, percent. */
  startPositionPercent: z.number(),
  percent: z.number(),
  /** Null for a whole lap. */
  incomplete: z.nullable(IncompleteReason),
  /** It has not ended for certain. */
  open: z.boolean(),
  legs: z.array(z.object({ direction: RouteDirection, start: Moment, end: Moment })),
  /** Effective counts, including those without a stop. */
  entered: z.int(),
  exited: z.int(),
  /** How many stops were visited. */
  stops: z.int(),
  /** Counted in the lap, but at no stop. */
  unplaced: z.int(),
  /** Greatest number inside, balanced. */
  max_passengers: z.number(),
  /** Entered − exited over the lap as counted: the counter's drift. */
  drift: z.int(),
  /** |in − out| / max, percent; flagged above 10. */
  imbalance_percent: z.number(),
  imbalanced: z.boolean(),
  /** For routes of type CALCULATION: the estimate from the price table, and its ±; else null. */
  revenue: z.nullable(Roubles),
  revenue_error: z.nullable(Roubles),
  /** People whose ride has no price. */
  no_price: z.number(),
});
export type LapSummary = z.infer<typeof LapSummary>;

export const Lap = z.extend(LapSummary, {
  busStopDtoList: z.array(LapStop),
  halts: z.array(Halt),
  track: z.array(TrackPoint),
});
export type Lap = z.infer<typeof Lap>;

const dayOfBus = z.object({ workplaceId: IdText, date: Day });
const page = { number: z.int(), total: z.int() };

export const listDayLaps = endpoint({
  method: 'GET',
  path: '/api/bus-stop/day-laps',
  summary: "The laps that start on a bus's local day, without tracks and stops",
  access: 'user',
  scope: 'positions',
  query: dayOfBus,
  tagged: true,
  response: z.object({
    ...page,
    items: z.array(LapSummary),
    timezone: Zone,
    /** Records or edits of the day wait to be computed: the laps are older than they. */
    pending: z.boolean(),
    /** Why the last computation failed; the laps shown are older. */
    failure: z.nullable(DayLimit),
  }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const listLaps = endpoint({
  method: 'GET',
  path: '/api/bus-stop/laps',
  summary: 'Laps of a local day, or one of them, with stops, halts and tracks',
  access: 'user',
  scope: 'positions',
  query: z.extend(dayOfBus, { lapId: z.optional(IdText) }),
  tagged: true,
  response: z.object({ ...page, items: z.array(Lap), timezone: Zone }),
  errors: ['unauthorized', 'invalid_request', 'not_found', 'too_large'],
});

export const searchStops = endpoint({
  method: 'GET',
  path: '/api/bus-stop/search',
  summary: 'The stops of the laps of a local day, by lap and order',
  access: 'user',
  scope: 'positions',
  query: z.extend(dayOfBus, { lapId: z.optional(IdText) }),
  tagged: true,
  response: z.object({ ...page, items: z.array(LapStop) }),
  errors: ['unauthorized', 'invalid_request', 'not_found', 'too_large'],
});

/** The position of a bus; all null before its first fix. */
export const VehiclePosition = z.object({
  latitude: z.nullable(z.number()),
  longitude: z.nullable(z.number()),
  /** Degrees clockwise from north. */
  direction: z.nullable(z.number()),
  speed_kmh: z.nullable(z.number()),
  time: z.nullable(Moment),
  /** One of `UnitState`: silent is nothing for 5 minutes, moving over 5 km/h in the last minute. */
  state: z.enum(['moving', 'standing', 'silent']),
});
export type VehiclePosition = z.infer<typeof VehiclePosition>;

export const findPosition = endpoint({
  method: 'GET',
  path: '/api/gps',
  summary: 'Where a bus is now',
  access: 'user',
  scope: 'positions',
  query: z.object({ busId: IdText }),
  response: VehiclePosition,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const findDayTrack = endpoint({
  method: 'GET',
  path: '/api/workplaces/gps/{busId}',
  summary: 'The track of a local day',
  access: 'user',
  scope: 'positions',
  params: z.object({ busId: IdText }),
  query: z.object({ date: Day }),
  tagged: true,
  response: z.object({ items: z.array(TrackPoint), halts: z.array(Halt), timezone: Zone }),
  errors: ['unauthorized', 'invalid_request', 'not_found', 'too_large'],
});

export const HaltStat = z.object({
  /** Local time at which the slot begins, `HH:mm`. */
  from: z.string(),
  entered: z.int(),
  exited: z.int(),
});
export type HaltStat = z.infer<typeof HaltStat>;

export const findStopStat = endpoint({
  method: 'GET',
  path: '/api/bus-stop/stat',
  summary: 'Who got on and off at a stop, by time of day, on one weekday or on all',
  access: 'user',
  scope: 'statistics',
  query: z.object({
    dateFrom: Day,
    dateTo: Day,
    groupId: z.optional(IdText),
    busStopClassifierId: IdText,
    /** 1 = Monday. */
    dayOfWeek: z.optional(z.string().check(z.regex(/^[1-7]$/, 'must be 1 to 7'))),
    groupMinutes: z._default(z.enum(['15', '30', '60', '120']), '60'),
  }),
  response: z.object({ items: z.array(HaltStat) }),
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const setTerminalStop = endpoint({
  method: 'POST',
  path: '/api/bus-stop/set-terminal-bus-stop',
  summary: "Where a bus's laps begin, from a local day on; null: its route's first terminal",
  access: 'user',
  body: z.object({
    workplaceId: Id,
    busStopId: z.nullable(Id),
    /** Today unless chosen. */
    valid_from: z.optional(Day),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
