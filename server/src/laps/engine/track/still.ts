// Since when a bus has stayed where it is. Its unit goes on sending while it is parked, and what moves then is the noise.
import { f64 } from '@ridewatch/contract/columns';
import type { Track } from './track.ts';

/** Farther than this from where it was seen last the bus was elsewhere, metres: as far as from a terminal it has left. */
const NEAR_M = 300;
/** The middle of so many points is where it is: two of them may be reflections of the signal. */
const LAST_POINTS = 5;
/** So many points in a row may lie elsewhere: reflections too. */
const STRAY_POINTS = 2;

/**
 * The moment from which a bus has stayed near the place where its track ends.
 * @returns ms since 1970 UTC, the track's last moment at the latest; null without a track
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
