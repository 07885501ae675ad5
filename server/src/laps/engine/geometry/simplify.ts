import { f64 } from '@ridewatch/contract/columns';
import { type Place, planeAt } from './plane.ts';

/** From this depth on a span is split in its middle: on a spiral the farthest point would take quadratic time. */
export const MOST_DEPTH = 100;

/**
 * Leaves out points of a line (Douglas and Peucker, 1973). The ends stay.
 * @param toleranceM greatest distance of a point from the result, metres
 */
export function simplifyLine<T extends Place>(line: readonly T[], toleranceM: number): T[] {
  const first = line[0];
  if (first === undefined || line.length < 3) return [...line];
  const plane = planeAt(first);
  const x = Float64Array.from(line, ({ longitude }) => plane.xOf(longitude));
  const y = Float64Array.from(line, ({ latitude }) => plane.yOf(latitude));
  const keeps = new Uint8Array(line.length);
  keeps[0] = 1;
  keeps[line.length - 1] = 1;
  // An explicit stack: a track of a day would overflow the call stack.
  const open: (readonly [number, number, number])[] = [[0, line.length - 1, 0]];
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    const [from, to, depth] = span;
    const { at, distanceM } = farthest(x, y, from, to);
    if (distanceM <= toleranceM) continue;
    const middle = depth < MOST_DEPTH ? at : (from + to) >>> 1;
    keeps[middle] = 1;
    open.push([from, middle, depth + 1], [middle, to, depth + 1]);
  }
  return line.filter((_, index) => keeps[index] === 1);
}

function farthest(x: Float64Array, y: Float64Array, from: number, to: number) {
  const [ax, ay] = [f64(x, from), f64(y, from)];
  const [dx, dy] = [f64(x, to) - ax, f64(y, to) - ay];
  const square = dx * dx + dy * dy;
  let best = 0;
  let at: number = from;
  for (let n = from + 1; n < to; n += 1) {
    const [px, py] = [f64(x, n) - ax, f64(y, n) - ay];
    const share = square === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / square));
    const distance = (px - share * dx) ** 2 + (py - share * dy) ** 2;
    if (distance > best) [best, at] = [distance, n];
  }
  return { at, distanceM: Math.sqrt(best) };
}
