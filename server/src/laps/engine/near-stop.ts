// How a bus passed a stop: the fixes near it, and its speed there.
import { f64 } from '@ridewatch/contract/columns';
import type { PathStop } from './route-path.ts';
import type { Track } from './track/track.ts';

/** Below this speed a bus passes slowly, km/h (the product's definition). */
const SLOW_KMH = 10;

/** The part of a track that is within reach of a stop. */
export interface Near {
  /** Least distance from the stop. */
  readonly metres: number;
  /** Times of its first and last point, ms since 1970 UTC. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Indexes of the track's points within reach. */
  readonly points: readonly number[];
}

/**
 * Finds where a track is near a stop.
 * @param first index of the first point to look at; `last` is that of the last one
 * @param reachM metres
 * @returns null if no point is within reach
 */
export function nearStop(
  track: Track,
  stop: PathStop,
  first: number,
  last: number,
  reachM: number,
): Near | null {
  const points: number[] = [];
  let metres = Number.POSITIVE_INFINITY;
  for (let p = first; p <= last; p += 1) {
    const away = Math.hypot(f64(track.x, p) - stop.x, f64(track.y, p) - stop.y);
    if (away > reachM) continue;
    points.push(p);
    if (away < metres) metres = away;
  }
  const [from] = points;
  if (from === undefined) return null;
  return {
    metres,
    fromMs: f64(track.timeMs, from),
    toMs: f64(track.timeMs, points.at(-1) ?? from),
    points,
  };
}

/**
 * Interpolates when the bus was nearest to a stop: on the line between two fixes.
 * @param first index of the first point to look at; `last` is that of the last one, not before it
 * @returns ms since 1970 UTC
 */
export function nearestTime(track: Track, stop: PathStop, first: number, last: number): number {
  let nearest = Number.POSITIVE_INFINITY;
  let timeMs = f64(track.timeMs, first);
  for (let p = first; p < Math.max(last, first + 1); p += 1) {
    const next = Math.min(p + 1, last);
    const [x, y] = [f64(track.x, p), f64(track.y, p)];
    const [dx, dy] = [f64(track.x, next) - x, f64(track.y, next) - y];
    const squared = dx * dx + dy * dy;
    const along = squared > 0 ? ((stop.x - x) * dx + (stop.y - y) * dy) / squared : 0;
    const share = Math.min(Math.max(along, 0), 1);
    const metres = Math.hypot(x + share * dx - stop.x, y + share * dy - stop.y);
    if (metres >= nearest) continue;
    nearest = metres;
    const fromMs = f64(track.timeMs, p);
    timeMs = fromMs + share * (f64(track.timeMs, next) - fromMs);
  }
  return timeMs;
}

/**
 * The time in which the bus passed a stop slowly.
 * @param points indexes of the track's points near the stop
 * @returns ms since 1970 UTC; null if the bus was fast at all of them
 */
export function slowPass(
  track: Track,
  points: readonly number[],
): { fromMs: number; toMs: number } | null {
  const slow = points.filter((p) => speedAt(track, p) < SLOW_KMH);
  const [first] = slow;
  if (first === undefined) return null;
  return {
    fromMs: f64(track.timeMs, first),
    toMs: f64(track.timeMs, slow.at(-1) ?? first),
  };
}

// Speed as the unit reported it, else from the neighbouring fixes, km/h.
function speedAt(track: Track, p: number): number {
  const reported = f64(track.speedKmh, p);
  if (!Number.isNaN(reported)) return reported;
  const a = Math.max(p - 1, 0);
  const b = Math.min(p + 1, track.length - 1);
  const metres = Math.hypot(f64(track.x, b) - f64(track.x, a), f64(track.y, b) - f64(track.y, a));
  const ms = f64(track.timeMs, b) - f64(track.timeMs, a);
  return ms > 0 ? (metres / ms) * 3600 : 0;
}
