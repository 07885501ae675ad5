// Jobs in PostgreSQL (graphile-worker). The domain row is the truth, the queue a nudge: a job is added in the
// transaction that changes the row; its handler reads the row again, may run twice, and throws to be retried.
import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { JobClass } from '@ridewatch/contract/news';
import {
  Logger,
  run,
  runMigrations,
  type Task,
  type TaskList,
  type WorkerEvents,
} from 'graphile-worker';
import { sql } from 'kysely';
import { type Database, type Db, openDatabase } from '../db/db.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import { type JobName, jobClasses, jobClassNames } from './job-classes.ts';
import { createJobsPool, type JobsPool } from './jobs-pool.ts';
import { keepRunning, type SupervisedRunner } from './jobs-supervisor.ts';

// Failures are logged below with our fields; graphile-worker's own lines would repeat them.
const silentLogger = new Logger(() => () => undefined);

/** Interval at which each worker looks for jobs of dead processes, ms. */
const FREE_EVERY_MS = 5000;
/** Longest wait at shutdown for the database to record completed jobs, ms; it fits into the shutdown's time limit. */
const END_LIMIT_MS = 5000;

export interface JobContext {
  readonly jobId: string;
  /** 1 for the first try. */
  readonly attempt: number;
  readonly lastAttempt: boolean;
  /** Aborted when the process ends; a job may go on until the shutdown's time limit. */
  readonly signal: AbortSignal;
}

/** The schedule of sweeps. */
export const EVERY_MINUTE = '* * * * *';

export interface JobDefinition {
  readonly name: JobName;
  /** When the job is added by itself: a crontab line in UTC. Never unless given. */
  readonly schedule?: string;
  run(payload: unknown, context: JobContext): Promise<void>;
}

export interface JobOptions {
  /** A job with the key of a waiting job replaces it, and a running one makes room: it is not tried again. */
  readonly key?: string;
  /** A job with this key, waiting, running or failed for good, is left as it is. */
  readonly keepExisting?: boolean;
  readonly maxAttempts?: number;
  /** The job runs no sooner, ms from now by the database's clock, as the queue uses it; 0 unless given. */
  readonly delayMs?: number;
  /** Smaller runs first; 0 unless given. */
  readonly priority?: number;
}

/** Adds a job. In a transaction it exists only if that commits. */
export async function addJob(
  db: Db,
  name: JobName,
  payload: Readonly<Record<string, unknown>>,
  options: JobOptions = {},
): Promise<void> {
  await sql`select graphile_worker.add_job(
    ${name}::text,
    payload := ${JSON.stringify(payload)}::json,
    job_key := ${options.key ?? randomUUID()}::text,
    job_key_mode := ${options.keepExisting ? 'unsafe_dedupe' : 'replace'}::text,
    max_attempts := ${options.maxAttempts ?? 10}::int,
    run_at := now() + ${options.delayMs ?? 0}::float8 * interval '1 ms',
    priority := ${options.priority ?? 0}::int
  )`.execute(db);
}

/** Creates or migrates the queue's own tables, so that every role can add jobs. */
export async function migrateJobs(url: string): Promise<void> {
  await runMigrations({ connectionString: url, logger: silentLogger });
}

/**
 * Removes jobs that failed after a newer one with their key had replaced them: the newer one does their work. The queue
 * takes the key of a running job away and all of its attempts, so that it would stand as failed for good; every other
 * job has a key.
 */
export async function removeReplacedJobs(db: Db): Promise<void> {
  await sql`select graphile_worker.complete_jobs(array(
    select id from graphile_worker.jobs
    where key is null and locked_at is null and attempts >= max_attempts))`.execute(db);
}

/**
 * Unlocks the jobs of killed processes; by itself the queue waits four hours. A process is dead when it has no
 * connection any more. The attempt does not count, because the job did not fail.
 */
export async function releaseJobsOfDeadWorkers(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      id: number;
      attempts: number;
      holder: string;
      replaced: boolean;
    }>`select id, attempts, locked_by as holder, key is null as replaced from graphile_worker.jobs
      where locked_by <> all (select application_name from pg_stat_activity)`.execute(tx);
    if (rows.length === 0) return;
    const holders = [...new Set(rows.map(({ holder }) => holder))];
    await sql`select graphile_worker.force_unlock_workers(${holders}::text[])`.execute(tx);
    for (const { id, attempts, replaced } of rows) {
      if (replaced) continue;
      await sql`select graphile_worker.reschedule_jobs(array[${id}::bigint],
        attempts := ${attempts - 1}::int)`.execute(tx);
    }
  });
}

/** Connections of the queue beside the listening one: a runner uses one to fetch a job, and to complete it. */
const QUEUE_CONNECTIONS = 4;

/**
 * Starts to run jobs, first those of killed processes. Each class has its own workers.
 * @returns a handle whose stop() waits for the running jobs
 */
export async function startJobs(
  database: Database,
  definitions: readonly JobDefinition[],
  { log, metrics }: { log: Log; metrics: Metrics },
): Promise<SupervisedRunner> {
  // From the product's own pool, runners would starve its calls.
  const queue = openDatabase(
    database.url,
    QUEUE_CONNECTIONS,
    database.limits,
    (error) => log.warn({ reason: error.message }, 'a connection of jobs was lost'),
    database.name,
  );
  const jobsPool = createJobsPool(queue, log);
  let isFreeing = false;
  const free = async (): Promise<void> => {
    // A silent database must not get ever more of these queries.
    if (isFreeing) return;
    isFreeing = true;
    try {
      await releaseJobsOfDeadWorkers(database.db);
      await removeReplacedJobs(database.db);
      await jobsPool.freeLost();
    } catch (error) {
      log.warn({ err: error }, 'jobs of dead processes were not released');
    } finally {
      isFreeing = false;
    }
  };
  await free();
  // Not only at startup: a connection outlives its process while its statement runs.
  const freeing = setInterval(() => void free(), FREE_EVERY_MS);
  const stopping = new AbortController();
  const runners: SupervisedRunner[] = [];
  for (const name of jobClassNames) {
    const mine = definitions.filter((one) => isOfClass(one, name));
    if (mine.length === 0) continue;
    // One of the runners adds the scheduled jobs of every class.
    const crontab = name === 'schedule' ? crontabOf(definitions) : '';
    const needs = { database, jobsPool, log, metrics, crontab, stopping: stopping.signal };
    const start = startOf(name, mine, needs);
    runners.push(await keepRunning(start, log, () => metrics.runnerRestarts.inc()));
  }
  return {
    stop: async () => {
      clearInterval(freeing);
      stopping.abort();
      await Promise.all(runners.map((runner) => runner.stop()));
      await jobsPool.close(END_LIMIT_MS);
      await queue.close();
    },
  };
}

/** The schedules of jobs in graphile-worker's form. A job that still waits is not added again. */
export function crontabOf(definitions: readonly JobDefinition[]): string {
  return definitions
    .flatMap(({ name, schedule }) => (schedule ? `${schedule} ${name} ?max=1&jobKey=${name}` : []))
    .join('\n');
}

function isOfClass({ name }: JobDefinition, of: JobClass): boolean {
  return jobClasses[of].jobs.some((job) => job === name);
}

interface RunnerNeeds {
  readonly database: Database;
  readonly jobsPool: JobsPool;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly crontab: string;
  readonly stopping: AbortSignal;
}

function startOf(
  name: JobClass,
  definitions: readonly JobDefinition[],
  { database, jobsPool, log, metrics, crontab, stopping }: RunnerNeeds,
): () => ReturnType<typeof run> {
  const taskList: TaskList = {};
  for (const one of definitions) taskList[one.name] = taskOf(one, stopping, log, metrics);
  return () => {
    const events: WorkerEvents = new EventEmitter();
    // Jobs are locked under the connection's name, so that others see whether their holder is alive.
    events.on('pool:create', ({ workerPool }) => {
      workerPool.id = database.name;
    });
    return run({
      pgPool: jobsPool.pool,
      events,
      taskList,
      concurrency: jobClasses[name].workers,
      noHandleSignals: true,
      pollInterval: jobClasses[name].pollMs,
      crontab,
      logger: silentLogger,
    });
  };
}

function taskOf(
  definition: JobDefinition,
  stopping: AbortSignal,
  log: Log,
  metrics: Metrics,
): Task {
  return async (payload, helpers) => {
    const end = metrics.jobSeconds.startTimer({ task: definition.name });
    const { id, attempts, max_attempts } = helpers.job;
    try {
      await definition.run(payload, {
        jobId: id,
        attempt: attempts,
        lastAttempt: attempts >= max_attempts,
        signal: stopping,
      });
      end({ outcome: 'done' });
    } catch (error) {
      end({ outcome: 'failed' });
      log.warn({ jobId: id, task: definition.name, attempt: attempts, err: error }, 'job failed');
      throw error;
    }
  };
}
