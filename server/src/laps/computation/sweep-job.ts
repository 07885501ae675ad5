// Every minute: days and recalculations whose job was lost, as by a restored backup, or failed for good get a new one.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { EVERY_MINUTE, type JobDefinition } from '../../core/jobs/jobs.ts';
import { nudgeDay, presentDayAt } from '../../days/nudge.ts';
import type { Deps } from '../../deps.ts';
import { addRecalculationJob } from '../recalculation/recalculations.ts';

/** A day that is overdue for this long has lost its job, ms. */
const OVERDUE_MS = 5 * 60_000;
/** Most days a minute. */
const MOST_DAYS = 1000;

/** Adds the missing jobs of days. */
export function sweepLapsJob({ database, clock }: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  return {
    name: 'sweep_laps',
    schedule: EVERY_MINUTE,
    run: async () => {
      const nowMs = clock.nowMs();
      const before = new Date(nowMs - OVERDUE_MS);
      await sql`
        select ${nudgeDay(presentDayAt(nowMs), 'lost')} from (
          select workplace_id, day, is_slow from lap_days
          where (due_at < ${before} or (taken > stored and taken_at < ${before}))
            and not exists (select from graphile_worker.jobs
              where key = 'day:' || workplace_id || ':' || day and attempts < max_attempts)
          order by day desc limit ${MOST_DAYS}
        ) as lost`.execute(database.db);
      await renewRecalculations(database.db, before);
    },
  };
}

async function renewRecalculations(db: Db, before: Date): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select id from lap_recalculations
    where ended_at is null and created_at < ${before}
      and not exists (select from graphile_worker.jobs
        where key = 'recalculate_laps:' || lap_recalculations.id and attempts < max_attempts)
    order by id limit ${MOST_DAYS}`.execute(db);
  for (const { id } of rows) {
    await addRecalculationJob(db, id);
  }
}
