import { sql } from 'kysely';
import type { Db } from '../db.ts';
import { keyOfDay } from './queries.ts';

/** A bus on the road is worked out all the time; its day is behind only when nothing came of it for so long. */
const BEHIND = '2 minutes';

/** Whether the laps of a day are behind its data: work on it waits that was asked for well after it was last done. */
export async function isWaiting(db: Db, workplaceId: number, day: string): Promise<boolean> {
  const { rows } = await sql<{ waits: boolean }>`
    select exists (
      select from graphile_worker.jobs
      where key = ${keyOfDay(workplaceId, day)} and attempts < max_attempts
        and coalesce((select computed_at from lap_days
          where workplace_id = ${workplaceId} and day = ${day}::date), '-infinity')
          < created_at - ${BEHIND}::interval
    ) as waits`.execute(db);
  return rows[0]?.waits ?? false;
}
