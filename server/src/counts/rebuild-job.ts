// Rebuilds the hours of stale days, one transaction a day, so that nothing waits for all of them.

import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { addRebuildJob, rebuildHours } from './hours.ts';

/** After this time the job yields to others of its class, ms. */
const TURN_MS = 10_000;

/** Rebuilds stale hours, the newest days first. It runs every minute, and after each change that leaves days stale. */
export function rebuildHoursJob({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  const { db } = database;
  const findStale = () =>
    db
      .selectFrom('stale_hours')
      .select(['workplace_id', 'day'])
      .orderBy('day', 'desc')
      .orderBy('workplace_id')
      .limit(1)
      .executeTakeFirst();
  return {
    name: 'rebuild_hours',
    schedule: EVERY_MINUTE,
    run: async () => {
      const untilMs = clock.nowMs() + TURN_MS;
      for (let stale = await findStale(); stale !== undefined; stale = await findStale()) {
        if (clock.nowMs() >= untilMs) {
          await addRebuildJob(db);
          return;
        }
        const { workplace_id: busId, day } = stale;
        await db.transaction().execute((tx) => rebuildHours(tx, busId, [day]));
      }
    },
  };
}
