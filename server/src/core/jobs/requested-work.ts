// Work that a user requested and a job does: a report, a merge. The row is the truth. Each second the job writes its
// progress to the row; a row that is no longer in progress was cancelled, which ends the work at once.
import { sql } from 'kysely';
import type { CoreDeps } from '../core-deps.ts';
import type { Db } from '../db/db.ts';
import { EVERY_MINUTE, type JobDefinition } from './jobs.ts';

/** Interval of the progress, ms: also how soon cancelled work ends. */
const NOTE_EVERY_MS = 1000;
/** After this time without progress a row may have lost its job, ms. */
const LOST_MS = 60_000;
/** Most rows that a sweep takes; the next one takes the others. */
const MOST_LOST = 1000;

/** A table of requests, with the columns `status`, `progress`, `created_at` and `worked_at`. */
export type WorkTable = 'merge_requests' | 'reports';

/** A requested row. */
export interface WorkRow {
  readonly table: WorkTable;
  readonly id: number;
}

/** The dependencies of the recording of progress. */
type Noting = Pick<CoreDeps, 'database' | 'clock' | 'log'>;

/**
 * Does work while its progress is written to its row.
 * @param cancelled is aborted when the row is no longer in progress
 * @param shareOf how much of the work is done, 0 to 1
 * @throws whatever the work throws
 */
export async function workNoted<Made>(
  { database, clock, log }: Noting,
  row: WorkRow,
  cancelled: AbortController,
  shareOf: () => number,
  work: () => Promise<Made>,
): Promise<Made> {
  let noting = Promise.resolve();
  const timer = setInterval(() => {
    noting = noting
      .then(() => noteWork(database.db, row, shareOf(), clock.nowMs()))
      .then((isWanted) => isWanted || cancelled.abort(new Error('The work was cancelled.')))
      .then(
        () => undefined,
        (err: unknown) => log.warn({ ...row, err }, 'the progress of work was not stored'),
      );
  }, NOTE_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await noting;
  }
}

/**
 * Records the progress. The work has ended only with its last transaction, so 100 % is left to that.
 * @param share 0 to 1
 * @returns false when the row is no longer in progress
 */
async function noteWork(
  db: Db,
  { table, id }: WorkRow,
  share: number,
  nowMs: number,
): Promise<boolean> {
  const { rows } = await sql`
    update ${sql.table(table)} set worked_at = ${new Date(nowMs)},
      progress = ${Math.floor(Math.min(share, 0.99) * 100)}
    where id = ${id} and status = 'PROCESS' returning id`.execute(db);
  return rows.length > 0;
}

/**
 * A job that queues again what lost its job, as after the restore of a backup. It ends what used up its attempts because
 * each one ended with its process: further ones could stop the server again and again.
 * @param jobKey prefix of the keys of the jobs; the row's id follows
 * @param nudge queues a row. `keepExisting`: unless somebody else has queued it meanwhile
 * @param fail ends a row as failed, unless it has ended
 */
export function sweepWorkJob(
  { database: { db }, clock, log }: Noting,
  {
    name,
    table,
    jobKey,
    nudge,
    fail,
  }: Pick<JobDefinition, 'name'> & {
    readonly table: WorkTable;
    readonly jobKey: string;
    readonly nudge: (db: Db, id: number, keepExisting: boolean) => Promise<void>;
    readonly fail: (db: Db, id: number, reason: 'failed', nowMs: number) => Promise<void>;
  },
): JobDefinition {
  return {
    name,
    schedule: EVERY_MINUTE,
    run: async () => {
      const before = new Date(clock.nowMs() - LOST_MS);
      const { rows } = await sql<{ id: number; isUsedUp: boolean }>`
        select requested.id, jobs.id is not null as "isUsedUp"
        from ${sql.table(table)} as requested
        left join graphile_worker.jobs on jobs.key = ${jobKey} || requested.id
        where status = 'PROCESS' and requested.created_at < ${before}
          and (worked_at is null or worked_at < ${before})
          and (jobs.id is null or (attempts >= max_attempts and locked_at is null))
        order by requested.created_at, requested.id limit ${MOST_LOST}`.execute(db);
      for (const { id, isUsedUp } of rows) {
        if (!isUsedUp) {
          await nudge(db, id, true);
          continue;
        }
        log.error({ table, id }, 'requested work failed: each attempt ended with its process');
        await fail(db, id, 'failed', clock.nowMs());
      }
    },
  };
}
