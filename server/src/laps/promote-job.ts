import { sql } from 'kysely';
import type { Deps } from '../app.ts';
import type { JobDefinition } from '../jobs.ts';
import { LAPS_JOB } from './queries.ts';

/** So many days of the past a minute run among those of the present when nothing else lets them through. */
const MOST_DAYS = 20;
/** Work that is due for less is not held up. */
const HELD_UP = '2 minutes';

/**
 * Lets some days of the past run with those of the present. The present goes first always, so on a machine that it
 * keeps busy all the time the past would never run.
 */
export function promoteLapsJob({ database }: Pick<Deps, 'database'>): JobDefinition {
  return {
    name: 'promote_laps',
    run: async () => {
      await sql`select graphile_worker.reschedule_jobs(array(
          select id from graphile_worker.jobs
          where task_identifier = ${LAPS_JOB} and priority > 0 and locked_at is null
            and run_at < now() - ${HELD_UP}::interval
          order by priority, run_at limit ${MOST_DAYS}
        ), priority := 0)`.execute(database.db);
    },
  };
}
