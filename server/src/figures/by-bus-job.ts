// Jobs that bring the rows of waiting days up to date, the newest days first, half a year of a bus a transaction: so nothing
// waits for all of them, and nothing is lost when the job is late. Two lanes, each for half of the buses, keep two cores
// of the database busy.
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { addJob, EVERY_MINUTE, type JobDefinition } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';

/** After this time the job yields to others of its class, ms. */
const TURN_MS = 10_000;
/** Most days of a transaction, for which batches of the bus wait: about a tenth of a second. */
const MOST_DAYS = 184;
/** Transactions at once, each of another bus. */
const LANES = 2;
/** Most buses that may fail in one turn: more have one cause, such as a database that is away. */
const MOST_FAILED = 20;

/** The work of a job on waiting days. */
interface Work {
  /** Name of the job. */
  readonly name: 'rebuild_hours' | 'settle_days' | 'make_profiles';
  /** The table in which days wait. The work deletes their rows, before it reads anything. */
  readonly table: 'unsettled_days' | 'stale_hours' | 'stale_profiles';
  /** The log's message for days of a bus that failed. */
  readonly failure: string;
  /** @param days `YYYY-MM-DD`, at most 184 */
  work(tx: Tx, busId: number, days: readonly string[]): Promise<void>;
}

/** A job that runs every minute, and goes on at once while days wait. */
export function byBusJob(
  { database: { db }, clock, log }: Pick<Deps, 'database' | 'clock' | 'log'>,
  { name, table, failure, work }: Work,
): JobDefinition {
  return {
    name,
    schedule: EVERY_MINUTE,
    run: async () => {
      const untilMs = clock.nowMs() + TURN_MS;
      const lanes = Array.from({ length: LANES }, (_, lane) => runLane(lane, untilMs));
      if ((await Promise.all(lanes)).includes('late')) await addJob(db, name, {}, { key: name });
    },
  };

  async function runLane(lane: number, untilMs: number): Promise<'done' | 'late'> {
    // A bus whose days fail waits for the next turn, and others do not wait for it.
    const failed: number[] = [];
    for (;;) {
      const next = await findNext(db, table, lane, failed);
      if (next === undefined || failed.length === MOST_FAILED) return 'done';
      if (clock.nowMs() >= untilMs) return 'late';
      const { busId, days } = next;
      try {
        await db.transaction().execute((tx) => work(tx, busId, days));
      } catch (error) {
        failed.push(busId);
        log.error({ busId, days, err: error }, failure);
      }
    }
  }
}

/** The bus of a lane with the newest waiting day, and its newest ones. @param failed buses that are left out */
async function findNext(
  db: Db,
  table: Work['table'],
  lane: number,
  failed: readonly number[],
): Promise<{ busId: number; days: string[] } | undefined> {
  const { rows } = await sql<{ busId: number; days: string[] }>`
    select bus.id as "busId", array(select day::text from ${sql.table(table)}
      where workplace_id = bus.id order by day desc limit ${MOST_DAYS}) as days
    from (select workplace_id as id from ${sql.table(table)}
      where workplace_id % ${LANES} = ${lane} and workplace_id <> all(${failed}::bigint[])
      order by day desc, workplace_id limit 1) as bus`.execute(db);
  return rows[0];
}
