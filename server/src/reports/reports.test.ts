import { once } from 'node:events';
import { MAX_OPEN_REPORTS, type Report } from '@ridewatch/contract/reports';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';
import type { Deps } from '../deps.ts';
import { addIngest } from '../ingest/http/api.ts';
import { retentionJob } from '../retention/nightly-job.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { passengerRecord, sendRecords } from '../test/laps.ts';
import { readXlsx } from '../test/read-xlsx.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addReports } from './api.ts';
import { reportJobs } from './job.ts';

const DAY = '2026-11-20';
const NOW_MS = Date.parse('2026-11-20T09:00:00Z');

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addReports]);
  await migrateJobs(server.deps.database.url);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  for (const login of ['admin', 'first', 'second']) tokens[login] = await server.signIn(login);
  const records = [1, 2, 3].map((n) => passengerRecord(NOW_MS - n * 60_000, 'entered', n));
  await sendRecords(server.app, fleet.firstBus, records, NOW_MS);
});
afterAll(() => server.close());

beforeEach(async () => {
  server.clock.set(NOW_MS);
  await server.deps.database.db.deleteFrom('reports').execute();
});

async function ask(
  method: 'GET' | 'POST',
  url: string,
  { login = 'first', body }: { login?: string; body?: object } = {},
) {
  const answer = await server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${tokens[login]}` },
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

const parametersOf = (more: object = {}) => ({ kind: 'test-export', from: DAY, to: DAY, ...more });
const request = (more: object = {}, login = 'first') =>
  ask('POST', '/api/reports', {
    login,
    body: { parameters: parametersOf(), language: 'en_US', ...more },
  });

async function requested(more: object = {}, login?: string): Promise<Report> {
  const { status, body } = await request(more, login);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const find = async (id: number): Promise<Report> => (await ask('GET', `/api/reports/${id}`)).body;

const jobOf = (name: string, deps: Deps = server.deps) => {
  const job = reportJobs(deps).find((one) => one.name === name);
  if (job === undefined) throw new Error(`There is no job ${name}.`);
  return job;
};
const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
const run = (reportId: number, { deps = server.deps, lastAttempt = false } = {}): Promise<void> =>
  jobOf('make_report', deps).run({ reportId }, { ...context, lastAttempt });

/** Dependencies whose store writes in its own way. */
const storingBy = (put: Deps['storage']['put']): Deps => ({
  ...server.deps,
  storage: { ...server.deps.storage, put },
});

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of server.deps.storage.list('reports/')) keys.push(key);
  return keys;
}

async function waitingJobs(name: string): Promise<unknown[]> {
  const { rows } = await sql`
    select payload from graphile_worker._private_jobs as jobs
    join graphile_worker._private_tasks as tasks on tasks.id = task_id
    where identifier = ${name}`.execute(server.deps.database.db);
  return rows;
}

const moveFirstBus = (clientId: number) =>
  server.deps.database.db
    .updateTable('workplace_clients')
    .set({ client_id: clientId })
    .where('workplace_id', '=', fleet.firstBus.busId)
    .execute();
const cancel = (id: number) => ask('POST', `/api/reports/${id}/cancel`, { body: {} });

describe('a report', () => {
  it('goes from a request to a file with the same rows as the export', async () => {
    const { firstBus } = fleet;
    const parameters = parametersOf({ workplaceIds: [firstBus.busId] });
    const { id, status, progress } = await requested({ parameters });
    expect([status, progress]).toEqual(['PROCESS', 0]);
    await run(id);
    const report = await find(id);
    expect(report).toMatchObject({
      status: 'COMPLETE',
      progress: 100,
      rows: 3,
      format: 'xlsx',
      language: 'en_US',
      parameters,
      subjects: { total: 1, names: ['Автобус 10'] },
      file_name: `Test-export_${DAY}.xlsx`,
      fail_reason: null,
      expires_at: '2026-11-27T09:00:00.000Z',
    });
    const file = await server.app.inject({ url: report.download ?? '' });
    expect(file.headers['content-disposition']).toContain('Test-export');
    expect(file.rawPayload).toHaveLength(report.size_bytes ?? 0);
    const url = `/api/stat/test-export?from=${DAY}&to=${DAY}&language=en_US`;
    const authorization = `Bearer ${tokens.first}`;
    const now = await server.app.inject({ url, headers: { authorization } });
    expect(file.rawPayload).toEqual(now.rawPayload);
    expect((await readXlsx(file.rawPayload))[0]?.rows).toHaveLength(4);
  });

  it('is CSV where that is asked', async () => {
    const { id } = await requested({ format: 'csv' });
    await run(id);
    const { download } = await find(id);
    const file = await server.app.inject({ url: download ?? '' });
    expect(file.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(file.body.trim().split('\r\n')).toHaveLength(4);
  });

  it('is joined by an equal request, and is another one in another format', async () => {
    const { id } = await requested();
    expect((await requested()).id).toBe(id);
    expect((await requested({ format: 'csv' })).id).not.toBe(id);
  });

  it('belongs to its user alone', async () => {
    const { id } = await requested();
    await run(id);
    const { download } = await find(id);
    for (const login of ['second', 'admin']) {
      expect((await ask('GET', `/api/reports/${id}`, { login })).status).toBe(404);
      expect((await ask('GET', `/api/reports/${id}/download`, { login })).status).toBe(404);
      expect((await ask('POST', `/api/reports/${id}/cancel`, { login, body: {} })).status).toBe(
        404,
      );
      expect((await ask('GET', '/api/reports', { login })).body.total).toBe(0);
    }
    const forged = await server.app.inject({
      url: `${download?.replace(`/${id}/`, `/${id + 1}/`)}`,
    });
    expect(forged.statusCode).toBe(403);
  });

  it('is refused like the export: for a foreign bus, too many, or a missing field', async () => {
    const of = (more: object) => request({ parameters: parametersOf(more) });
    expect(await of({ workplaceIds: [fleet.secondBus.busId] })).toMatchObject({ status: 404 });
    const ids = Array.from({ length: 201 }, (_, n) => n + 1);
    expect((await of({ workplaceIds: ids })).body).toMatchObject({ error: 'too_many_buses' });
    expect((await of({ to: undefined })).body).toMatchObject({ field: 'parameters.to' });
    expect((await of({ kind: 'advanced-report' })).body).toMatchObject({
      field: 'parameters.groupIds',
    });
  });

  it('is one of ten in progress of a user at most', async () => {
    for (let n = 0; n < MAX_OPEN_REPORTS; n += 1) {
      await requested({ parameters: parametersOf({ from: `2026-11-${10 + n}` }) });
    }
    expect((await request()).status).toBe(429);
    const { id } = (await ask('GET', '/api/reports')).body.items[0];
    await cancel(id);
    expect((await request()).status).toBe(200);
  });
});

describe('the list of reports', () => {
  it('has them with their filters, by page, kind and status, and says how many are in progress', async () => {
    const done = await requested();
    await run(done.id);
    server.clock.advance(1000);
    const load = await requested({ parameters: parametersOf({ kind: 'bus-load' }) });
    const list = async (query = '') => {
      const { items, total, in_progress } = (await ask('GET', `/api/reports?${query}`)).body;
      return [items.map(({ id }: Report) => id), total, in_progress];
    };
    expect(await list()).toEqual([[load.id, done.id], 2, 1]);
    expect(await list('perPage=1&page=1')).toEqual([[done.id], 2, 1]);
    expect(await list('kind=bus-load')).toEqual([[load.id], 1, 1]);
    expect(await list('status=COMPLETE')).toEqual([[done.id], 1, 1]);
  });

  it('names no route and no bus that its user may no longer see', async () => {
    const { firstBus, secondBus, first, second } = fleet;
    const { id } = await requested({
      parameters: parametersOf({ workplaceIds: [firstBus.busId] }),
    });
    const namesOf = async () => (await find(id)).subjects?.names;
    expect(await namesOf()).toEqual(['Автобус 10']);
    await moveFirstBus(second);
    expect(await namesOf()).toEqual([]);
    await moveFirstBus(first);
    const setRoute = (routeId: number) => {
      const about = { kind: 'advanced-report', from: DAY, to: DAY, groupIds: [routeId] };
      return sql`update reports set parameters = ${JSON.stringify(about)} where id = ${id}`.execute(
        server.deps.database.db,
      );
    };
    await setRoute(firstBus.routeId);
    expect(await namesOf()).toEqual(['Маршрут Автобус 10']);
    await setRoute(secondBus.routeId);
    expect(await namesOf()).toEqual([]);
  });
});

describe('a report in progress', () => {
  it('that is cancelled fails with that reason, and leaves no file', async () => {
    const { id } = await requested();
    const cancelled = await ask('POST', `/api/reports/${id}/cancel`, { body: {} });
    expect(cancelled.body).toMatchObject({ status: 'FAILED', fail_reason: 'cancelled' });
    await run(id);
    expect(await find(id)).toMatchObject({ status: 'FAILED', download: null });
    expect((await ask('POST', `/api/reports/${id}/cancel`, { body: {} })).status).toBe(409);
  });

  it('that is cancelled while its file is written ends at once, and leaves nothing', async () => {
    const { id } = await requested();
    const deps = storingBy(async (_key, body) => {
      await cancel(id);
      // The job's look at its row breaks the file off.
      await once(body, 'end');
      throw new Error('The file was written to its end.');
    });
    await run(id, { deps });
    expect(await find(id)).toMatchObject({ status: 'FAILED', fail_reason: 'cancelled' });
    expect(await storedKeys()).not.toContain(`reports/${id}.xlsx`);
  });

  it('that is cancelled when its file is stored has the file deleted', async () => {
    const { id } = await requested();
    const deps = storingBy(async (key, body) => {
      const stored = await server.deps.storage.put(key, body);
      await cancel(id);
      return stored;
    });
    await run(id, { deps });
    expect(await find(id)).toMatchObject({ status: 'FAILED', fail_reason: 'cancelled' });
    expect(await waitingJobs('delete_media')).toContainEqual({
      payload: { keys: [`reports/${id}.xlsx`] },
    });
    await server.deps.storage.delete(`reports/${id}.xlsx`);
  });

  it('begins anew after a crash, and has its whole file', async () => {
    const { id } = await requested();
    const killed = storingBy(async () => Promise.reject(new Error('killed')));
    await expect(run(id, { deps: killed })).rejects.toThrow('killed');
    expect(await find(id)).toMatchObject({ status: 'PROCESS', download: null });
    await run(id);
    expect(await find(id)).toMatchObject({ status: 'COMPLETE', rows: 3 });
  });

  it('fails after its last attempt, and says when the disk is full', async () => {
    const { id } = await requested();
    const broken = storingBy(async () => Promise.reject(new Error('broken')));
    await run(id, { deps: broken, lastAttempt: true });
    expect(await find(id)).toMatchObject({ status: 'FAILED', fail_reason: 'failed' });
    const other = await requested();
    const full = Object.assign(new Error('The disk is full.'), { code: 'ENOSPC' });
    await run(other.id, { deps: storingBy(async () => Promise.reject(full)) });
    expect(await find(other.id)).toMatchObject({ fail_reason: 'no_space' });
  });

  it('is made with the rights that its user has then', async () => {
    const { db } = server.deps.database;
    const parameters = parametersOf({ workplaceIds: [fleet.firstBus.busId] });
    const { id } = await requested({ parameters });
    await moveFirstBus(fleet.second);
    await run(id);
    await moveFirstBus(fleet.first);
    expect(await find(id)).toMatchObject({ status: 'FAILED', fail_reason: 'not_found' });
    const blocked = await requested();
    await db.updateTable('users').set({ enabled: false }).where('login', '=', 'first').execute();
    await run(blocked.id);
    await db.updateTable('users').set({ enabled: true }).where('login', '=', 'first').execute();
    expect(await find(blocked.id)).toMatchObject({ fail_reason: 'no_right' });
  });

  it('that lost its job gets another one', async () => {
    const { id } = await requested();
    await sql`delete from graphile_worker._private_jobs`.execute(server.deps.database.db);
    const sweep = () => jobOf('sweep_reports').run({}, context);
    await sweep();
    expect(await waitingJobs('make_report')).toEqual([]);
    server.clock.advance(61_000);
    await sweep();
    expect(await waitingJobs('make_report')).toEqual([{ payload: { reportId: id } }]);
  });

  it('whose attempts all ended with the process has failed, and is not queued again', async () => {
    const { db } = server.deps.database;
    const { id } = await requested();
    const stopped = { ...context, lastAttempt: true, signal: AbortSignal.abort() };
    await expect(jobOf('make_report').run({ reportId: id }, stopped)).rejects.toThrow();
    await sql`update graphile_worker._private_jobs set attempts = max_attempts`.execute(db);
    server.clock.advance(61_000);
    await jobOf('sweep_reports').run({}, context);
    const report = await db
      .selectFrom('reports')
      .select(['status', 'fail_reason'])
      .where('id', '=', id)
      .executeTakeFirst();
    expect(report).toEqual({ status: 'FAILED', fail_reason: 'failed' });
    const { rows } = await sql`select attempts from graphile_worker.jobs
      where key = ${`report:${id}`} and attempts < max_attempts`.execute(db);
    expect(rows).toEqual([]);
  });

  it('is found without its job a thousand at a time', async () => {
    const { db } = server.deps.database;
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    await sql`insert into reports (user_id, kind, parameters, created_at)
      select id, 'test-export', '{}', ${new Date(NOW_MS - 120_000)} from users, generate_series(1, 1100)
      where login = 'first'`.execute(db);
    const counts = [];
    for (let minute = 1; minute <= 2; minute += 1) {
      await jobOf('sweep_reports').run({}, context);
      counts.push((await waitingJobs('make_report')).length);
    }
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    expect(counts).toEqual([1000, 1100]);
  });
});

describe('a file of a report', () => {
  it('is no longer served to a user who lost one of its buses', async () => {
    const { id } = await requested();
    await run(id);
    const { download } = await find(id);
    await moveFirstBus(fleet.second);
    const lost = await server.app.inject({ url: download ?? '' });
    await moveFirstBus(fleet.first);
    expect(lost.statusCode).toBe(404);
    expect((await server.app.inject({ url: download ?? '' })).statusCode).toBe(200);
  });

  it('is deleted with its report after a week', async () => {
    const { id } = await requested();
    await run(id);
    server.clock.set(NOW_MS + 8 * 24 * 3_600_000);
    tokens.first = await server.signIn('first');
    expect((await ask('GET', '/api/reports')).body.total).toBe(0);
    await retentionJob(server.deps).run({}, context);
    expect((await ask('GET', `/api/reports/${id}`)).status).toBe(404);
    expect(await waitingJobs('delete_media')).toContainEqual({
      payload: { keys: [`reports/${id}.xlsx`] },
    });
    server.clock.set(NOW_MS);
    tokens.first = await server.signIn('first');
  });
});

describe('the estimate of a report', () => {
  it('says whether the rows are for a report', async () => {
    const answer = await ask('POST', '/api/reports/estimate', {
      body: { parameters: parametersOf() },
    });
    expect(answer.body).toEqual({ rows: 3, is_long: false });
  });
});
