// The track that a bus drove as the line of a route: without jumps and without the noise of standing.

import { f64 } from '@ridewatch/contract/columns';
import { roundTo } from '@ridewatch/contract/round';
import { type Place, type Plane, planeAt } from '../../laps/engine/geometry/plane.ts';
import { simplifyLine } from '../../laps/engine/geometry/simplify.ts';
import { cleanTrack, indexAt, type Track } from '../../laps/engine/track/track.ts';
import { type PositionBlocks, positionColumns } from '../../positions/read.ts';

/** Points nearer than this to the last one are noise of a standing bus. */
const STEP_M = 15;
/** Half the width of a street. */
const TOLERANCE_M = 5;
/** Most points of a track, so that a map draws and a browser edits it easily; a longer one is simplified further. */
const MOST_POINTS = 20_000;

/** Cleaned positions and their plane. */
export interface Driven {
  readonly track: Track;
  readonly plane: Plane;
}

/** The track of packed positions; null without any. */
export function drivenOf(blocks: PositionBlocks): Driven | null {
  const positions = positionColumns(blocks);
  const [latitude, longitude] = [positions.latitude[0], positions.longitude[0]];
  if (latitude === undefined || longitude === undefined) return null;
  const plane = planeAt({ latitude, longitude });
  return { track: cleanTrack(positions, plane), plane };
}

/** The line between two moments, both included. */
export function lineBetween({ track, plane }: Driven, startMs: number, endMs: number): Place[] {
  const line: Place[] = [];
  let [lastX, lastY] = [Number.NaN, Number.NaN];
  for (let n = indexAt(track, startMs); n < indexAt(track, endMs + 1); n += 1) {
    const [x, y] = [f64(track.x, n), f64(track.y, n)];
    if (Math.hypot(x - lastX, y - lastY) < STEP_M) continue;
    line.push({
      latitude: roundTo(plane.latitudeOf(y), 6),
      longitude: roundTo(plane.longitudeOf(x), 6),
    });
    [lastX, lastY] = [x, y];
  }
  let simple = simplifyLine(line, TOLERANCE_M);
  for (let toleranceM = 2 * TOLERANCE_M; simple.length > MOST_POINTS; toleranceM *= 2) {
    simple = simplifyLine(simple, toleranceM);
  }
  return simple;
}

// To a decimetre.
