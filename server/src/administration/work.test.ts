import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addJob } from '../core/jobs/jobs.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

const DAY_MS = 86_400_000;
let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const role of ['admin', 'integrator']) tokens[role] = await server.signIn(role);
});
afterAll(() => server.close());

async function ask(method: string, url: string, body?: object, role = 'admin') {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${tokens[role]}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}

describe('jobs', () => {
  it('are listed by class, those that failed first, and a failed one is tried again', async () => {
    const { db } = server.deps.database;
    await addJob(db, 'merge', { id: 7 }, { key: 'merge:7' });
    await addJob(db, 'settle_days', {}, { key: 'settle' });
    await sql`update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'no file'
      where key = 'merge:7'`.execute(db);
    const { body } = await ask('GET', '/api/admin/jobs');
    expect(body.items).toMatchObject([
      { task: 'merge', class: 'merges', state: 'failed', key: 'merge:7', last_error: 'no file' },
      { task: 'settle_days', class: 'recalculation', state: 'waiting', attempts: 0 },
    ]);
    expect(body.classes).toContainEqual(
      expect.objectContaining({ class: 'merges', waiting: 0, running: 0, failed: 1 }),
    );
    const failed = await ask('GET', '/api/admin/jobs?class=merges&state=failed');
    expect(failed.body.total).toBe(1);
    const url = `/api/admin/jobs/${body.items[0].id}`;
    expect((await ask('POST', `${url}/retry`)).status).toBe(204);
    expect((await ask('GET', url)).body).toMatchObject({ state: 'waiting', attempts: 0 });
    expect((await ask('POST', '/api/admin/jobs/999999/retry')).status).toBe(404);
  });
});

describe('the order of jobs', () => {
  it('is failed, tried again, running, waiting; failed ones the latest first, others the first due', async () => {
    const { db } = server.deps.database;
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    const jobs = [
      ['waits until later', { delayMs: 3_600_000 }, sql`attempts = 0`],
      ['waits until soon', { delayMs: 60_000 }, sql`attempts = 0`],
      ['is overdue', {}, sql`run_at = now() - interval '1 hour'`],
      ['runs', {}, sql`locked_at = now(), attempts = 1`],
      ['failed long ago', {}, sql`attempts = max_attempts, run_at = now() - interval '2 days'`],
      ['failed now', {}, sql`attempts = max_attempts, run_at = now() - interval '1 minute'`],
      ['is tried again', {}, sql`attempts = 2, run_at = now() + interval '2 minutes'`],
    ] as const;
    for (const [key, options, set] of jobs) {
      await addJob(db, 'merge', {}, { key, ...options });
      await sql`update graphile_worker._private_jobs set ${set} where key = ${key}`.execute(db);
    }
    const keysOf = async (query: string) => {
      const { body } = await ask('GET', `/api/admin/jobs?perPage=100${query}`);
      return body.items.map(({ key }: { key: string }) => key);
    };
    const order = [
      ...['failed now', 'failed long ago', 'is tried again', 'runs'],
      ...['is overdue', 'waits until soon', 'waits until later'],
    ];
    expect(await keysOf('')).toEqual(order);
    expect(await keysOf('&sortBy=state&sortType=DESC')).toEqual(order.toReversed());
    await sql`delete from graphile_worker._private_jobs`.execute(db);
  });
});

describe('the retry of a job', () => {
  it('is in the audit log with the bus and the day of the job', async () => {
    const { db } = server.deps.database;
    const { busId } = fleet.firstBus;
    await addJob(db, 'laps_of_day', {}, { key: `day:${busId}:2026-11-20` });
    const { body } = await ask('GET', '/api/admin/jobs?search=laps_of_day');
    await ask('POST', `/api/admin/jobs/${body.items[0].id}/retry`);
    const { before } = await db
      .selectFrom('audit_log')
      .select('before')
      .where('action', '=', 'retry_job')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(before).toMatchObject({
      ...{ task: 'laps_of_day', bus: { id: busId, name: expect.any(String) } },
      date: '2026-11-20',
    });
  });
});

describe('what jobs are about', () => {
  it('is the day of a bus or the fragment of a camera, with ages by the clock of the queue', async () => {
    const { db } = server.deps.database;
    const { busId } = fleet.firstBus;
    const startMs = Date.parse('2026-11-20T09:00:00Z');
    const id = await insertStoredFragment(server, fleet.firstBus, { startMs, lengthMs: 60_000 });
    await addJob(db, 'laps_of_day', {}, { key: `day:${busId}:2026-11-20`, delayMs: 3_600_000 });
    await addJob(db, 'count_segment', {}, { key: `count:${id}` });
    await addJob(db, 'merge', {}, { key: 'merge:999999' });
    const { body } = await ask('GET', '/api/admin/jobs?perPage=100');
    const byKey = new Map(body.items.map((job: { key: string }) => [job.key, job]));
    const named = { bus: { id: busId, name: expect.any(String) } };
    const day = byKey.get(`day:${busId}:2026-11-20`) as { due_s: number; age_s: number };
    expect(day).toMatchObject({ object: { ...named, date: '2026-11-20', camera: null } });
    expect(day.due_s).toBeLessThan(-3_500);
    expect(day.age_s).toBeGreaterThanOrEqual(0);
    expect(byKey.get(`count:${id}`)).toMatchObject({
      object: { ...named, camera: 'Дверь 1', at: '2026-11-20T09:00:00.000Z' },
    });
    expect(byKey.get('merge:999999')).toMatchObject({ object: null });
  });
});

describe('days that could not be worked out', () => {
  it('are listed with the reason to those who see the bus, and are tried again at once', async () => {
    const { db } = server.deps.database;
    for (const { busId } of [fleet.firstBus, fleet.secondBus]) {
      await db
        .insertInto('lap_days')
        .values({ workplace_id: busId, day: '2026-11-20', failure: 'too_long', failures: 3 })
        .execute();
    }
    const seen = await ask('GET', '/api/admin/days', undefined, 'integrator');
    expect(seen.body).toMatchObject({
      total: 1,
      items: [{ bus: { name: 'Автобус 10' }, date: '2026-11-20', reason: 'too_long', failures: 3 }],
    });
    expect(seen.body.items[0].waits).toBe(false);
    const day = { workplaceId: fleet.firstBus.busId, date: '2026-11-20' };
    expect((await ask('POST', '/api/admin/days/retry', day, 'integrator')).status).toBe(204);
    const again = await ask('GET', '/api/admin/days', undefined, 'integrator');
    expect(again.body.items[0].waits).toBe(true);
    const jobs = await ask('GET', `/api/admin/jobs?search=day:${fleet.firstBus.busId}:2026-11-20`);
    expect(jobs.body.total).toBe(1);
    const overview = await ask('GET', '/api/admin');
    expect(overview.body.sections).toContainEqual({ section: 'days', count: 2 });
  });
});

describe('storage', () => {
  it('says what the video of each customer takes and how full the disk is', async () => {
    const startMs = server.clock.nowMs() - 3 * DAY_MS;
    const video = Buffer.alloc(700_000);
    await insertStoredFragment(server, fleet.firstBus, { startMs, lengthMs: 20_000, video });
    server.disk.set({ totalBytes: 1_000_000_000, freeBytes: 500_000_000 });
    // The bus has passed on since: video stands with the customer of its day.
    const { busId } = fleet.firstBus;
    const lastDay = new Date(startMs + DAY_MS).toISOString().slice(0, 10);
    const { pool } = server.deps.database;
    await pool.query('update bus_owners set to_day = $2 where workplace_id = $1', [busId, lastDay]);
    await pool.query(
      `insert into bus_owners (workplace_id, client_id, from_day) values ($1, $2, $3::date + 1)`,
      [busId, fleet.second, lastDay],
    );
    const { body, status } = await ask('GET', '/api/admin/storage');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(body.items[0]).toMatchObject({
      name: 'Первый Первый-фамилия',
      fragments: 1,
      bytes: 700_000,
    });
    expect(body.items[0].oldest).toBe(new Date(startMs).toISOString());
    expect(body).toMatchObject({
      ...{ video: { media: 'folder', bytes: 700_000 }, full_percent: 85 },
      disks: [{ percent: 50 }],
    });
    expect((await ask('GET', '/api/admin/storage', undefined, 'integrator')).status).toBe(403);
  });
});
