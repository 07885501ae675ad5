import { f64 } from '@ridewatch/contract/columns';
import type { Halt } from './halts.ts';
import { indexAt, type Track } from './track/track.ts';

/** The way before and after a place is judged over this distance, metres, within this time, ms. */
const REACH_M = 250;
const REACH_MS = 10 * 60_000;
/** A bus that turns by less drives on, if round a corner: the cosine of 120°. */
const TURNS_BACK = -0.5;
/** A longer stand may be a terminal's, ms: passengers board in less. */
const STAND_MS = 2 * 60_000;

/**
 * Whether a bus drives straight on at a moment: it comes from somewhere, does not turn back, and stands no longer than at a
 * stop.
 * @param halts of this track
 * @param atMs ms since 1970 UTC
 */
export function drivesStraightOn(track: Track, halts: readonly Halt[], atMs: number): boolean {
  const stands = halts.some(
    ({ startMs, endMs }) =>
      endMs - startMs >= STAND_MS && startMs <= atMs + STAND_MS && endMs >= atMs - STAND_MS,
  );
  if (stands) return false;
  const here = Math.min(indexAt(track, atMs), track.length - 1);
  const [before, after] = [reach(track, here, -1), reach(track, here, 1)];
  if (before === null || after === null) return false;
  const [ax, ay] = between(track, before, here);
  const [bx, by] = between(track, here, after);
  return ax * bx + ay * by >= TURNS_BACK * Math.hypot(ax, ay) * Math.hypot(bx, by);
}

// The first point that far from another one, in one direction of time.
function reach(track: Track, from: number, step: 1 | -1): number | null {
  for (let p = from + step; p >= 0 && p < track.length; p += step) {
    if (Math.abs(f64(track.timeMs, p) - f64(track.timeMs, from)) > REACH_MS) return null;
    if (Math.hypot(...between(track, from, p)) >= REACH_M) return p;
  }
  return null;
}

const between = (track: Track, a: number, b: number): [number, number] => [
  f64(track.x, b) - f64(track.x, a),
  f64(track.y, b) - f64(track.y, a),
];
