// Reads the stored positions of a unit.
import type { Db } from '../core/db/db.ts';
import { unpackPoints } from '../positions/pack.ts';

/** A stored position. */
interface Position {
  /** Corrected time, ms since 1970 UTC. */
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number | null;
  /** Degrees clockwise from north. */
  readonly course: number | null;
}

/**
 * A unit's positions in a period of corrected time, in its order, in whichever bus it sat.
 * @param fromMs start, ms since 1970 UTC
 * @param toMs end, excluded
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
