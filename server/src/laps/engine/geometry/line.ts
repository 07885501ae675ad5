// Joins, measures and cuts lines on a plane.
import { f64, num } from '@ridewatch/contract/columns';
import { firstAtLeast } from '../track/ascending.ts';

export interface Line {
  readonly x: number[];
  readonly y: number[];
  /** Length of a round after which the line repeats, metres; null if it does not. */
  readonly ringM: number | null;
}

/** Both lines, one after the other. */
export const joined = (a: Line, b: Line): Line => ({
  x: [...a.x, ...b.x],
  y: [...a.y, ...b.y],
  ringM: null,
});

/** Distance from the end of a line to its start, metres. */
export const gapOf = ({ x, y }: Line): number =>
  Math.hypot((x.at(-1) ?? 0) - (x[0] ?? 0), (y.at(-1) ?? 0) - (y[0] ?? 0));

/** The part of a line between two distances along it, metres, with both ends as vertices. */
export function cutLine(line: Line, from: number, to: number): Line {
  const at = distancesOf(line);
  const cut: Line = { x: [], y: [], ringM: null };
  addPoint(cut, line, at, from);
  for (const [n, metres] of at.entries()) {
    if (metres > from && metres < to) {
      cut.x.push(num(line.x, n));
      cut.y.push(num(line.y, n));
    }
  }
  addPoint(cut, line, at, to);
  return cut;
}

/**
 * Appends to `cut` the point of a line at a distance along it, metres.
 * @param at metres from the start of the line to each of its vertices
 */
export function addPoint(cut: Line, line: Line, at: Float64Array, metres: number): void {
  const n = Math.max(0, Math.min(firstAtLeast(at, metres) - 1, at.length - 2));
  const length = f64(at, n + 1) - f64(at, n);
  const share = length > 0 ? Math.min(1, Math.max(0, (metres - f64(at, n)) / length)) : 0;
  cut.x.push(num(line.x, n) + share * (num(line.x, n + 1) - num(line.x, n)));
  cut.y.push(num(line.y, n) + share * (num(line.y, n + 1) - num(line.y, n)));
}

/** Metres from the start of a line to each of its vertices. */
export function distancesOf({ x, y }: Line): Float64Array {
  const at = new Float64Array(x.length);
  for (let n = 1; n < x.length; n += 1) {
    at[n] = f64(at, n - 1) + Math.hypot(num(x, n) - num(x, n - 1), num(y, n) - num(y, n - 1));
  }
  return at;
}

/** Length of a line, metres. */
export const lengthOf = (line: Line): number => distancesOf(line).at(-1) ?? 0;
