import type { DayLimit } from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';

/** A bus on the road is worked out all the time; its day is behind only when nothing came of it for so long. */
const BEHIND = '2 minutes';

export interface DayState {
  /** The laps are behind the day's data: changes came well after they were last worked out. */
  readonly pending: boolean;
  /** Why they could not be worked out the last time. */
  readonly failure: DayLimit | null;
}

/** How the work on a day stands. */
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
