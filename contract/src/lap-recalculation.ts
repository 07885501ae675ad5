import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { DayLimit, MAX_RECALCULATED_DAYS, Roubles } from './laps.ts';
import { Day, Id, IdText, Moment } from './primitives.ts';

/** How a recalculation changes a day. */
export const DayChange = z.object({
  date: Day,
  laps_before: z.int(),
  laps_after: z.int(),
  /** Null where the day has no estimate. */
  revenue_before: z.nullable(Roubles),
  revenue_after: z.nullable(Roubles),
});
export type DayChange = z.infer<typeof DayChange>;

/** A day that could not be computed; it stays as it was. */
const FailedDay = z.object({ date: Day, reason: DayLimit });
export type FailedDay = z.infer<typeof FailedDay>;

/** The progress of a recalculation. */
export const LapRecalculation = z.object({
  id: Id,
  dateFrom: Day,
  dateTo: Day,
  created_at: Moment,
  /** Given up: too many days broke a limit, and the rest was left. */
  state: z.enum(['running', 'done', 'cancelled', 'given_up']),
  /** Days, and how many of them are finished. */
  total: z.int(),
  done: z.int(),
  /** The changed days so far, as in a preview. */
  items: z.array(DayChange),
  failed: z.array(FailedDay),
});
export type LapRecalculation = z.infer<typeof LapRecalculation>;

const path = '/api/bus-stop/update/{workplaceId}';
const params = z.object({ workplaceId: IdText });
const Latest = z.object({ recalculation: z.nullable(LapRecalculation) });

export const recalculateLaps = endpoint({
  method: 'POST',
  path,
  summary: `Recalculates the laps of past days, at most ${MAX_RECALCULATED_DAYS} days at once; a preview returns the days that would change`,
  access: 'user',
  params,
  body: z.object({ dateFrom: Day, dateTo: Day, preview: z.boolean() }),
  response: z.extend(Latest, {
    /**
     * Of a preview: only days that change, in laps, revenue or anything of an ended lap. New data of a bus on the road
     * are no change. Empty once the job has begun: see `recalculation`.
     */
    items: z.array(DayChange),
    /** Of a preview: days that cannot be computed. */
    failed: z.array(FailedDay),
    /**
     * Of a preview: the last computed day. It ends before `dateTo` after 20 s of computing, at a day that takes too
     * long, or when others kept it waiting; the job may begin nevertheless. Null once the job has begun.
     */
    looked_until: z.nullable(Day),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'conflict', 'unavailable'],
});

export const findLapRecalculation = endpoint({
  method: 'GET',
  path,
  summary: 'The last recalculation of laps of a bus, with its progress',
  access: 'user',
  params,
  response: Latest,
  errors: ['unauthorized', 'invalid_request', 'not_found'],
});

export const cancelLapRecalculation = endpoint({
  method: 'DELETE',
  path,
  summary: 'Cancels the recalculation of laps of a bus after the running day; finished days stay',
  access: 'user',
  params,
  response: Latest,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found'],
});
