// The halts of a day: those of its laps, and the day's halts outside laps.

import type { Lap, PlacedHalt } from './engine.ts';
import type { StopsOfLap } from './lap-stops.ts';
import { type Attribution, type Boarding, SLACK_MS } from './people/attribute.ts';
import { firstAtLeast } from './track/ascending.ts';

export interface HaltOut extends PlacedHalt {
  /** Number of the lap in its day; null between laps. */
  readonly lap: number | null;
  /** Position among the lap's stops if the halt is one of them; else null. */
  readonly position: number | null;
  readonly entered: number;
  readonly exited: number;
}

/** A lap of the day: its number, and the positions of its visits and halts among its stops. */
export type NumberedLap = Pick<StopsOfLap, 'positionOfHalt' | 'positionOfVisit'> & {
  readonly number: number;
};

/**
 * Selects the halts of a day and counts the passengers at each.
 * @param given attribution of each event, by index
 * @param numbered the laps of the day by their index in `laps`
 */
export function haltsOfDay(
  { laps, halts }: { readonly laps: readonly Lap[]; readonly halts: readonly PlacedHalt[] },
  events: readonly Boarding[],
  given: readonly Attribution[],
  numbered: ReadonlyMap<number, NumberedLap>,
  isInDay: (ms: number) => boolean,
): HaltOut[] {
  const ends = Float64Array.from(halts, ({ endMs }) => endMs);
  const people = halts.map(() => ({ entered: 0, exited: 0 }));
  for (const [n, { timeMs, direction, count }] of events.entries()) {
    const halt = given[n]?.halt ?? haltAt(halts, ends, timeMs);
    const counts = halt === null ? undefined : people[halt];
    if (counts !== undefined) counts[direction] += count;
  }
  return halts.flatMap((halt, index) => {
    const lap = lapOf(laps, halt.startMs);
    const own = lap === null ? undefined : numbered.get(lap);
    if (lap === null ? !isInDay(halt.startMs) : own === undefined) return [];
    const visit = laps[lap ?? -1]?.visits.findIndex((one) => isVisit(one, halt)) ?? -1;
    const position = own?.positionOfHalt.get(index) ?? own?.positionOfVisit[visit] ?? null;
    const { entered, exited } = people[index] ?? { entered: 0, exited: 0 };
    return [{ ...halt, lap: own?.number ?? null, position, entered, exited }];
  });
}

function isVisit({ evidence, arrivalMs, departureMs }: Lap['visits'][number], halt: PlacedHalt) {
  return (
    evidence === 'halt' &&
    arrivalMs !== null &&
    departureMs !== null &&
    arrivalMs <= halt.endMs &&
    departureMs >= halt.startMs
  );
}

// A halt between two laps belongs to the earlier one; a halt before the first lap belongs to that lap.
function lapOf(laps: readonly Lap[], timeMs: number): number | null {
  const during = laps.findIndex((lap) => timeMs >= lap.startMs && timeMs < lap.endMs);
  if (during >= 0) return during;
  const before = laps.findIndex(
    ({ arrivedBeforeMs, startMs }) =>
      arrivedBeforeMs !== null && timeMs >= arrivedBeforeMs && timeMs < startMs,
  );
  return before >= 0 ? before : null;
}

function haltAt(halts: readonly PlacedHalt[], ends: Float64Array, timeMs: number): number | null {
  const first = firstAtLeast(ends, timeMs - SLACK_MS);
  return (halts[first]?.startMs ?? Number.POSITIVE_INFINITY) <= timeMs + SLACK_MS ? first : null;
}
