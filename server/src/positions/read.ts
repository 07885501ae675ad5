import type { Db } from '../db.ts';
import { unpackPoints } from './pack.ts';

export interface Position {
  /** Corrected time, ms since 1970 UTC. */
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | null;
  /** Degrees clockwise from north. */
  readonly course: number | null;
}

/**
 * A unit's positions in a stretch of corrected time, in its order.
 * @param fromMs first moment, ms since 1970 UTC
 * @param toMs first moment after it
 */
export async function listPositions(
  db: Db,
  unitId: number,
  fromMs: number,
  toMs: number,
): Promise<Position[]> {
  const rows = await db
    .selectFrom('position_blocks')
    .select('points')
    .where('unit_id', '=', unitId)
    .where('last_time', '>=', new Date(fromMs))
    .where('first_time', '<', new Date(toMs))
    .execute();
  return rows
    .flatMap((row) => unpackPoints(row.points))
    .map((point) => ({
      timeMs: point.sentMs + point.offsetMs,
      latitude: point.latitudeE6 / 1e6,
      longitude: point.longitudeE6 / 1e6,
      speedKmh: point.speedE1 === null ? null : point.speedE1 / 10,
      course: point.course,
    }))
    .filter(({ timeMs }) => timeMs >= fromMs && timeMs < toMs)
    .sort((a, b) => a.timeMs - b.timeMs);
}
