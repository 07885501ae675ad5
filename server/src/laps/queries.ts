import { addDays } from '@ridewatch/contract/day';
import type { Db, Tx } from '../db.ts';
import { addJob } from '../jobs.ts';
import { buildPath, type Route } from './route-path.ts';

/** The job that works out the laps of one bus on one local day; its payload is a LapsOfDay. */
export const LAPS_JOB = 'laps_of_day';

export interface LapsOfDay {
  readonly workplaceId: number;
  /** `YYYY-MM-DD` */
  readonly day: string;
}

/** Work on one day is one job. */
export function keyOfDay(workplaceId: number, day: string): string {
  return `day:${workplaceId}:${day}`;
}

/** A day's laps are worked out from its data and those so long before and after it. */
export const LAP_MARGIN_MS = 6 * 3_600_000;

export interface LapsRequest {
  /** The present of whoever asks, ms since 1970 UTC: it tells what goes on now from the past. */
  readonly nowMs: number;
  /**
   * How long more changes are waited for, ms: data come in batches, an edit is looked at once. Unless said 15 s for what
   * goes on now, 45 s for the past, which comes as backlog.
   */
  readonly waitMs?: number;
  /** Smaller runs first; unless said, what goes on now goes ahead of all else, and the past behind it, the more the longer ago. */
  readonly priority?: number;
}

const WAIT_MS = 15_000;
const PAST_WAIT_MS = 45_000;
/** What goes on now takes milliseconds and is looked at; it goes ahead of video, which takes seconds a piece and has 0. */
const LIVE_PRIORITY = -10;
/** A month of backlog of a fleet stands behind the buses that drive now; of the past the newest days come first. */
const PAST_PRIORITY = 10;
const LEAST_PRIORITY = 10_000;

/**
 * Has the laps of local days worked out anew. Call it in the transaction that changes what they are worked out from.
 * @param days `YYYY-MM-DD`, repeated ones count once
 */
export async function requestLaps(
  tx: Tx,
  workplaceId: number,
  days: Iterable<string>,
  { nowMs, waitMs, priority }: LapsRequest,
): Promise<void> {
  // In every zone of the earth the present day is this one or later.
  const present = addDays(new Date(nowMs).toISOString().slice(0, 10), -1);
  // One order for everybody who asks for several days.
  for (const day of [...new Set(days)].sort()) {
    const payload: LapsOfDay = { workplaceId, day };
    await addJob(
      tx,
      LAPS_JOB,
      { ...payload },
      {
        key: keyOfDay(workplaceId, day),
        delayMs: waitMs ?? (day >= present ? WAIT_MS : PAST_WAIT_MS),
        // Who says how long brings the job forward; batches never put it off.
        keepRunAt: waitMs === undefined,
        priority: priority ?? priorityOf(day, present),
      },
    );
  }
}

function priorityOf(day: string, present: string): number {
  if (day >= present) return LIVE_PRIORITY;
  const days = (Date.parse(present) - Date.parse(day)) / 86_400_000;
  return Math.min(PAST_PRIORITY + days, LEAST_PRIORITY);
}

/** The longest that a lap may last: no bus is looked for on an older one, ms. */
const LONGEST_LAP_MS = 24 * 3_600_000;

/**
 * How many are inside at a moment: the balanced load after the last stop that the bus called at before it. The load
 * restarts where a lap begins and only there, so nobody who is on board at midnight is forgotten.
 * @param timeMs ms since 1970 UTC
 * @returns undefined when no lap is known
 */
export async function findLoadAt(
  db: Db,
  workplaceId: number,
  timeMs: number,
): Promise<number | undefined> {
  const stop = await db
    .selectFrom('laps')
    .innerJoin('lap_stops', 'lap_stops.lap_id', 'laps.id')
    .select('load')
    .where('workplace_id', '=', workplaceId)
    // By day too, as the index goes; two days earlier at most in any zone.
    .where('day', '>=', new Date(timeMs - 2 * LONGEST_LAP_MS).toISOString().slice(0, 10))
    .where('start_time', '<', new Date(timeMs))
    .where('start_time', '>', new Date(timeMs - LONGEST_LAP_MS))
    .where('arrival', '<', new Date(timeMs))
    .orderBy('start_time', 'desc')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  return stop === undefined ? undefined : Math.round(stop.load);
}

/** Whether a route is driven one way only: its laps neither come back nor go round, so nobody rides against its order. */
export function goesOneWay(route: Pick<Route, 'stops' | 'track'>): boolean {
  if (route.stops.some(({ direction }) => direction === 'REVERSE')) return false;
  const path = buildPath({ ...route, terminalStopId: null, lastTerminalStopId: null });
  return path?.closed === false;
}
