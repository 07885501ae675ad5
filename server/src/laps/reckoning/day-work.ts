// The work on a day as its row tells it. A take numbers a reading of the day's inputs; whatever changes them afterwards
// asks for the day once more. A result is stored unless that of a later take is there, so that workers that reckon one
// day at the same time, or a crash between reading and storing, never leave an older result behind.
import type { DayLimit } from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import type { Db, Tx } from '../../core/db/db.ts';
import type { LapsOfDay } from '../../days/due-laps.ts';
import { nudgeDay, presentDayAt } from '../../days/nudge.ts';

/**
 * Takes a day in hand: it is asked for no more, until something changes it.
 * @param isForced also a day that nobody asked for
 * @returns the number of the take; undefined when there is nothing to do
 */
export async function takeDay(
  db: Db,
  { busId, day }: LapsOfDay,
  nowMs: number,
  isForced = false,
): Promise<number | undefined> {
  const now = new Date(nowMs);
  if (isForced) {
    await sql`insert into lap_days (workplace_id, day) values (${busId}, ${day})
      on conflict do nothing`.execute(db);
  }
  // A take that was not stored was cut off: a crash, or the database gone.
  const { rows } = await sql<{ taken: number }>`
    update lap_days set taken = taken + 1, taken_at = ${now}, due_at = null
    where workplace_id = ${busId} and day = ${day}
      and (${isForced} or due_at is not null or taken > stored)
    returning taken`.execute(db);
  return rows[0]?.taken;
}

/**
 * Lets go of a take whose result nobody wants. A day that somebody else had asked for is still to be worked out; the
 * sweep finds it.
 */
export async function leaveDay(db: Db, { busId, day }: LapsOfDay, taken: number): Promise<void> {
  await sql`
    update lap_days set stored = taken
    where workplace_id = ${busId} and day = ${day} and taken = ${taken}
      and asked_at is null`.execute(db);
}

/**
 * Marks the result of a take as the stored one and locks the day's row, so that those who store take turns.
 * @returns whether the result may be stored: false when that of a later take is there
 */
export async function markStored(
  tx: Tx,
  { busId, day }: LapsOfDay,
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

/** After the first failure batches have a day tried again no sooner than this, then twice as long, ms. */
const RETRY_MS = 5 * 60_000;
/** And at the latest after this. */
const LONGEST_RETRY_MS = 24 * 3_600_000;

/**
 * Marks a day as one that broke a limit. What is stored of it stays. It is tried again when its inputs change: at once
 * after an edit, and ever more seldom for what a unit adds to it.
 */
export async function markFailed(
  tx: Tx,
  { busId, day }: LapsOfDay,
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

/**
 * Leaves a take to the workers of slow days, which begin it anew: it took longer than the others may wait for it.
 */
export async function passToSlow(db: Db, { busId, day }: LapsOfDay, nowMs: number): Promise<void> {
  await sql`
    with slow as (
      update lap_days set is_slow = true, due_at = ${new Date(nowMs)}
      where workplace_id = ${busId} and day = ${day}
      returning workplace_id, day, is_slow
    )
    select ${nudgeDay(presentDayAt(nowMs), 'changed')} from slow`.execute(db);
}

/** Gives a day back to the workers of those that are quick. */
export async function passToQuick(tx: Tx, { busId, day }: LapsOfDay): Promise<void> {
  await tx
    .updateTable('lap_days')
    .set({ is_slow: false })
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .where('is_slow', '=', true)
    .execute();
}

/** A day that changes because time goes by is looked at no more often than this, ms. */
const LEAST_WAIT_MS = 15_000;

/**
 * Has a day looked at once more when time alone changes it: unless a bus is heard of again, its last lap ends without a
 * further word. A day that is due sooner is left as it is.
 * @param settlesAtMs ms since 1970 UTC
 */
export async function settleLater(
  tx: Tx,
  { busId, day }: LapsOfDay,
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
