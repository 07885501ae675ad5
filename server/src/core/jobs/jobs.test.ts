import { parseCrontab } from 'graphile-worker';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import {
  addJob,
  crontabOf,
  EVERY_MINUTE,
  type JobContext,
  releaseJobsOfDeadWorkers,
  removeReplacedJobs,
  startJobs,
} from './jobs.ts';

let server: TestServer;

beforeAll(async () => {
  server = await createTestServer([]);
});
afterAll(() => server.close());

async function holdersOf(key: string): Promise<(string | null)[]> {
  const { rows } = await sql<{ locked_by: string | null }>`
    select locked_by from graphile_worker.jobs where key = ${key}`.execute(server.deps.database.db);
  return rows.map((row) => row.locked_by);
}

it('A job that a killed process had begun is begun anew, one that runs is left alone', async () => {
  const { database, log, metrics } = server.deps;
  const { db } = database;
  await addJob(db, 'merge', {}, { key: 'left', maxAttempts: 1 });
  await sql`update graphile_worker._private_jobs set locked_by = 'ridewatch gone',
    locked_at = now(), attempts = 1`.execute(db);

  const begun = Promise.withResolvers<JobContext>();
  const over = Promise.withResolvers<void>();
  const run = (_payload: unknown, context: JobContext): Promise<void> => {
    begun.resolve(context);
    return over.promise;
  };
  const jobs = await startJobs(database, [{ name: 'merge', run }], { log, metrics });
  expect(await begun.promise).toMatchObject({
    attempt: 1,
    lastAttempt: true,
    signal: AbortSignal.any([]),
  });

  await releaseJobsOfDeadWorkers(db);
  expect(await holdersOf('left')).toEqual([database.name]);
  over.resolve();
  await vi.waitUntil(async () => (await holdersOf('left')).length === 0);
  await jobs.stop();
});

it('A job that fails after a newer one has replaced it is no failure, whether it ends or is killed', async () => {
  const { database, log, metrics } = server.deps;
  const { db } = database;
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const ran: unknown[] = [];
  const run = async (payload: unknown): Promise<void> => {
    ran.push(payload);
    if (ran.length > 1) return;
    begun.resolve();
    await over.promise;
    throw new Error('terminating connection due to administrator command');
  };
  const jobsLeft = async () =>
    (
      await sql`select key, attempts from graphile_worker.jobs where task_identifier = 'merge'`.execute(
        db,
      )
    ).rows;
  await addJob(db, 'merge', { n: 1 }, { key: 'merge:1' });
  const jobs = await startJobs(database, [{ name: 'merge', run }], { log, metrics });
  await begun.promise;
  await addJob(db, 'merge', { n: 2 }, { key: 'merge:1' });
  over.resolve();
  // As a worker does every five seconds (jobs.long.test.ts).
  await vi.waitUntil(async () => {
    await removeReplacedJobs(db);
    return (await jobsLeft()).length === 0;
  });
  expect(ran).toEqual([{ n: 1 }, { n: 2 }]);
  await jobs.stop();

  await addJob(db, 'merge', { n: 3 }, { key: 'merge:1' });
  await sql`update graphile_worker._private_jobs set locked_by = 'ridewatch gone', locked_at = now(),
    attempts = 1 where key = 'merge:1'`.execute(db);
  await addJob(db, 'merge', { n: 4 }, { key: 'merge:1' });
  await releaseJobsOfDeadWorkers(db);
  await removeReplacedJobs(db);
  expect(await jobsLeft()).toEqual([{ key: 'merge:1', attempts: 0 }]);
  await sql`select graphile_worker.remove_job('merge:1')`.execute(db);
});

it('A job waits by the clock of the database, whatever the time is for who adds it', async () => {
  const { db } = server.deps.database;
  await addJob(db, 'retention', {}, { key: 'later', delayMs: 60_000 });
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from run_at - clock_timestamp())::float8 as seconds
    from graphile_worker.jobs where key = 'later'`.execute(db);
  expect(rows[0]?.seconds).toBeGreaterThan(40);
  expect(rows[0]?.seconds).toBeLessThanOrEqual(60);
});

it('A job is added by itself at the times of its definition, and only if none of it waits', () => {
  const run = async () => {};
  const items = parseCrontab(
    crontabOf([
      { name: 'watch_disk', schedule: EVERY_MINUTE, run },
      { name: 'merge', run },
      { name: 'retention', schedule: '17 1 * * *', run },
    ]),
  );
  expect(items.map(({ task, options }) => [task, options.maxAttempts, options.jobKey])).toEqual([
    ['watch_disk', 1, 'watch_disk'],
    ['retention', 1, 'retention'],
  ]);
  const at = (hour: number, min: number) => ({ hour, min, date: 1, month: 1, dow: 1 });
  const due = (...moment: [number, number]) =>
    items.filter(({ match }) => match(at(...moment))).map(({ task }) => task);
  expect([due(1, 17), due(1, 18)]).toEqual([['watch_disk', 'retention'], ['watch_disk']]);
});

it('Runners of several classes share one connection to listen on, and each still hears of its jobs', async () => {
  const { database, log, metrics } = server.deps;
  const ran: string[] = [];
  const names = ['merge', 'make_report', 'watch_disk'] as const;
  const definitions = names.map((name) => ({ name, run: async () => void ran.push(name) }));
  const jobs = await startJobs(database, definitions, { log, metrics });
  const listening = async (): Promise<number> => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
      where application_name = ${database.name} and query ilike 'listen%'`.execute(database.db);
    return rows[0]?.n ?? 0;
  };
  await vi.waitUntil(async () => (await listening()) > 0);
  for (const name of names) await addJob(database.db, name, {});
  await vi.waitUntil(() => ran.length === names.length);
  expect(await listening()).toBe(1);
  await jobs.stop();
  // The database notes a little later that a connection has ended.
  await vi.waitUntil(async () => (await listening()) === 0);
  expect(ran.toSorted()).toEqual([...names].toSorted());
});
