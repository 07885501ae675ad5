// Jobs in PostgreSQL (graphile-worker). The domain row is the truth, the queue a nudge: a job is added in the
// transaction that changes the row, its handler reads the row again, may run twice, and throws to be tried again.
import { EventEmitter } from 'node:events';
import { Logger, run, runMigrations, type TaskList, type WorkerEvents } from 'graphile-worker';
import { sql } from 'kysely';
import type { Database, Db } from './db.ts';
import { createJobsPool } from './jobs-pool.ts';
import { type KeptRunner, keepRunning } from './jobs-supervisor.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';

// Failures are logged below with our fields; graphile-worker's own lines would say them twice.
const silentLogger = new Logger(() => () => undefined);

/** So often each worker looks for jobs of processes that are gone, ms. */
const FREE_EVERY_MS = 5000;
/** Longest wait, once all jobs are over, for the database to know of it, ms; it fits into the time of a stop. */
const END_LIMIT_MS = 5000;

export interface JobContext {
  readonly jobId: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
}

export interface JobDefinition {
  /** `verify_upload` */
  readonly name: string;
  run(payload: unknown, context: JobContext): Promise<void>;
}

export interface JobOptions {
  /** Jobs with one key are one: a later one replaces the waiting one. */
  readonly key?: string;
  /** A job with the key that is there already, waiting, running or failed for good, is left as it is. */
  readonly keepExisting?: boolean;
  /** A job with the key that waits already runs when it would have run, so that a stream of changes does not put it off. */
  readonly keepRunAt?: boolean;
  readonly maxAttempts?: number;
  /** The job runs no sooner, ms from now by the database's clock, which the queue lives by; 0 unless said. */
  readonly delayMs?: number;
  /** Smaller runs first; 0 unless said. */
  readonly priority?: number;
}

/** Adds a job; inside a transaction it exists only if that commits. */
export async function addJob(
  db: Db,
  name: string,
  payload: Readonly<Record<string, unknown>>,
  options: JobOptions = {},
): Promise<void> {
  const waits = options.keepRunAt ? 'preserve_run_at' : 'replace';
  await sql`select graphile_worker.add_job(
    ${name}::text,
    payload := ${JSON.stringify(payload)}::json,
    job_key := ${options.key ?? null}::text,
    job_key_mode := ${options.keepExisting ? 'unsafe_dedupe' : waits}::text,
    max_attempts := ${options.maxAttempts ?? 10}::int,
    run_at := now() + ${options.delayMs ?? 0}::float8 * interval '1 ms',
    priority := ${options.priority ?? 0}::int
  )`.execute(db);
}

/** Makes or renews the queue's own tables, so that every role can add jobs. */
export async function migrateJobs(url: string): Promise<void> {
  await runMigrations({ connectionString: url, logger: silentLogger });
}

/**
 * Frees the jobs that a process had taken and not ended when it was killed; by itself the queue waits four hours. A
 * process is gone when it has no connection any more. The try does not count: it was not the job that failed.
 */
export async function freeJobsOfTheGone(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; attempts: number; holder: string }>`
      select id, attempts, locked_by as holder from graphile_worker.jobs
      where locked_by <> all (select application_name from pg_stat_activity)`.execute(tx);
    if (rows.length === 0) return;
    const holders = [...new Set(rows.map(({ holder }) => holder))];
    await sql`select graphile_worker.force_unlock_workers(${holders}::text[])`.execute(tx);
    for (const { id, attempts } of rows) {
      await sql`select graphile_worker.reschedule_jobs(array[${id}::bigint],
        attempts := ${attempts - 1}::int)`.execute(tx);
    }
  });
}

/**
 * Starts taking jobs, those first that a process which was killed left.
 * @param concurrency jobs at once in this process
 * @returns a handle whose stop() waits for the running jobs
 */
export async function startJobs(
  database: Database,
  definitions: readonly JobDefinition[],
  {
    log,
    metrics,
    concurrency,
    crontab = '',
  }: { log: Log; metrics: Metrics; concurrency: number; crontab?: string },
): Promise<KeptRunner> {
  const taskList: TaskList = {};
  for (const definition of definitions) {
    taskList[definition.name] = async (payload, helpers) => {
      const end = metrics.jobSeconds.startTimer({ task: definition.name });
      const { id, attempts, max_attempts } = helpers.job;
      try {
        await definition.run(payload, {
          jobId: id,
          attempt: attempts,
          lastAttempt: attempts >= max_attempts,
        });
        end({ outcome: 'done' });
      } catch (error) {
        end({ outcome: 'failed' });
        log.warn({ jobId: id, task: definition.name, attempt: attempts, err: error }, 'job failed');
        throw error;
      }
    };
  }
  const jobsPool = createJobsPool(database, log);
  const free = async (): Promise<void> => {
    try {
      await freeJobsOfTheGone(database.db);
      await jobsPool.freeLost();
    } catch (error) {
      log.warn({ err: error }, 'jobs not freed');
    }
  };
  await free();
  // Not at the start alone: a connection outlives its process for as long as its statement runs.
  const freeing = setInterval(() => void free(), FREE_EVERY_MS);
  const start = (): ReturnType<typeof run> => {
    const events: WorkerEvents = new EventEmitter();
    // Jobs are taken under the name of the connection, so that others see whether their holder is there.
    events.on('pool:create', ({ workerPool }) => {
      workerPool.id = database.name;
    });
    return run({
      pgPool: jobsPool.pool,
      events,
      taskList,
      concurrency,
      noHandleSignals: true,
      pollInterval: 2000,
      crontab,
      logger: silentLogger,
    });
  };
  const runner = await keepRunning(start, log, () => metrics.runnerRestarts.inc());
  return {
    stop: async () => {
      clearInterval(freeing);
      await runner.stop();
      await jobsPool.close(END_LIMIT_MS);
    },
  };
}
