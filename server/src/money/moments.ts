// People by moment, for the parts of a day that are no hours: its laps, and the fragments that somebody counted by hand.
import type { DayRange } from '@ridewatch/contract/day';
import type { CalculationEvent } from '@ridewatch/contract/day-calculation';
import { mostOf } from '@ridewatch/contract/extremes';
import type { Db } from '../core/db/db.ts';
import { assignEvents } from '../counts/assign.ts';
import { listCountedFragments, listEventsUpTo } from '../counts/day-events.ts';
import { type CountedFragment, type Difference, differencesOf } from '../counts/effective.ts';
import { type DoorEvent, peopleIn } from '../counts/events.ts';
import type { PeopleSum } from '../figures/hours.ts';
import { sideOf } from './day-money.ts';

/** The fragments of a period with their events, and the people of a calculation by moment. */
interface CountedPeriod {
  readonly fragments: readonly CountedFragment[];
  /** By the fragment's id. */
  readonly assigned: ReadonlyMap<number, readonly DoorEvent[]>;
  readonly people: readonly PeopleAt[];
}

/**
 * Reads the people of a bus in a period, and the fragments that they belong to.
 * @param event whom the calculation counts
 * @throws AppError too_large, which names the field `date`
 */
export async function readPeriod(
  db: Db,
  busId: number,
  event: CalculationEvent,
  { startMs, endMs }: DayRange,
): Promise<CountedPeriod> {
  const fragments = await listCountedFragments(db, { busId }, startMs, endMs);
  // A fragment that runs past the end also has the events after it.
  const untilMs = Math.max(
    endMs,
    mostOf(fragments, (fragment) => fragment.endMs),
  );
  const events = await listEventsUpTo(db, busId, startMs, untilMs, 'date');
  const assigned = assignEvents(fragments, events);
  return {
    fragments,
    assigned,
    people: peopleAt(event, events, differencesOf(fragments, assigned)),
  };
}

/** People in one direction at a moment. */
export interface PeopleAt extends Omit<PeopleSum, 'count'> {
  /** ms since 1970 UTC */
  readonly timeMs: number;
}

/** The people whom a calculation counts, by moment: those of events, and the differences of manual counts. */
export function peopleAt(
  event: CalculationEvent,
  events: readonly DoorEvent[],
  differences: readonly Difference[],
): PeopleAt[] {
  const side = sideOf(event);
  return [
    ...events
      .filter(({ direction }) => direction === side)
      .map(({ timeMs, count }) => ({ timeMs, automatic: count, corrections: 0 })),
    ...differences.map(({ timeMs, [side]: changed }) => ({
      timeMs,
      automatic: 0,
      corrections: peopleIn(changed),
    })),
  ];
}

/** Sums people. */
export function sumOf(people: readonly Omit<PeopleSum, 'count'>[]): PeopleSum {
  let [automatic, corrections] = [0, 0];
  for (const one of people) {
    automatic += one.automatic;
    corrections += one.corrections;
  }
  return { automatic, corrections, count: automatic + corrections };
}

/** Whether a moment (ms since 1970 UTC) lies in a half-open range. */
export function isIn({ startMs, endMs }: DayRange, timeMs: number): boolean {
  return timeMs >= startMs && timeMs < endMs;
}
