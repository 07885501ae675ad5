import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { noteDisk } from '../core/disk-readings.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';
import { addIngest } from '../ingest/http/api.ts';
import { addNews } from '../news/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { insertTestMerge } from '../test/merge.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { deleteMedia } from '../test/video.ts';
import { addRetention } from './api.ts';
import { retentionJob } from './nightly-job.ts';
import { watchDiskJob } from './watch-disk-job.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-11-20T20:00:00Z');
const video = Buffer.alloc(1_000_000, 'video');
const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([...[addAuth, addIngest, addBusDay, addNews, addRetention]]);
  await migrateJobs(server.deps.database.url);
  server.clock.set(NOW);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['admin', 'first', 'second']) tokens[login] = await server.signIn(login);
});
afterAll(() => server.close());

beforeEach(async () => {
  const { db } = server.deps.database;
  server.clock.set(NOW);
  server.disk.set({ totalBytes: 100_000_000, freeBytes: 60_000_000 });
  await db.deleteFrom('segment_files').execute();
  await db
    .updateTable('segments')
    .set({ video_deleted_at: null, video_deleted_for: null })
    .execute();
  await db.deleteFrom('client_retention').execute();
  bus = await insertTestBus(db, fleet.first, `Автобус ${randomUUID()}`);
});

/** A fragment of some days ago, whose files arrived `cameDaysAgo` days ago. */
async function insertOld(daysAgo: number, cameDaysAgo = daysAgo): Promise<number> {
  const { db } = server.deps.database;
  const startMs = NOW - daysAgo * DAY_MS - 3_600_000;
  const id = await insertStoredFragment(server, bus, { startMs, lengthMs: 20_000, video });
  await db
    .updateTable('segment_files')
    .set({ created_at: new Date(NOW - cameDaysAgo * DAY_MS) })
    .where('segment_id', '=', id)
    .execute();
  return id;
}

async function ask(method: 'GET' | 'PUT', url: string, login = 'first', body?: object) {
  const answer = await server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${tokens[login]}` },
    ...(body === undefined ? {} : { body }),
  });
  const isEmpty = answer.body === '';
  return { status: answer.statusCode, body: isEmpty ? undefined : answer.json() };
}

const keep = (id: number, on = true, login = 'first') =>
  ask('PUT', `/api/segments/keep/${id}`, login, { keep: on });
const night = (): Promise<void> => retentionJob(server.deps).run({}, context);
const minute = (): Promise<void> => watchDiskJob(server.deps).run({}, context);

async function withVideo(ids: readonly number[]): Promise<number[]> {
  const rows = await server.deps.database.db
    .selectFrom('segment_files')
    .select('segment_id')
    .distinct()
    .where('segment_id', 'in', [...ids])
    .execute();
  return ids.filter((id) => rows.some(({ segment_id }) => segment_id === id));
}

describe('video', () => {
  it('goes after 90 days, unless it is kept or was fetched lately; twice is as once', async () => {
    const [old, kept, fetched, young] = [
      await insertOld(91),
      await insertOld(92),
      await insertOld(93, 2),
      await insertOld(89),
    ];
    expect((await keep(kept)).body).toMatchObject({ id: kept, kept: true });
    await night();
    await night();
    expect(await withVideo([old, kept, fetched, young])).toEqual([kept, fetched, young]);
    expect((await keep(kept, false)).body.kept).toBe(false);
    await night();
    expect(await withVideo([kept])).toEqual([]);
  });

  it('that is gone says when and why, and its fragment keeps its state and counts', async () => {
    const id = await insertOld(91);
    const { db } = server.deps.database;
    await db
      .insertInto('manual_counts')
      .values({
        segment_id: id,
        entered: 7,
        updated_by: (await adminId()) ?? 0,
        updated_at: new Date(),
      })
      .execute();
    const { storage_key } = await db
      .selectFrom('segment_files')
      .select('storage_key')
      .where('segment_id', '=', id)
      .limit(1)
      .executeTakeFirstOrThrow();
    expect((await find(id)).playback_uri).not.toBeNull();
    await night();
    expect(await find(id)).toMatchObject({
      status: 'PROCESSED',
      playback_uri: null,
      download: null,
      video: null,
      video_deleted_at: new Date(NOW).toISOString(),
      video_deleted_for: 'age',
      entered_manual: { adult: 7 },
    });
    await deleteMedia(server);
    expect(await server.deps.storage.stat(storage_key)).toBeUndefined();
  });

  it('of a customer with days of their own goes by those', async () => {
    const [forty, ten] = [await insertOld(40), await insertOld(10)];
    const address = `/api/retention/${fleet.first}`;
    const days = { video_days: 30, files_days: null, positions_days: null };
    expect((await ask('PUT', address, 'first', days)).status).toBe(403);
    expect((await ask('PUT', address, 'admin', days)).status).toBe(204);
    expect((await ask('GET', address, 'admin')).body).toEqual({
      client_id: fleet.first,
      ...days,
      defaults: { video_days: 90, files_days: 7, positions_days: 400 },
    });
    await night();
    expect(await withVideo([forty, ten])).toEqual([ten]);
  });

  it('of a bus that passed on goes by the days of the customer of its own day', async () => {
    const [former, latter] = [await insertOld(40), await insertOld(35)];
    const days = { video_days: 30, files_days: null, positions_days: null };
    await ask('PUT', `/api/retention/${fleet.integrator}`, 'admin', days);
    const { db } = server.deps.database;
    const moved = new Date(NOW - 38 * DAY_MS).toISOString().slice(0, 10);
    await sql`update bus_owners set to_day = ${moved} where workplace_id = ${bus.busId}`.execute(
      db,
    );
    await sql`insert into bus_owners (workplace_id, client_id, from_day)
      values (${bus.busId}, ${fleet.integrator}, ${moved}::date + 1)`.execute(db);
    await night();
    expect(await withVideo([former, latter])).toEqual([former]);
  });

  it('of a customer goes by the days that two set at once, each another one', async () => {
    const address = `/api/retention/${fleet.second}`;
    const answers = await Promise.all([
      ask('PUT', address, 'admin', { video_days: 30 }),
      ask('PUT', address, 'admin', { files_days: 5 }),
      ask('PUT', address, 'admin', {}),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
    const now = { video_days: 30, files_days: 5, positions_days: null };
    expect((await ask('GET', address, 'admin')).body).toMatchObject(now);
    await ask('PUT', address, 'admin', { files_days: 5 });
    const changes = await server.deps.database.db
      .selectFrom('audit_log')
      .select(['before', 'after'])
      .where('action', '=', 'set_retention')
      .where('object_id', '=', String(fleet.second))
      .execute();
    expect(changes).toHaveLength(2);
  });

  it('of a running merge, or that somebody works on, stays', async () => {
    const [merging, counting] = [await insertOld(91), await insertOld(92)];
    const { db } = server.deps.database;
    await db
      .updateTable('segments')
      .set({ status: 'PROCESSING' })
      .where('id', '=', counting)
      .execute();
    const request = await insertMerge('PROCESS', 0);
    await db
      .insertInto('merge_request_segments')
      .values({ request_id: request, segment_id: merging })
      .execute();
    await night();
    expect(await withVideo([merging, counting])).toEqual([merging, counting]);
    await db
      .updateTable('merge_requests')
      .set({ status: 'FAILED' })
      .where('id', '=', request)
      .execute();
    await db
      .updateTable('segments')
      .set({ status: 'PROCESSED' })
      .where('id', '=', counting)
      .execute();
  });

  it('is kept by those who see it, and by nobody else', async () => {
    const id = await insertOld(1);
    expect((await keep(id, true, 'second')).status).toBe(404);
    await keep(id);
    await keep(id);
    const { rows } = await sql`select 1 from audit_log
      where action = 'keep_segment' and object_id = ${String(id)}`.execute(server.deps.database.db);
    expect(rows).toHaveLength(1);
  });
});

describe('other things', () => {
  it('merged files go after 7 days; what was asked for and the SHA-256 stay', async () => {
    const [old, young] = [await insertMerge('SENT', 8), await insertMerge('COMPLETE', 6)];
    await server.deps.storage.put('merged/999999', Readable.from([video]));
    await night();
    const rows = await server.deps.database.db
      .selectFrom('merge_requests')
      .select(['id', 'status', 'storage_key', 'sha256', 'deleted_at'])
      .where('id', 'in', [old, young])
      .orderBy('id')
      .execute();
    expect(rows).toMatchObject([
      { status: 'SENT', storage_key: null, sha256: expect.any(Buffer), deleted_at: new Date(NOW) },
      { status: 'COMPLETE', storage_key: `merged/${young}`, deleted_at: null },
    ]);
    // The file of a killed process, which no row names.
    expect(await server.deps.storage.stat('merged/999999')).toBeUndefined();
  });

  it('positions go after 400 days, counts stay', async () => {
    const { db } = server.deps.database;
    for (const [seq, daysAgo] of [401, 399].entries()) {
      const time = new Date(NOW - daysAgo * DAY_MS).toISOString();
      const passenger = { direction: 'entered', passenger: 'adult', door: 1 };
      const place = { latitude: 55.75, longitude: 37.6, fix: true };
      await send([
        { seq: seq * 2, type: 'passenger', time, ...passenger },
        { seq: seq * 2 + 1, type: 'position', time, ...place },
      ]);
    }
    const count = async (table: 'position_blocks' | 'passenger_events'): Promise<number> => {
      const rows = await db
        .selectFrom(table)
        .select('unit_id')
        .where('unit_id', '=', bus.unitId)
        .execute();
      return rows.length;
    };
    expect([await count('position_blocks'), await count('passenger_events')]).toEqual([2, 2]);
    await night();
    await night();
    expect([await count('position_blocks'), await count('passenger_events')]).toEqual([1, 2]);
    const unit = await db
      .selectFrom('units')
      .select('positions_from')
      .where('id', '=', bus.unitId)
      .executeTakeFirst();
    expect(unit?.positions_from).toEqual(new Date(NOW - 400 * DAY_MS));
  });
});

describe('a disk that fills up', () => {
  it('loses its oldest video that nobody wants kept, and no more than it must', async () => {
    const kept = await insertOld(30);
    await keep(kept);
    const days = [20, 25, 5, 10];
    const ids: number[] = [];
    for (const daysAgo of days) ids.push(await insertOld(daysAgo));
    await minute();
    expect(await withVideo(ids)).toHaveLength(4);
    // 85 of 100 MB are used; deleting two files of 1 MB makes it 83.
    server.disk.set({ totalBytes: 100_000_000, freeBytes: 15_000_000 });
    await minute();
    expect(await withVideo([...ids, kept])).toEqual([ids[2], ids[3], kept]);
    expect((await find(ids[1] ?? 0)).video_deleted_for).toBe('space');
    // The files are deleted later. Until then the disk is as full, but nothing more is marked.
    await minute();
    expect(await withVideo(ids)).toHaveLength(2);
    server.clock.advance(5 * 60_000);
    await minute();
    expect(await withVideo([...ids, kept])).toEqual([kept]);
  });

  it('is told to administrators, and to nobody else, as long as it lasts', async () => {
    await insertOld(20);
    server.disk.set({ totalBytes: 100_000_000, freeBytes: 10_000_000 });
    await minute();
    const messages = async (login: string) =>
      (await ask('GET', '/api/news/active-messages', login)).body.items;
    expect(await messages('first')).toEqual([]);
    const [told] = await messages('admin');
    expect(told).toMatchObject({
      notice: { kind: 'disk', percent: 90, deleted: expect.any(Number), until: '2026-10-31' },
    });
    server.clock.advance(10 * 60_000);
    await minute();
    expect((await messages('admin'))[0].id).toBe(told.id);
    server.disk.set({ totalBytes: 100_000_000, freeBytes: 60_000_000 });
    server.clock.advance(2 * DAY_MS);
    await minute();
    tokens.admin = await server.signIn('admin');
    expect(await messages('admin')).toEqual([]);
  });

  it('is told as long as any machine has one, wherever the job runs', async () => {
    const { disk, database, clock } = server.deps;
    const other = {
      ...{ machine: 'worker-2', limits: disk.limits },
      read: async () => ({ totalBytes: 100_000_000, freeBytes: 8_000_000 }),
    };
    const told = async () => {
      await minute();
      tokens.admin = await server.signIn('admin');
      return (await ask('GET', '/api/news/active-messages', 'admin')).body.items;
    };
    await noteDisk(database.db, other, clock.nowMs());
    expect(await told()).toMatchObject([{ notice: { kind: 'disk', percent: 92 } }]);
    await noteDisk(database.db, { ...other, read: disk.read }, clock.nowMs());
    expect(await told()).toEqual([]);
  });
});

async function find(id: number): Promise<Fragment> {
  const { start_time } = await server.deps.database.db
    .selectFrom('segments')
    .select('start_time')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const day = new Date(start_time.getTime() + 3 * 3_600_000).toISOString().slice(0, 10);
  const { body } = await ask(
    'GET',
    `/api/segments/day-segments?workplaceId=${bus.busId}&date=${day}`,
  );
  const found = (body as DayFragments).segments.find((one) => one.id === id);
  if (found === undefined) throw new Error(`no fragment ${id} on ${day}`);
  return found;
}

async function adminId(): Promise<number | undefined> {
  const row = await server.deps.database.db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'admin')
    .executeTakeFirst();
  return row?.id;
}

async function insertMerge(
  status: 'PROCESS' | 'SENT' | 'COMPLETE',
  daysAgo: number,
): Promise<number> {
  const { db } = server.deps.database;
  const at = new Date(NOW - daysAgo * DAY_MS);
  const id = await insertTestMerge(db, bus, fleet.first, { status, at });
  if (status === 'PROCESS') return id;
  const key = `merged/${id}`;
  await server.deps.storage.put(key, Readable.from([video]));
  await db
    .updateTable('merge_requests')
    .set({ storage_key: key, size_bytes: video.length, sha256: Buffer.alloc(32), completed_at: at })
    .where('id', '=', id)
    .execute();
  return id;
}

async function send(records: readonly object[]): Promise<void> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream: randomUUID(), sent_at: new Date(NOW).toISOString(), records },
  });
  expect(answer.json<{ refused: unknown[] }>().refused, answer.body).toEqual([]);
}
