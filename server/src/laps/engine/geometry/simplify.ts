import { f64 } from '@ridewatch/contract/columns';
import { type Place, planeAt } from './plane.ts';

/** A span that was cut so often is cut in its middle: a line that winds inwards would be walked for each point. */
const MOST_DEPTH = 100;

/**
 * A line with fewer points, nowhere farther from the given one than asked (Douglas and Peucker, 1973). Ends stay.
 * @param toleranceM metres
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
  // A stack of our own: a track of a whole day would be too deep for calls.
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
    const part = square === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / square));
    const distance = (px - part * dx) ** 2 + (py - part * dy) ** 2;
    if (distance > best) [best, at] = [distance, n];
  }
  return { at, distanceM: Math.sqrt(best) };
}
