import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { MergeRequest } from '@ridewatch/contract/merges';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';
import { ffmpeg, makeClip } from '../test/clip.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addMerges } from './api.ts';
import { mergeJob } from './job.ts';
import { mergeInThread } from './making/merge-thread.ts';

const DAY = Date.parse('2026-11-20T06:00:00Z');
const clip = makeClip(2);

let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([addAuth, addMerges]);
  await migrateJobs(server.deps.database.url);
  server.clock.set(Date.parse('2026-11-20T20:00:00Z'));
  await server.app.listen({ port: 0, host: '127.0.0.1' });
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['admin', 'first', 'second', 'operator']) {
    tokens[login] = await server.signIn(login);
  }
});
afterAll(() => server.close());

/** Three fragments of a door of the new bus, a minute apart. */
let segments: number[];
beforeEach(async () => {
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Автобус ${crypto.randomUUID()}`);
  segments = [];
  for (const n of [0, 1, 2]) segments.push(await insertFragment(n));
});

const insertFragment = (minute: number, more: object = {}): Promise<number> =>
  insertStoredFragment(server, bus, {
    startMs: DAY + minute * 60_000,
    lengthMs: 2000,
    video: clip,
    ...more,
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

const at = (ms: number): string => new Date(DAY + ms).toISOString();
const wanted = (more: object = {}) => ({
  from: at(0),
  to: at(122_000),
  processed: true,
  deviceId: bus.cameras.door1,
  ...more,
});
const request = (more: object = {}, login = 'first') =>
  ask('POST', '/api/concatenated-medias/merge', { login, body: wanted(more) });

async function requested(more: object = {}): Promise<MergeRequest> {
  const { status, body } = await request(more);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const run = (id: number, lastAttempt = false): Promise<void> =>
  mergeJob(server.deps, ffmpeg).run(
    { requestId: id },
    { jobId: '1', attempt: 1, lastAttempt, signal: AbortSignal.any([]) },
  );

async function listed(login = 'first'): Promise<MergeRequest[]> {
  return (await ask('GET', '/api/concatenated-medias', { login })).body.items;
}
const find = async (id: number, login?: string): Promise<MergeRequest> => {
  const found = (await listed(login)).find((one) => one.id === id);
  if (found === undefined) throw new Error(`${id} is not listed`);
  return found;
};

async function statesOf(ids: readonly number[]): Promise<[string, string | null][]> {
  const rows = await server.deps.database.db
    .selectFrom('segments')
    .select(['status', 'fail_reason'])
    .where('id', 'in', [...ids])
    .orderBy('id')
    .execute();
  return rows.map(({ status, fail_reason }) => [status, fail_reason]);
}

describe('a merge', () => {
  it('goes from a request to a file that is described, and marks its fragments', async () => {
    const { id, status, progress, client_id } = await requested();
    expect([status, progress, client_id]).toEqual(['PROCESS', 0, fleet.first]);
    await run(id);
    const merge = await find(id);
    expect(merge).toMatchObject({
      status: 'COMPLETE',
      progress: 100,
      fragments: 3,
      duration_ms: 6000,
      timezone: 'Europe/Moscow',
      from: at(0),
      to: at(122_000),
      fail_reason: null,
      expires_at: '2026-11-27T20:00:00.000Z',
    });
    expect(await statesOf(segments)).toEqual(Array(3).fill(['WAS_MERGED', null]));
    const file = await server.app.inject({ url: merge.download ?? '' });
    expect(file.headers).toMatchObject({ 'content-type': 'video/mp4' });
    expect(file.headers['content-disposition']).toContain(
      encodeURIComponent('Дверь-1_2026-11-20_09.00.00-09.02.02_UTC+3.mp4'),
    );
  });

  it('takes the fragments of its period alone, whole where they reach over its ends', async () => {
    const { id } = await requested({ from: at(1000), to: at(61_000) });
    await run(id);
    expect(await find(id)).toMatchObject({ fragments: 2, duration_ms: 4000 });
    expect((await statesOf(segments)).map(([state]) => state)).toEqual([
      'WAS_MERGED',
      'WAS_MERGED',
      'PROCESSED',
    ]);
  });

  it('of a service camera leaves its fragments where they are', async () => {
    const cabin = { camera: 'cabin', status: 'LOADED' };
    const own = [await insertFragment(5, cabin), await insertFragment(6, cabin)];
    const deviceId = bus.cameras.cabin;
    const { id } = await requested({ from: at(300_000), to: at(362_000), deviceId });
    await run(id);
    expect((await find(id)).status).toBe('COMPLETE');
    expect(await statesOf(own)).toEqual(Array(2).fill(['LOADED', null]));
  });

  it.each([
    ['before the first start', { from: at(-60_000) }, 'from'],
    ['after the last end', { to: at(180_000) }, 'to'],
    ['that ends where it starts', { to: at(0) }, 'to'],
  ])('is refused for a period %s', async (_name, more, field) => {
    expect(await request(more)).toMatchObject({
      status: 400,
      body: { error: 'invalid_request', field },
    });
  });

  it('is refused where no fragment has video here', async () => {
    await insertFragment(10, { video: undefined, status: 'LIVE' });
    const answer = await request({ from: at(600_000), to: at(601_000) });
    expect(answer).toMatchObject({ status: 409, body: { error: 'conflict' } });
  });

  it('that runs is joined by who asks for the same', async () => {
    const first = await requested();
    expect((await requested()).id).toBe(first.id);
    expect((await requested({ to: at(60_000) })).id).not.toBe(first.id);
  });

  it('is one also for who ask at the same moment', async () => {
    const all = await Promise.all(Array.from({ length: 6 }, () => requested()));
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);
  });

  it('becomes SENT when a whole body went out, by token or signed address, and not before', async () => {
    const { id, download } = await requested();
    expect(download).toBeNull();
    const address = `/api/concatenated-medias/download/${id}`;
    expect((await ask('GET', address)).status).toBe(404);
    await run(id);
    const signed = (await find(id)).download ?? '';
    const { port } = server.app.server.address() as { port: number };
    const get = (url: string, headers: Record<string, string> = {}): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}${url}`, { headers });
    const part = await get(signed, { range: 'bytes=0-99' });
    expect([part.status, (await part.arrayBuffer()).byteLength]).toEqual([206, 100]);
    expect((await find(id)).status).toBe('COMPLETE');
    const whole = await get(address, { authorization: `Bearer ${tokens.first}` });
    const bytes = Buffer.from(await whole.arrayBuffer());
    await expect.poll(async () => (await find(id)).status).toBe('SENT');
    const merge = await find(id);
    expect(merge.size_bytes).toBe(bytes.length);
    expect(merge.sha256).toBe(createHash('sha256').update(bytes).digest('hex'));
    expect((await get(signed)).status).toBe(200);
    expect((await get(signed.replace(/.{8}$/, 'forged..'))).status).toBe(403);
    expect((await get(address)).status).toBe(403);
    const other = await requested({ to: at(60_000) });
    expect((await get(signed.replace(`/${id}?`, `/${other.id}?`))).status).toBe(403);
    const { rows } = await server.deps.database.pool.query(
      'select action from audit_log where object_type = $1 and object_id = $2 order by id',
      ['merge_request', String(id)],
    );
    const actions = rows.map(({ action }: { action: string }) => action);
    expect(actions).toEqual([
      'request_merge',
      'download_merge',
      'download_merge',
      'download_merge',
    ]);
  });

  it('names the customer to administrators alone, and shows to each what is theirs', async () => {
    const { id } = await requested();
    expect((await find(id, 'admin')).client).toMatchObject({ id: fleet.first, name: 'Первый' });
    expect((await find(id)).client).toBeNull();
    expect((await find(id, 'operator')).client).toBeNull();
    expect((await listed('second')).map((one) => one.id)).not.toContain(id);
    const cancel = `/api/concatenated-medias/cancel/${id}`;
    const foreign = await ask('POST', cancel, { login: 'second', body: {} });
    expect(foreign.status).toBe(404);
  });

  it('of an administrator is that of the first customer of the bus', async () => {
    const { body } = await request({}, 'admin');
    expect(body.client_id).toBe(fleet.first);
  });
});

describe('a merge that does not come to its end', () => {
  it('is cancelled at once: FAILED, its fragments as before, no file', async () => {
    const { id } = await requested();
    const { db } = server.deps.database;
    // The user cancels before the first bytes are read; the job notices only when the file is written.
    const job = mergeJob(server.deps, ffmpeg, async (order, watch) => {
      await ask('POST', `/api/concatenated-medias/cancel/${id}`, { body: {} });
      return mergeInThread(order, watch);
    });
    await job.run(
      { requestId: id },
      { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) },
    );
    expect(await find(id)).toMatchObject({ status: 'FAILED', fail_reason: 'cancelled' });
    expect(await statesOf(segments)).toEqual(Array(3).fill(['PROCESSED', 'merge_cancelled']));
    const { storage_key } = await db
      .selectFrom('merge_requests')
      .select('storage_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(storage_key).toBeNull();
    expect(await readdir(path.join(server.deps.config.dataDir, 'work'))).toEqual([]);
    const again = await ask('POST', `/api/concatenated-medias/cancel/${id}`, { body: {} });
    expect(again).toMatchObject({ status: 409 });
  });

  it('begins anew after a crash and ends', async () => {
    const { id } = await requested();
    const { promise: death, reject: die } = Promise.withResolvers<never>();
    const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };
    const killed = mergeJob(server.deps, ffmpeg, () => death).run({ requestId: id }, context);
    await expect.poll(() => statesOf(segments)).toEqual(Array(3).fill(['MERGING', null]));
    await run(id);
    expect((await find(id)).status).toBe('COMPLETE');
    expect(await statesOf(segments)).toEqual(Array(3).fill(['WAS_MERGED', null]));
    die(new Error('killed'));
    await expect(killed).rejects.toThrow('killed');
    expect((await find(id)).status).toBe('COMPLETE');
  });

  it('fails with a reason after its last try, and its fragments return', async () => {
    await server.deps.database.db
      .updateTable('segment_files')
      .set({ storage_key: 'video/gone' })
      .where('segment_id', '=', segments[1] ?? 0)
      .execute();
    const { id } = await requested();
    await expect(run(id)).rejects.toThrow();
    expect((await find(id)).status).toBe('PROCESS');
    await run(id, true);
    expect(await find(id)).toMatchObject({ status: 'FAILED', fail_reason: 'failed' });
    expect(await statesOf(segments)).toEqual(Array(3).fill(['PROCESSED', 'merge_failed']));
  });

  it('says that the disk is full', async () => {
    const { id } = await requested();
    const full = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
    await mergeJob(server.deps, ffmpeg, full).run(
      { requestId: id },
      { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) },
    );
    expect(await find(id)).toMatchObject({ status: 'FAILED', fail_reason: 'no_space' });
  });

  it('does not take back fragments that another merge works on', async () => {
    const first = await requested();
    const second = await requested({ to: at(62_000) });
    const { db } = server.deps.database;
    const { beginMerge, failMerge } = await import('./rows.ts');
    await beginMerge(db, first.id, server.clock.nowMs());
    // One merge at a time, unless the running one has been silent too long.
    expect(await beginMerge(db, second.id, server.clock.nowMs())).toBeUndefined();
    server.clock.advance(60_000);
    await beginMerge(db, second.id, server.clock.nowMs());
    await failMerge(db, first.id, 'failed', server.clock.nowMs());
    expect((await statesOf(segments)).map(([state]) => state)).toEqual([
      'MERGING',
      'MERGING',
      'PROCESSED',
    ]);
    await run(second.id);
    expect((await statesOf(segments)).map(([state]) => state)).toEqual([
      'WAS_MERGED',
      'WAS_MERGED',
      'PROCESSED',
    ]);
  });
});
