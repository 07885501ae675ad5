// A day is read, computed and stored, never in one transaction: nobody waits for a computation.
import type { DayLimit } from '@ridewatch/contract/laps';
import type { Db, Tx } from '../../core/db/db.ts';
import { bumpDays } from '../../days/bus-days.ts';
import type { LapsOfDay } from '../../days/due-laps.ts';
import type { DayLaps } from '../engine/day-laps.ts';
import { DayLimitError } from './day-limit.ts';
import type { WorkOut } from './packed-day.ts';
import { readDay } from './read-day.ts';
import { type DayDifference, findChange, storeChange } from './store-day.ts';
import { markFailed, markStored } from './takes.ts';

/** A day's laps and halts, and the bus's route on it. */
export type WorkedDay = DayLaps & { readonly routeId: number | null };

/**
 * Computes a bus's local day from the stored data; stores nothing.
 * @param workOut where the computation runs
 * @returns undefined when there is nothing to compute
 * @throws DayLimitError when the day breaks a limit
 */
export async function workOutDay(
  db: Db,
  workOut: WorkOut,
  question: LapsOfDay,
  nowMs: number,
): Promise<WorkedDay | undefined> {
  const inputs = await readDay(db, question);
  if (inputs === undefined) return undefined;
  return { ...(await workOut({ ...inputs.day, nowMs })), routeId: inputs.routeId };
}

/** The result of a take. */
export type Outcome = { readonly worked: WorkedDay | undefined } | { readonly failure: DayLimit };

/** Computes a day, and catches broken limits. @throws any other error */
export async function tryDay(...asked: Parameters<typeof workOutDay>): Promise<Outcome> {
  try {
    return { worked: await workOutDay(...asked) };
  } catch (error) {
    if (error instanceof DayLimitError) return { failure: error.limit };
    throw error;
  }
}

/**
 * Stores the result of a take in the caller's transaction.
 * @returns how the day changed; undefined when it did not, or a later take has stored its result
 */
export async function storeOutcome(
  tx: Tx,
  question: LapsOfDay,
  taken: number,
  outcome: Outcome,
  nowMs: number,
): Promise<DayDifference | undefined> {
  if ('failure' in outcome) {
    await markFailed(tx, question, taken, outcome.failure, nowMs);
    await bumpDays(tx, question.busId, [question.day]);
    return undefined;
  }
  const { worked } = outcome;
  if (!(await markStored(tx, question, taken, nowMs)) || worked === undefined) return undefined;
  const change = await findChange(tx, question, worked);
  if (!change.isAny) return undefined;
  await storeChange(tx, question, change);
  await bumpDays(tx, question.busId, [question.day]);
  return change;
}
