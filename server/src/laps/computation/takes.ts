// The row of a day's computation. A take is a numbered read of the day's inputs; a later change requests the day again.
// A result is stored unless that of a later take is there, so that concurrent workers, or a crash between reading and
// storing, never leave an older result.
import type { DayLimit } from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import type { Db, Tx } from '../../core/db/db.ts';
import type { DayOfBus } from '../../days/bus-days.ts';
import { nudgeDay, presentDayAt } from '../../days/nudge.ts';

/**
 * Takes a day: it is no longer requested until something changes.
 * @param isForced also takes a day that was not requested
 * @returns the number of the take; undefined when there is nothing to do
 */
export async function takeDay(
  db: Db,
  { busId, day }: DayOfBus,
  nowMs: number,
  isForced = false,
): Promise<number | undefined> {
  const now = new Date(nowMs);
  if (isForced) {
    await sql`insert into lap_days (workplace_id, day) values (${busId}, ${day})
      on conflict do nothing`.execute(db);
  }
  // A take without a result was interrupted by a crash or the loss of the database.
  const { rows } = await sql<{ taken: number }>`
    update lap_days set taken = taken + 1, taken_at = ${now}, due_at = null
    where workplace_id = ${busId} and day = ${day}
      and (${isForced} or due_at is not null or taken > stored)
    returning taken`.execute(db);
  return rows[0]?.taken;
}

/** Releases an unwanted take. A day that was requested before still has to be computed; the sweep finds it. */
export async function leaveDay(db: Db, { busId, day }: DayOfBus, taken: number): Promise<void> {
  await sql`
    update lap_days set stored = taken
    where workplace_id = ${busId} and day = ${day} and taken = ${taken}
      and asked_at is null`.execute(db);
}

/**
 * Marks the result of a take as the stored one and locks the day's row, so that those who store take turns.
 * @returns false when the result of a later take is stored
 */
export async function markStored(
  tx: Tx,
  { busId, day }: DayOfBus,
  taken: number,
  nowMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    update lap_days set stored = ${taken}, computed_at = ${new Date(nowMs)},
      asked_at = case when due_at is null then null else asked_at end,
      failure = null, failures = 0, retry_at = null
    where workplace_id = ${busId} and day = ${day} and stored < ${taken}
    returning workplace_id`.execute(tx);
  return rows.length > 0;
}

/** First pause before batches have a failed day tried again, ms; then it doubles. */
const RETRY_MS = 5 * 60_000;
/** The longest pause, ms. */
const LONGEST_RETRY_MS = 24 * 3_600_000;

/**
 * Marks a day that broke a limit. Its stored laps stay. It is tried again when its inputs change: at once after an
 * edit, and ever more rarely for a unit's data.
 */
export async function markFailed(
  tx: Tx,
  { busId, day }: DayOfBus,
  taken: number,
  failure: DayLimit,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  await sql`
    update lap_days set stored = ${taken}, failure = ${failure}, failures = failures + 1,
      asked_at = case when due_at is null then null else asked_at end,
      retry_at = ${now}::timestamptz + interval '1 ms' *
        least(${RETRY_MS}::float8 * power(2, least(failures, 30)), ${LONGEST_RETRY_MS}::float8)
    where workplace_id = ${busId} and day = ${day} and stored < ${taken}`.execute(tx);
}

/** Passes a take to the workers of slow days, which start it again: it exceeded the limit of quick days. */
export async function passToSlow(db: Db, { busId, day }: DayOfBus, nowMs: number): Promise<void> {
  await sql`
    with slow as (
      update lap_days set is_slow = true, due_at = ${new Date(nowMs)}
      where workplace_id = ${busId} and day = ${day}
      returning workplace_id, day, is_slow
    )
    select ${nudgeDay(presentDayAt(nowMs), 'changed')} from slow`.execute(db);
}

/** Returns a day to the workers of quick days. */
export async function passToQuick(tx: Tx, { busId, day }: DayOfBus): Promise<void> {
  await tx
    .updateTable('lap_days')
    .set({ is_slow: false })
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .where('is_slow', '=', true)
    .execute();
}

/** Shortest time between computations of a day that changes only with time, ms. */
const LEAST_WAIT_MS = 15_000;

/**
 * Requests the day again when time alone changes it: the last lap of a silent bus ends without further data. A day that
 * is due sooner stays so.
 * @param settlesAtMs ms since 1970 UTC
 */
export async function settleLater(
  tx: Tx,
  { busId, day }: DayOfBus,
  settlesAtMs: number,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  const due = new Date(Math.max(settlesAtMs, nowMs + LEAST_WAIT_MS));
  await sql`
    with settling as (
      update lap_days set due_at = ${due}
      where workplace_id = ${busId} and day = ${day} and (due_at is null or due_at > ${due})
      returning workplace_id, day, due_at, is_slow
    )
    select ${nudgeDay(presentDayAt(nowMs), 'changed', sql`(due_at - ${now}::timestamptz)`)}
    from settling`.execute(tx);
}
