// Rebuilds the hours of stale days, some days of a bus a transaction, so that nothing waits for all of them.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { addRebuildJob, rebuildHours } from './hours.ts';

/** After this time the job yields to others of its class, ms. */
const TURN_MS = 10_000;
/** Most days of a transaction, for which batches of the bus wait: some tens of ms. */
const MOST_DAYS = 31;

/** Rebuilds stale hours, the newest days first. It runs every minute, and after each change that leaves days stale. */
export function rebuildHoursJob({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): JobDefinition {
  const { db } = database;
  return {
    name: 'rebuild_hours',
    schedule: EVERY_MINUTE,
    run: async () => {
      const untilMs = clock.nowMs() + TURN_MS;
      for (let next = await findNext(db); next !== undefined; next = await findNext(db)) {
        if (clock.nowMs() >= untilMs) {
          await addRebuildJob(db);
          return;
        }
        const { busId, days } = next;
        await db.transaction().execute((tx) => rebuildHours(tx, busId, days));
      }
    },
  };
}

/** The bus with the newest stale day, and its newest ones. */
async function findNext(db: Db): Promise<{ busId: number; days: string[] } | undefined> {
  const { rows } = await sql<{ busId: number; days: string[] }>`
    select bus.id as "busId", array(select day::text from stale_hours
      where workplace_id = bus.id order by day desc limit ${MOST_DAYS}) as days
    from (select workplace_id as id from stale_hours order by day desc, workplace_id limit 1) as bus`.execute(
    db,
  );
  return rows[0];
}
