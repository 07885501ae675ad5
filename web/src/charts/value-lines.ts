import { nice, ticks } from 'd3-array';

/** The least value at the top of a scale: one person is not a peak, and steps are whole. */
const LEAST_TOP = 4;

/**
 * The values of the lines of a scale from 0, in round whole steps; the last one is at or above the greatest value.
 * @param greatest the greatest value that is shown
 * @param about roughly the number of steps
 */
export function valueLines(greatest: number, about: number): readonly number[] {
  const [, top] = nice(0, Math.max(greatest, LEAST_TOP), about);
  return ticks(0, top, about);
}

/** The value at the top of a scale; see `valueLines`. */
export function topOfLines(greatest: number, about: number): number {
  return valueLines(greatest, about).at(-1) ?? LEAST_TOP;
}
