// What a lap is as a route: its line without noise, and the calls at which it stood.
import type { Db } from '../db.ts';
import { cleanTrack } from '../laps/track.ts';
import { distanceM, type Place, planeAt } from '../plane.ts';
import { readPositionColumns } from '../positions/read.ts';
import { simplifyLine } from './simplify.ts';

/** Points nearer than this to the last one are noise of a standing bus. */
const STEP_M = 15;
/** Half the width of a street. */
const TOLERANCE_M = 5;

/** The line that a unit drove in a stretch of time; empty when it has no positions. */
export async function readLine(
  db: Db,
  workplaceId: number,
  startMs: number,
  endMs: number,
): Promise<Place[]> {
  const unit = await db
    .selectFrom('units')
    .select('id')
    .where('workplace_id', '=', workplaceId)
    .executeTakeFirst();
  if (unit === undefined) return [];
  // The lap's last position is its own.
  const positions = await readPositionColumns(db, unit.id, startMs, endMs + 1);
  const [latitude, longitude] = [positions.latitude[0], positions.longitude[0]];
  if (latitude === undefined || longitude === undefined) return [];
  const plane = planeAt({ latitude, longitude });
  const { x, y } = cleanTrack(positions, plane);
  const driven = Array.from(x, (east, n) => ({
    latitude: rounded(plane.latitudeOf(y[n] as number)),
    longitude: rounded(plane.longitudeOf(east)),
  }));
  return simplifyLine(withoutStanding(driven), TOLERANCE_M);
}

function withoutStanding(line: readonly Place[]): Place[] {
  const kept: Place[] = [];
  for (const point of line) {
    const last = kept.at(-1);
    if (last === undefined || distanceM(last, point) >= STEP_M) kept.push(point);
  }
  return kept;
}

// To a decimetre.
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6;
