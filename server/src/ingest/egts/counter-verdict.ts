// Tells counters that only grow from those that say who came since the last time: EGTS does not say which. A number that
// only grows falls when its byte is full, and when its counter begins anew. Numbers that have nothing to do with one another
// fall as often as they rise, however many people ride.
import { changeOf } from '../store/counter-readings.ts';

/** How often the numbers of counters rose and fell; equal ones in a row are no change. */
export interface CounterChanges {
  readonly rises: number;
  readonly falls: number;
}

/** Least changes of a unit's counters that say anything. */
const LEAST_CHANGES = 40;
/** Numbers that only grow fall at most once in so many changes: a counter that begins anew at each end of a line. */
const GROWS = 8;
/** And one of them gets this far, as hardly anybody who comes through one door at one stop. */
const GROWN = 32;
/** Numbers of who came fall at least once in so many changes; half of them are expected to. */
const VARIES = 3;

/** How a unit counts. */
export type Counts = 'delta' | 'cumulative';

/**
 * Tells which setting the numbers of a unit's counters look like.
 * @param counts the unit's setting
 * @param most the greatest number; used for `delta` only
 * @returns the setting that they look like; undefined: nobody knows, and what was found before stays
 */
export function verdictOf(
  counts: Counts,
  { rises, falls }: CounterChanges,
  most: number,
): Counts | undefined {
  const changes = rises + falls;
  if (changes < LEAST_CHANGES) return undefined;
  if (falls * VARIES >= changes) return 'delta';
  // Small numbers agree with a setting, and are no reason to doubt one.
  const isGrown = counts === 'cumulative' || most >= GROWN;
  return falls * GROWS <= changes && isGrown ? 'cumulative' : undefined;
}

/** Counts the changes of numbers of one counter, in the order of their times. */
export function changesOf(numbers: readonly number[]): CounterChanges {
  let [rises, falls] = [0, 0];
  for (const [n, value] of numbers.entries()) {
    const change = n === 0 ? 'none' : changeOf(numbers[n - 1] ?? 0, value);
    if (change === 'rise') rises += 1;
    else if (change === 'fall') falls += 1;
  }
  return { rises, falls };
}

/** Adds changes of several counters. */
export function sumOf(some: readonly CounterChanges[]): CounterChanges {
  return some.reduce(
    (sum, { rises, falls }) => ({ rises: sum.rises + rises, falls: sum.falls + falls }),
    { rises: 0, falls: 0 },
  );
}
