import { EventEmitter } from 'node:events';
import { Logger, type Runner, run } from 'graphile-worker';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { limitsOf } from '../db/connections.ts';
import { openDatabase } from '../db/db.ts';
import type { JobName } from './job-classes.ts';
import { addJob, type JobDefinition, startJobs } from './jobs.ts';
import { createJobsPool } from './jobs-pool.ts';
import { keepRunning } from './jobs-supervisor.ts';

const CUTS = 12;
const WAIT = { timeout: 60_000, interval: 20 };

let server: TestServer;
/** Unhandled rejections: one ends a process without a handler. */
const unhandled: unknown[] = [];
const note = (error: unknown): void => void unhandled.push(error);

beforeAll(async () => {
  process.on('unhandledRejection', note);
  server = await createTestServer([]);
  await sql`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'too many clients already' using errcode = '53300'; end $$`.execute(
    server.deps.database.db,
  );
});
afterAll(async () => {
  await server.close();
  process.off('unhandledRejection', note);
});

/** Makes the database refuse a change of the library's tables while `work` runs. */
async function refusing(table: string, change: string, work: () => Promise<void>): Promise<void> {
  const { db } = server.deps.database;
  await sql`create trigger refuse before ${sql.raw(change)} on graphile_worker.${sql.raw(table)}
    for each row execute function refuse()`.execute(db);
  await work();
  await sql`drop trigger refuse on graphile_worker.${sql.raw(table)}`.execute(db);
}

async function errorsOf(key: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ last_error: string | null }>`
    select last_error from graphile_worker._private_jobs where key = ${key}`.execute(
    server.deps.database.db,
  );
  return rows.map(({ last_error }) => last_error);
}

function start(name: JobName, work: () => Promise<void>) {
  const { database, log, metrics } = server.deps;
  return startJobs(database, [{ name, run: work }], { log, metrics });
}

describe('A failure of the job library', () => {
  it.each([
    ['failed', 'merge', 'update of last_error', () => Promise.reject(new Error('no')), ['no']],
    ['done', 'retention', 'delete', () => Promise.resolve(), []],
  ] as const)(
    'when the database refuses to be told that a job is %s is repeated until it is taken',
    async (_end, name, change, work, after) => {
      const warn = vi.spyOn(server.deps.log, 'warn');
      const ran = vi.fn(work);
      const jobs = await start(name, ran);
      await refusing('_private_jobs', change, async () => {
        await addJob(server.deps.database.db, name, {}, { key: name, maxAttempts: 2 });
        const isRepeated = ([, words]: unknown[]) => words === 'job statement repeated';
        await vi.waitUntil(() => warn.mock.calls.filter(isRepeated).length >= 2, WAIT);
      });
      await vi.waitFor(async () => expect(await errorsOf(name)).toEqual(after), WAIT);
      await jobs.stop();
      warn.mockRestore();
      expect(ran).toHaveBeenCalledTimes(1);
      expect(unhandled).toEqual([]);
    },
  );

  it('when the database refuses to tell the tasks does not leave the runner idle for ever', async () => {
    const warn = vi.spyOn(server.deps.log, 'warn');
    const ran = vi.fn(async () => undefined);
    let jobs: Awaited<ReturnType<typeof start>> | undefined;
    await refusing('_private_tasks', 'insert', async () => {
      jobs = await start('watch_disk', ran);
      await vi.waitUntil(() => warn.mock.calls.length > 0, WAIT);
    });
    await addJob(server.deps.database.db, 'watch_disk', {});
    await vi.waitUntil(() => ran.mock.calls.length === 1, WAIT);
    await jobs?.stop();
    warn.mockRestore();
    expect(unhandled).toEqual([]);
  });

  it('with all its connections cut again and again loses no job and ends nothing', async () => {
    const { log, metrics } = server.deps;
    const { url, db } = server.deps.database;
    const cutOff = openDatabase(url, 10, limitsOf.worker, () => undefined);
    const other = new pg.Client(url);
    await other.connect();
    const left = new Set(Array.from({ length: 30 }, (_, index) => `cut ${index}`));
    const failed = new Set<string>();
    const definition: JobDefinition = {
      name: 'delete_media',
      // Each job fails once, so that the cuts hit both ways in which a job ends.
      run: async (payload: unknown) => {
        const { key } = payload as { key: string };
        await new Promise((resolve) => setImmediate(resolve));
        if (!failed.has(key)) {
          failed.add(key);
          throw new Error('the first time');
        }
        left.delete(key);
      },
    };
    for (const key of left) await addJob(db, 'delete_media', { key }, { key });
    const jobs = await startJobs(cutOff, [definition], { log, metrics });
    for (let cut = 0; cut < CUTS; cut += 1) {
      await other.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1`,
        [cutOff.name],
      );
      const isBack = async (): Promise<boolean> => {
        const { rowCount } = await other.query(
          'select from pg_stat_activity where application_name = $1',
          [cutOff.name],
        );
        return (rowCount ?? 0) > 0;
      };
      await vi.waitUntil(isBack, WAIT);
      // Make retries due at once.
      await other.query(
        `update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()`,
      );
    }
    await vi.waitUntil(() => left.size === 0, WAIT);
    await jobs.stop();
    await cutOff.close();
    await other.end();
    expect(unhandled).toEqual([]);
  });
});

describe('A runner of jobs', () => {
  it('that did not start, or ended by itself, is started again, until it is stopped', async () => {
    const { database, log } = server.deps;
    const jobsPool = createJobsPool(database, log);
    const ran = vi.fn();
    const runners: Runner[] = [];
    let starts = 0;
    const kept = await keepRunning(async () => {
      starts += 1;
      if (starts === 1) throw new Error('the database is starting up');
      const runner = await run({
        pgPool: jobsPool.pool,
        events: new EventEmitter(),
        taskList: { retention: ran },
        noHandleSignals: true,
        logger: new Logger(() => () => undefined),
      });
      runners.push(runner);
      return runner;
    }, log);
    await vi.waitUntil(() => runners.length === 1, WAIT);
    await runners[0]?.stop();
    await vi.waitUntil(() => runners.length === 2, WAIT);
    await addJob(database.db, 'retention', {});
    await vi.waitUntil(() => ran.mock.calls.length === 1, WAIT);
    await kept.stop();
    await runners[1]?.promise;
    expect(starts).toBe(3);
    await jobsPool.close(0);
  });
});

it('A job that was taken by an answer that got lost is free again, one that runs is not', async () => {
  const { database } = server.deps;
  const { db } = database;
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const jobs = await start('verify_upload', async () => {
    begun.resolve();
    await over.promise;
  });
  await addJob(db, 'verify_upload', {}, { key: 'runs' });
  await begun.promise;
  await addJob(db, 'count_segment', {}, { key: 'lost' });
  await sql`update graphile_worker._private_jobs
    set locked_by = ${database.name}, attempts = 1, locked_at = now() - interval '2 minutes'`.execute(
    db,
  );
  const holders = async (): Promise<unknown[]> => {
    const { rows } = await sql`select key, locked_by is not null as held, attempts
      from graphile_worker._private_jobs where key in ('runs', 'lost') order by key`.execute(db);
    return rows;
  };
  await vi.waitFor(
    async () =>
      expect(await holders()).toEqual([
        { key: 'lost', held: false, attempts: 0 },
        { key: 'runs', held: true, attempts: 1 },
      ]),
    WAIT,
  );
  over.resolve();
  await jobs.stop();
  expect(await holders()).toEqual([{ key: 'lost', held: false, attempts: 0 }]);
});
