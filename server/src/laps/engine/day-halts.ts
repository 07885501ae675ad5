// The halts of a day: those of its laps, and those in it that belong to no lap.

import type { Lap, PlacedHalt } from './engine.ts';
import type { StopsOfLap } from './lap-stops.ts';
import { type Attribution, type Boarding, SLACK_MS } from './people/attribute.ts';
import { firstAtLeast } from './track/ascending.ts';

export interface HaltOut extends PlacedHalt {
  /** Number of the lap in its day; null between laps. */
  readonly lap: number | null;
  /** Position of the lap's stop that it is; null for none. */
  readonly position: number | null;
  readonly entered: number;
  readonly exited: number;
}

/** A lap of the day: its number, and where its visits and halts stand among its stops. */
export type NumberedLap = Pick<StopsOfLap, 'positionOfHalt' | 'positionOfVisit'> & {
  readonly number: number;
};

/**
 * Chooses the halts of a day and counts who got on and off at them.
 * @param given where each event belongs
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

// Where two laps meet the stay belongs to the one that ends; before the first one to that.
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
