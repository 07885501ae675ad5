// Finds where the bus stood still: at least 20 s inside 30 m, without GPS noise. One pass over the track.
import { f64 } from '@ridewatch/contract/columns';
import type { Track } from './track/track.ts';

/** Least duration of a halt, ms (the product's definition). */
export const HALT_MIN_MS = 20_000;
/** Greatest distance from the halt's middle, metres (the product's definition). */
const HALT_RADIUS_M = 30;
/** A bus that moves farther than this, metres, and faster than this, m/s, inside the radius crawls. */
const CRAWL_M = 15;
const CRAWL_M_PER_S = 0.3;
/** Below this reported speed a bus stands, km/h. */
const STANDING_KMH = 2;
/** Most successive points outside the radius: reflections of the signal. */
const STRAY_POINTS = 2;
/** Two halts inside one radius with at most this between them are one, ms. */
const MERGE_MS = 60_000;

export interface Halt {
  readonly startMs: number;
  readonly endMs: number;
  /** The middle of its points, metres on the track's plane. */
  readonly x: number;
  readonly y: number;
  /** Indexes of its first and last point in the track. */
  readonly first: number;
  readonly last: number;
}

/** Finds the halts of a track. @returns in order of time */
export function findHalts(track: Track): Halt[] {
  const halts: Halt[] = [];
  let start = 0;
  while (start < track.length - 1) {
    const last = lastStanding(track, start);
    if (!isLong(track, start, last) || isCrawl(track, start, last)) {
      start += 1;
      continue;
    }
    const halt = trimmed(track, start, last);
    if (isLong(track, halt.first, halt.last)) push(halts, halt);
    start = last + 1;
  }
  return halts;
}

function lastStanding(track: Track, start: number): number {
  let sumX = f64(track.x, start);
  let sumY = f64(track.y, start);
  let count = 1;
  let last = start;
  for (let n = start + 1; n < track.length && n - last <= STRAY_POINTS + 1; n += 1) {
    const x = f64(track.x, n);
    const y = f64(track.y, n);
    const dx = x - sumX / count;
    const dy = y - sumY / count;
    if (dx * dx + dy * dy > HALT_RADIUS_M * HALT_RADIUS_M) continue;
    sumX += x;
    sumY += y;
    count += 1;
    last = n;
  }
  return last;
}

const isLong = (track: Track, first: number, last: number): boolean =>
  f64(track.timeMs, last) - f64(track.timeMs, first) >= HALT_MIN_MS;

// A crawling bus ends at another place than it started; noise cancels out, and drift is slow.
function isCrawl(track: Track, first: number, last: number): boolean {
  if (standsThroughout(track, first, last)) return false;
  const seconds = (f64(track.timeMs, last) - f64(track.timeMs, first)) / 1000;
  const third = Math.floor((last - first + 1) / 3);
  const a = middleOf(track, first, first + Math.max(third, 1) - 1);
  const b = middleOf(track, last - Math.max(third, 1) + 1, last);
  const metres = Math.hypot(b.x - a.x, b.y - a.y);
  return metres > CRAWL_M && metres / seconds > CRAWL_M_PER_S;
}

// Whether the receiver reports standing at all points. At a fix each 10 s its noise looks like a slow drive.
function standsThroughout({ speedKmh }: Track, first: number, last: number): boolean {
  for (let n = first; n <= last; n += 1) {
    if (!(f64(speedKmh, n) < STANDING_KMH)) return false;
  }
  return true;
}

// Cuts off the approach and the first metres of the departure, which also lie inside the radius.
function trimmed(track: Track, from: number, to: number): Halt {
  const rough = middleOf(track, from, to);
  const spread = Math.sqrt(rough.variance);
  const near = Math.max(8, 1.5 * spread);
  const isNear = (n: number): boolean =>
    Math.hypot(f64(track.x, n) - rough.x, f64(track.y, n) - rough.y) <= near;
  let first = from;
  while (first < to && !isNear(first)) first += 1;
  let last = to;
  while (last > first && !isNear(last)) last -= 1;
  const { x, y } = middleOf(track, first, last);
  return haltOf(track, first, last, x, y);
}

function push(halts: Halt[], halt: Halt): void {
  const before = halts.at(-1);
  const isSame =
    before !== undefined &&
    halt.startMs - before.endMs <= MERGE_MS &&
    Math.hypot(halt.x - before.x, halt.y - before.y) <= HALT_RADIUS_M;
  if (!isSame) {
    halts.push(halt);
    return;
  }
  const longer = halt.endMs - halt.startMs > before.endMs - before.startMs ? halt : before;
  halts[halts.length - 1] = {
    ...halt,
    first: before.first,
    startMs: before.startMs,
    x: longer.x,
    y: longer.y,
  };
}

function haltOf(track: Track, first: number, last: number, x: number, y: number): Halt {
  return {
    startMs: f64(track.timeMs, first),
    endMs: f64(track.timeMs, last),
    x,
    y,
    first,
    last,
  };
}

function middleOf(
  track: Track,
  first: number,
  last: number,
): { x: number; y: number; variance: number } {
  let sumX = 0;
  let sumY = 0;
  let squares = 0;
  const count = last - first + 1;
  const originX = f64(track.x, first);
  const originY = f64(track.y, first);
  for (let n = first; n <= last; n += 1) {
    const dx = f64(track.x, n) - originX;
    const dy = f64(track.y, n) - originY;
    sumX += dx;
    sumY += dy;
    squares += dx * dx + dy * dy;
  }
  const meanX = sumX / count;
  const meanY = sumY / count;
  return {
    x: originX + meanX,
    y: originY + meanY,
    variance: Math.max(0, squares / count - meanX * meanX - meanY * meanY),
  };
}
