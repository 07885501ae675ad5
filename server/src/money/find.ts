import type { DayRange } from '@ridewatch/contract/day';
import type { Calculation } from '@ridewatch/contract/day-calculation';
import { mostOf } from '@ridewatch/contract/extremes';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { assignEvents } from '../counts/assign.ts';
import { hasMoreEvents, listCountedFragments, listEvents } from '../counts/day-events.ts';
import { type CountedFragment, differencesOf } from '../counts/effective.ts';
import type { DoorEvent } from '../counts/events.ts';
import { findDayBounds } from '../days/bus-days.ts';
import type { DayOfBus } from '../days/day-records.ts';
import { calculationOf, findDayRecord, findDayTakings, peopleAt } from './day-money.ts';

/** Most passenger events that one call reads; a busy day has some thousands. */
const MOST_EVENTS = 100_000;

/** The events of a period, and those of each fragment that touches it. */
export interface CountedPeriod {
  readonly events: readonly DoorEvent[];
  readonly fragments: readonly CountedFragment[];
  /** By the fragment's id. */
  readonly assigned: ReadonlyMap<number, readonly DoorEvent[]>;
}

/**
 * Reads the events of a bus in a period, and the fragments that they belong to.
 * @throws AppError too_large, which names the field `date`
 */
export async function readPeriod(
  db: Db,
  busId: number,
  { startMs, endMs }: DayRange,
): Promise<CountedPeriod> {
  const fragments = await listCountedFragments(db, { busId }, startMs, endMs);
  // A fragment that runs past the end also has the events after it.
  const untilMs = Math.max(
    endMs,
    mostOf(fragments, (fragment) => fragment.endMs),
  );
  if (await hasMoreEvents(db, busId, startMs, untilMs, MOST_EVENTS)) {
    const message = `has more than ${MOST_EVENTS} passenger events`;
    throw new AppError('too_large', message, { field: 'date' });
  }
  const events = await listEvents(db, busId, startMs, untilMs);
  return { events, fragments, assigned: assignEvents(fragments, events) };
}

/**
 * The calculation of a bus's local day.
 * @throws AppError too_large for a day with more events than one call reads
 */
export async function findCalculation(db: Db, question: DayOfBus): Promise<Calculation> {
  const bounds = await findDayBounds(db, question.busId, question.day);
  const record = await findDayRecord(db, question);
  const takings = await findDayTakings(db, question);
  const { events, fragments, assigned } = await readPeriod(db, question.busId, bounds);
  const people = peopleAt(record.event, events, differencesOf(fragments, assigned));
  return calculationOf(record, takings, people, bounds);
}
