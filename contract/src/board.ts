import * as z from 'zod/mini';
import { BusState } from './buses.ts';
import { endpoint } from './endpoint.ts';
import { Roubles } from './laps.ts';
import { Id, Moment } from './primitives.ts';

/** The place of a bus on its route: in the lap that it drives, or the last one of its local day. */
export const BoardLap = z.object({
  number: z.int(),
  /** Ended: the bus drives no lap now. */
  ended: z.boolean(),
  /** How much of the lap is driven, by its stops; 0 to 100. */
  percent: z.number(),
  /** The place of the far terminal, in percent of the lap; null for a circular route. */
  turn_percent: z.nullable(z.number()),
  /** The last stop that the bus called at or passed; null before the first one. */
  stop: z.nullable(z.string()),
  /** The stop after it, once the bus has left it; null while it stands there and after the last one. */
  next: z.nullable(z.string()),
  /** Everything that the unit sent before this moment is in the lap and in `inside`. */
  as_of: Moment,
});
export type BoardLap = z.infer<typeof BoardLap>;

/** The figures of one bus that change every minute. Its counts are the effective counts of its local day. */
export const BoardBus = z.object({
  id: Id,
  state: BusState,
  /** Of a moving bus. */
  speed_kmh: z.nullable(z.int()),
  /** When it last drove. */
  moved_at: z.nullable(Moment),
  /** Null while the day is recounted. */
  entered: z.nullable(z.int()),
  /** The people that entered, by hour of the bus's clock, up to the last hour with any. */
  hours: z.array(z.int()),
  /** Of the day, as in the calculator; null while the day is recounted. */
  revenue: z.nullable(Roubles),
  /** Passengers inside; null if the bus does not show them, or while the day is recounted. */
  inside: z.nullable(z.int()),
  /** Seats and standing places; null where unknown. */
  places: z.nullable(z.int()),
  /** Null for a bus without a route, and before the first lap of the day. */
  lap: z.nullable(BoardLap),
  /** Imbalance of the day's ended laps in percent, if it is flagged. */
  imbalance_percent: z.nullable(z.int()),
  /** Passengers of the day's laps without a price. */
  no_price: z.int(),
  /** Fragments that wait for review, of all days. */
  waiting: z.int(),
  /** Cameras in use that a unit, which is not silent, reports offline. */
  offline_cameras: z.array(Id),
});
export type BoardBus = z.infer<typeof BoardBus>;

export const Board = z.object({
  items: z.array(BoardBus),
  number: z.int(),
  total: z.int(),
  /** When the figures were read. */
  made_at: Moment,
});
export type Board = z.infer<typeof Board>;

/** Greatest age of a cached board, ms. */
export const BOARD_KEPT_MS = 20_000;
/** After this long a visible screen asks again, ms. */
export const BOARD_REFRESH_MS = 40_000;

export const listBoard = endpoint({
  method: 'GET',
  path: '/api/bus_list/board',
  summary: 'What changes by the minute of every bus that the user may see; asks for no laps',
  access: 'user',
  scope: 'statistics',
  tagged: true,
  response: Board,
  errors: ['unauthorized'],
});
