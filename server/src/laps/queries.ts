import type { Db } from '../core/db/db.ts';

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
  busId: number,
  timeMs: number,
): Promise<number | undefined> {
  const stop = await db
    .selectFrom('laps')
    .innerJoin('lap_stops', 'lap_stops.lap_id', 'laps.id')
    .select('load')
    .where('workplace_id', '=', busId)
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
