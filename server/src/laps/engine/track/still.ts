// Finds since when a bus has stayed at its last place. The unit of a parked bus goes on sending, and only noise moves.
import { f64 } from '@ridewatch/contract/columns';
import type { Track } from './track.ts';

/** A bus farther than this from its last place was elsewhere, metres: the same distance as for leaving a terminal. */
const NEAR_M = 300;
/** The median of this many last points is the last place: two of them may be reflections of the signal. */
const LAST_POINTS = 5;
/** Most successive points elsewhere: reflections too. */
const STRAY_POINTS = 2;

/**
 * Finds since when a bus has stayed near the place where its track ends.
 * @returns ms since 1970 UTC, at the latest the end of the track; null without a track
 */
export function stillSinceMs({ length, timeMs, x, y }: Track): number | null {
  if (length === 0) return null;
  const here = { x: middleOf(x.subarray(0, length)), y: middleOf(y.subarray(0, length)) };
  let since = length - 1;
  let strays = 0;
  for (let n = length - 1; n >= 0 && strays <= STRAY_POINTS; n -= 1) {
    const isNear = Math.hypot(f64(x, n) - here.x, f64(y, n) - here.y) <= NEAR_M;
    if (isNear) since = n;
    strays = isNear ? 0 : strays + 1;
  }
  return f64(timeMs, since);
}

function middleOf(values: Float64Array): number {
  const last = values.slice(-LAST_POINTS).sort();
  return f64(last, last.length >>> 1);
}
