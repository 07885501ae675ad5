import type { Db } from '../core/db/db.ts';

/** Longest lap, ms: older ones are not searched. */
const LONGEST_LAP_MS = 24 * 3_600_000;

/**
 * People inside at a moment: the balanced load after the last stop called at before it. The load restarts only where a
 * lap begins, so people on board at midnight count.
 * @param timeMs ms since 1970 UTC
 * @returns undefined when no lap is known
 */
export async function findLoadAt(
  db: Db,
  busId: number,
  timeMs: number,
): Promise<number | undefined> {
  const stop = await db
    .selectFrom('laps')
    .innerJoin('lap_stops', 'lap_stops.lap_id', 'laps.id')
    .select('load')
    .where('workplace_id', '=', busId)
    // Also by day, for the index; at most two days earlier in any zone.
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
