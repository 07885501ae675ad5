// The pool as graphile-worker sees it. Version 0.18.0 completes a job with a statement whose failure it does not
// handle: refused by the database, it is an unhandled rejection, which ends the process, and the job stays locked for
// four hours. The same holds for its query of task ids at startup: if that fails once, it fails forever, and the runner
// never takes a job. Both statements are idempotent, so this pool retries them until they succeed. It also unlocks jobs
// whose locking statement succeeded but whose answer was lost.
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Database } from '../db/db.ts';
import type { Log } from '../log.ts';
import { shareListening } from './shared-listening.ts';

/** First and longest backoff before a statement is retried, ms: a restarted database is found soon. */
const FIRST_WAIT_MS = 200;
const LONGEST_WAIT_MS = 10_000;
/** A job locked this long ago that this process does not know was locked by a lost answer, s. */
const LOST_AFTER_S = 60;

/** One for all runners of a process: a second one would take the jobs of the first for lost. */
export interface JobsPool {
  /** For the library's `pgPool`. */
  readonly pool: pg.Pool;
  /** Unlocks the jobs that are locked in this process's name but unknown to it. @returns how many */
  freeLost(): Promise<number>;
  /**
   * Waits until the database knows of every completed job, then stops retrying.
   * @param limitMs longest wait; a job not completed by then runs again elsewhere
   */
  close(limitMs: number): Promise<void>;
}

type Listener = Parameters<pg.Pool['connect']>[0];

interface Statement {
  readonly text: string;
  readonly name?: string;
  readonly values?: unknown[];
}

/** Makes the pool; the connections belong to `database`. */
export function createJobsPool(database: Database, log: Log): JobsPool {
  const { db, pool, name } = database;
  const held = new Set<string>();
  const open = new Set<Promise<unknown>>();
  const closing = new AbortController();

  const keepTrying = async (statement: Statement): Promise<pg.QueryResult> => {
    for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        return await pool.query(statement);
      } catch (error) {
        log.warn({ err: error, statement: statement.name ?? 'tasks' }, 'job statement repeated');
        if (closing.signal.aborted) return NOTHING;
        await sleep(waitMs, undefined, { signal: closing.signal }).catch(() => undefined);
        if (closing.signal.aborted) return NOTHING;
      }
    }
  };
  const repeated = async (statement: Statement): Promise<pg.QueryResult> => {
    const work = keepTrying(statement);
    open.add(work);
    try {
      return await work;
    } finally {
      open.delete(work);
      for (const id of jobsIn(statement)) held.delete(id);
    }
  };
  const takeListening = shareListening(database, (error) =>
    log.warn({ reason: error.message }, 'jobs: listening ended'),
  );
  const listen = (callback: Listener): void => {
    takeListening().then(
      (client) => callback(undefined, client as pg.PoolClient, client.release),
      (error: Error) => callback(error, undefined, () => undefined),
    );
  };
  /** A connection that is taken when the first statement comes that must not be retried. */
  const connect = async (): Promise<Pick<pg.PoolClient, 'query' | 'release'>> => {
    let client: Promise<pg.PoolClient> | undefined;
    const query = async (statement: string | Statement, values?: unknown[]): Promise<unknown> => {
      if (typeof statement !== 'string' && isRepeatable(statement)) return repeated(statement);
      client ??= pool.connect();
      const result = await (await client).query(statement as string, values);
      if (typeof statement !== 'string' && isTaking(statement)) {
        for (const { id } of result.rows) held.add(String(id));
      }
      return result;
    };
    const release = (error?: Error | boolean): void => {
      client?.then(
        (one) => one.release(error),
        // The caller has been told that there is no connection.
        () => undefined,
      );
    };
    return { query: query as pg.PoolClient['query'], release };
  };
  const seen: pg.Pool = Object.create(pool, {
    connect: {
      // With a callback the library asks for the connection on which a runner listens while it runs.
      value: (callback?: Listener) => (callback === undefined ? connect() : listen(callback)),
    },
    // The pool's own method would take its connection from the method above.
    query: { value: (...args: Parameters<pg.Pool['query']>) => pool.query(...args) },
  });
  return {
    pool: seen,
    freeLost: async () => {
      const { numAffectedRows } = await sql`
        update graphile_worker._private_jobs
        set locked_by = null, locked_at = null, attempts = greatest(attempts - 1, 0)
        where locked_by = ${name} and locked_at < now() - make_interval(secs => ${LOST_AFTER_S})
          and id <> all (${[...held]}::bigint[])`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
    close: async (limitMs) => {
      const stop = AbortSignal.timeout(limitMs);
      await Promise.race([
        Promise.allSettled(open),
        new Promise((resolve) => stop.addEventListener('abort', resolve)),
      ]);
      closing.abort();
      await Promise.allSettled(open);
    },
  };
}

const NOTHING = { rows: [], rowCount: 0, command: '', oid: 0, fields: [] };

// By the names of the library's prepared statements, and by the table of its tasks.
function isRepeatable({ name, text }: Statement): boolean {
  return /^(complete|fail)_job/.test(name ?? '') || /_private_tasks as (tasks|existing)/.test(text);
}

function isTaking({ name }: Statement): boolean {
  return /^get_job/.test(name ?? '');
}

/** The jobs that a statement completes: by id, a list of ids, or JSON with a `jobId` each. */
function jobsIn({ name, values = [] }: Statement): string[] {
  if (!/^(complete|fail)_job/.test(name ?? '')) return [];
  const [first, second] = values;
  if (name?.startsWith('fail_jobs')) return (first as unknown[]).map(String);
  if (name?.startsWith('fail_job')) {
    return (JSON.parse(String(second)) as { jobId: unknown }[]).map(({ jobId }) => String(jobId));
  }
  return [first].flat().map(String);
}
