import type { Db } from '../core/db/db.ts';

/** Longest lap, ms: older ones are not searched. */
const LONGEST_LAP_MS = 24 * 3_600_000;
/** Most visits that one call reads: one every 17 s of a day. */
const MOST_VISITS = 5_000;

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

/** A bus's stay at a stop of a lap. */
export interface StopVisit {
  readonly name: string;
  readonly arrivalMs: number;
  readonly departureMs: number;
}

/**
 * The visits of a bus's laps that touch a period, by arrival; the first 5,000.
 * @param fromMs ms since 1970 UTC, as `toMs`, which is excluded
 */
export async function listVisits(
  db: Db,
  busId: number,
  fromMs: number,
  toMs: number,
): Promise<StopVisit[]> {
  const rows = await db
    .selectFrom('laps')
    .innerJoin('lap_stops', 'lap_stops.lap_id', 'laps.id')
    .select(['lap_stops.name', 'arrival', 'departure'])
    .where('workplace_id', '=', busId)
    // Also by day, for the index; at most two days earlier in any zone.
    .where('day', '>=', new Date(fromMs - 2 * LONGEST_LAP_MS).toISOString().slice(0, 10))
    .where('start_time', '<', new Date(toMs))
    .where('start_time', '>', new Date(fromMs - LONGEST_LAP_MS))
    .where('arrival', '<', new Date(toMs))
    .where('departure', '>=', new Date(fromMs))
    .orderBy('arrival')
    .limit(MOST_VISITS)
    .execute();
  return rows.flatMap(({ name, arrival, departure }) =>
    arrival === null || departure === null
      ? []
      : { name, arrivalMs: arrival.getTime(), departureMs: departure.getTime() },
  );
}
