import type { DayLimit } from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';

/** A bus on the road is computed all the time. Its day is behind only when it had no result for this long. */
const BEHIND = '2 minutes';

export interface DayState {
  /** The laps are older than the day's data: changes came well after the last computation. */
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
    select failure, asked_at is not null and (retry_at is null or retry_at <= ${new Date(nowMs)})
        and coalesce(computed_at, '-infinity') < asked_at - ${BEHIND}::interval as pending
    from lap_days where workplace_id = ${busId} and day = ${day}::date`.execute(db);
  return rows[0] ?? { pending: false, failure: null };
}
