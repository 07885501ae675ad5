// Lines on a plane that are joined, measured and cut.
import { firstAtLeast } from '../track/ascending.ts';

export interface Line {
  readonly x: number[];
  readonly y: number[];
  /** After so many metres the line begins again; null for one that does not. */
  readonly ringM: number | null;
}

/** Both lines, one after the other. */
export const joined = (a: Line, b: Line): Line => ({
  x: [...a.x, ...b.x],
  y: [...a.y, ...b.y],
  ringM: null,
});

/** From the end of a line to its start, metres. */
export const gapOf = ({ x, y }: Line): number =>
  Math.hypot((x.at(-1) ?? 0) - (x[0] ?? 0), (y.at(-1) ?? 0) - (y[0] ?? 0));

/** The piece of a line between two distances along it, metres, with both ends as vertices. */
export function cutLine(line: Line, from: number, to: number): Line {
  const at = distancesOf(line);
  const cut: Line = { x: [], y: [], ringM: null };
  addPoint(cut, line, at, from);
  for (const [n, metres] of at.entries()) {
    if (metres > from && metres < to) {
      cut.x.push(line.x[n] as number);
      cut.y.push(line.y[n] as number);
    }
  }
  addPoint(cut, line, at, to);
  return cut;
}

/**
 * Adds the point of a line so many metres along it to another one.
 * @param at metres from the start of the line to each of its vertices
 */
export function addPoint(cut: Line, line: Line, at: Float64Array, metres: number): void {
  const n = Math.max(0, Math.min(firstAtLeast(at, metres) - 1, at.length - 2));
  const length = (at[n + 1] as number) - (at[n] as number);
  const part = length > 0 ? Math.min(1, Math.max(0, (metres - (at[n] as number)) / length)) : 0;
  cut.x.push((line.x[n] as number) + part * ((line.x[n + 1] as number) - (line.x[n] as number)));
  cut.y.push((line.y[n] as number) + part * ((line.y[n + 1] as number) - (line.y[n] as number)));
}

/** Metres from the start of a line to each of its vertices. */
export function distancesOf({ x, y }: Line): Float64Array {
  const at = new Float64Array(x.length);
  for (let n = 1; n < x.length; n += 1) {
    at[n] =
      (at[n - 1] as number) +
      Math.hypot((x[n] as number) - (x[n - 1] as number), (y[n] as number) - (y[n - 1] as number));
  }
  return at;
}

/** Metres. */
export const lengthOf = (line: Line): number => distancesOf(line).at(-1) ?? 0;
