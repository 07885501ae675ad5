// A day is read, computed and stored, never in one transaction: nobody waits for a computation.

import type { DayLimit } from '@ridewatch/contract/laps';
import type { Db, Tx } from '../../core/db/db.ts';
import type { DayOfBus } from '../../days/bus-days.ts';
import { bumpDays } from '../../days/bus-days.ts';
import { settleDays } from '../../figures/settle.ts';
import type { ComputedDay } from './computed-day.ts';
import { DayLimitError } from './day-limit.ts';
import type { ComputeDay } from './packed-day.ts';
import { readDay } from './read-day.ts';
import { type DayDifference, findChange, storeChange } from './store-day.ts';
import { markFailed, markStored } from './takes.ts';

/**
 * Computes a bus's local day from the stored data; stores nothing.
 * @param computeDay where the computation runs
 * @returns undefined when there is nothing to compute
 * @throws DayLimitError when the day breaks a limit
 */
export async function computeBusDay(
  db: Db,
  computeDay: ComputeDay,
  question: DayOfBus,
  nowMs: number,
): Promise<ComputedDay | undefined> {
  const inputs = await readDay(db, question);
  if (inputs === undefined) return undefined;
  return { ...(await computeDay({ ...inputs.day, nowMs })), routeId: inputs.routeId };
}

/** The result of a take. */
export type Outcome =
  | { readonly computed: ComputedDay | undefined }
  | { readonly failure: DayLimit };

/** Computes a day, and catches broken limits. @throws any other error */
export async function tryDay(...asked: Parameters<typeof computeBusDay>): Promise<Outcome> {
  try {
    return { computed: await computeBusDay(...asked) };
  } catch (error) {
    if (error instanceof DayLimitError) return { failure: error.limit };
    throw error;
  }
}

/**
 * Stores the result of a take in the caller's transaction and settles the day.
 * @returns how the day changed; undefined when it did not, or a later take has stored its result
 */
export async function storeOutcome(
  tx: Tx,
  question: DayOfBus,
  taken: number,
  outcome: Outcome,
  nowMs: number,
): Promise<DayDifference | undefined> {
  const { busId, day } = question;
  if ('failure' in outcome) {
    await markFailed(tx, question, taken, outcome.failure, nowMs);
    await bumpDays(tx, busId, [day]);
    await settleDays(tx, busId, [day], nowMs);
    return undefined;
  }
  const { computed } = outcome;
  if (!(await markStored(tx, question, taken, nowMs))) return undefined;
  const change = computed && (await findChange(tx, question, computed));
  if (change?.isAny) {
    await storeChange(tx, question, change);
    await bumpDays(tx, busId, [day]);
  }
  await settleDays(tx, busId, [day], nowMs);
  return change?.isAny ? change : undefined;
}
