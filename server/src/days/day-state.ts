import type { DayLimit } from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

export interface DayState {
  /** The laps are older than the day's data: changes wait to be computed, or are being computed. */
  readonly pending: boolean;
  /** Why the last computation failed. */
  readonly failure: DayLimit | null;
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
      asked_at is not null and (retry_at is null or retry_at <= ${new Date(nowMs)}) as pending
    from lap_days where workplace_id = ${busId} and day = ${day}::date`.execute(db);
  return rows[0] ?? { pending: false, failure: null };
}
