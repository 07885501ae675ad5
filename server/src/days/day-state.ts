import type { DayLimit } from '@ridewatch/contract/laps';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

export interface DayState {
  /** The laps are older than the day's data: changes wait to be computed, or are being computed. */
  readonly pending: boolean;
  /** Why the last computation failed. */
  readonly failure: DayLimit | null;
}

/** Whether the stored laps of a day lack an edit by a person. */
export async function isEditPendingOn(db: Db, busId: number, day: string): Promise<boolean> {
  const { rows } = await sql<{ pending: boolean }>`
    select edited_take > stored as pending from lap_days
    where workplace_id = ${busId} and day = ${day}::date`.execute(db);
  return rows[0]?.pending ?? false;
}

/** Whether a row of `lap_days` waits to be computed, or is being computed. @param nowMs ms since 1970 UTC */
export function isPending(nowMs: number): RawBuilder<boolean> {
  return sql<boolean>`(asked_at is not null and (retry_at is null or retry_at <= ${new Date(nowMs)}))`;
}

/** The state of a day's computation. */
export async function findDayState(
  db: Db,
  busId: number,
  day: string,
  nowMs: number,
): Promise<DayState> {
  const { rows } = await sql<DayState>`
    select failure,
      ${isPending(nowMs)} as pending
    from lap_days where workplace_id = ${busId} and day = ${day}::date`.execute(db);
  return rows[0] ?? { pending: false, failure: null };
}
