// Customers with days of their own for files and positions; retention.test.ts has those for video.
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { migrateJobs } from '../core/jobs/jobs.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { insertTestMerge } from '../test/merge.ts';
import { askJson, sendBatch } from '../test/requests.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addRetention } from './api.ts';
import { retentionJob } from './nightly-job.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.parse('2026-11-20T20:00:00Z');
const agoOf = (days: number): Date => new Date(NOW - days * DAY_MS);
const context = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

let server: TestServer;
let fleet: TestFleet;
let admin: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addRetention]);
  await migrateJobs(server.deps.database.url);
  server.clock.set(NOW);
  fleet = await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

/** Sets the days of a customer; those that are not named are the installation's. */
async function keepFor(clientId: number, days: { files_days?: number; positions_days?: number }) {
  const own = { video_days: null, files_days: null, positions_days: null, ...days };
  const { status } = await askJson(server, admin, 'PUT', `/api/retention/${clientId}`, own);
  expect(status).toBe(204);
}
const night = (): Promise<void> => retentionJob(server.deps).run({}, context);

/** Inserts a merged file of some days ago. @returns the id of its request */
async function insertMerged(bus: TestBus, clientId: number, daysAgo: number): Promise<number> {
  const { db } = server.deps.database;
  const at = agoOf(daysAgo);
  const id = await insertTestMerge(db, bus, clientId, { status: 'COMPLETE', at });
  const storage_key = `merged/${id}`;
  await server.deps.storage.put(storage_key, Readable.from([Buffer.from('video')]));
  await db
    .updateTable('merge_requests')
    .set({ storage_key, size_bytes: 5, completed_at: at })
    .where('id', '=', id)
    .execute();
  return id;
}

/** Inserts a report that a user got some days ago. @returns its id */
async function insertReport(login: string, daysAgo: number): Promise<number> {
  const { db } = server.deps.database;
  const user = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', login)
    .executeTakeFirstOrThrow();
  const at = agoOf(daysAgo);
  const { id } = await db
    .insertInto('reports')
    .values({
      ...{ user_id: user.id, kind: 'test-export', parameters: '{}', status: 'FAILED' },
      ...{ fail_reason: 'failed', created_at: at, completed_at: at },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Sends a position of a unit for each of some days ago. */
async function sendPositions(bus: TestBus, daysAgo: readonly number[]): Promise<void> {
  const records = daysAgo.map((days, seq) => ({
    ...{ seq, type: 'position', time: agoOf(days).toISOString() },
    ...{ latitude: 55.75, longitude: 37.6, fix: true },
  }));
  const answer = await sendBatch(server, bus.credential, { stream: randomUUID(), records });
  expect(answer.json<{ refused: unknown[] }>().refused, answer.body).toEqual([]);
}

/** The ages of a unit's positions, days, the oldest first. */
async function positionsOf({ unitId }: TestBus): Promise<number[]> {
  const rows = await server.deps.database.db
    .selectFrom('position_blocks')
    .select('last_time')
    .where('unit_id', '=', unitId)
    .orderBy('last_time')
    .execute();
  return rows.map(({ last_time }) => Math.round((NOW - last_time.getTime()) / DAY_MS));
}

/** Passes a bus to another customer: that one owns the days after one of some days ago. */
async function pass({ busId }: TestBus, clientId: number, daysAgo: number): Promise<void> {
  const { db } = server.deps.database;
  const last = agoOf(daysAgo).toISOString().slice(0, 10);
  await sql`update bus_owners set to_day = ${last} where workplace_id = ${busId}`.execute(db);
  await sql`insert into bus_owners (workplace_id, client_id, from_day)
    values (${busId}, ${clientId}, ${last}::date + 1)`.execute(db);
}

it.each([
  ['fewer', 3, [2]],
  ['more', 30, [2, 5, 10]],
])('merged files of a customer with %s days for files go by those', async (_, days, kept) => {
  const { db } = server.deps.database;
  const bus = await insertTestBus(db, fleet.first, `Автобус ${randomUUID()}`);
  await keepFor(fleet.first, { files_days: days });
  const ages = new Map<number, number>();
  for (const age of [2, 5, 10, 31]) ages.set(await insertMerged(bus, fleet.first, age), age);
  const other = await insertMerged(fleet.secondBus, fleet.second, 5);
  await night();
  const left = await db
    .selectFrom('merge_requests')
    .select('id')
    .where('id', 'in', [...ages.keys(), other])
    .where('storage_key', 'is not', null)
    .orderBy('id')
    .execute();
  expect(left.map(({ id }) => ages.get(id) ?? 'of another')).toEqual([...kept, 'of another']);
});

it.each([
  ['fewer', 3, [2]],
  ['more', 30, [2, 5, 10]],
])(
  'old video that was fetched lately stays as long as files do: %s days',
  async (_, days, kept) => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.first, `Автобус ${randomUUID()}`);
    await keepFor(fleet.first, { files_days: days });
    const ages = new Map<number, number>();
    for (const age of [2, 5, 10, 31]) {
      const startMs = agoOf(100 + age).getTime();
      const video = Buffer.from('video');
      const id = await insertStoredFragment(server, bus, { startMs, lengthMs: 20_000, video });
      ages.set(id, age);
      await db
        .updateTable('segment_files')
        .set({ created_at: agoOf(age) })
        .where('segment_id', '=', id)
        .execute();
    }
    await night();
    const left = await db
      .selectFrom('segment_files')
      .select('segment_id')
      .distinct()
      .where('segment_id', 'in', [...ages.keys()])
      .orderBy('segment_id')
      .execute();
    expect(left.map(({ segment_id }) => ages.get(segment_id))).toEqual(kept);
  },
);

it.each([
  ['fewer', 3, [2]],
  ['more', 30, [2, 5, 10]],
])('reports for a customer with %s days for files go by those', async (_, days, kept) => {
  const { db } = server.deps.database;
  await keepFor(fleet.first, { files_days: days });
  const ages = new Map<number, number>();
  for (const age of [2, 5, 10, 31]) ages.set(await insertReport('first', age), age);
  const others = [await insertReport('second', 5), await insertReport('admin', 5)];
  await night();
  const left = await db
    .selectFrom('reports')
    .select('id')
    .where('id', 'in', [...ages.keys(), ...others])
    .orderBy('id')
    .execute();
  const names = left.map(({ id }) => ages.get(id) ?? 'of another');
  expect(names).toEqual([...kept, 'of another', 'of another']);
});

it.each([
  ['fewer', 100, [401, 399, 120, 99], [99]],
  ['more', 500, [501, 499, 401], [499, 401]],
])(
  'positions of a unit of a customer with %s days for them go by those',
  async (_, days, ages, kept) => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.first, `Автобус ${randomUUID()}`);
    await keepFor(fleet.first, { positions_days: days });
    await sendPositions(bus, ages);
    await sendPositions(fleet.secondBus, [399, 120]);
    await night();
    expect(await positionsOf(bus)).toEqual(kept);
    expect(await positionsOf(fleet.secondBus)).toEqual([399, 120]);
    await db.deleteFrom('position_blocks').execute();
  },
);

it.each([
  ['the former one keeps them longer', { former: 200, latter: 50 }, [199, 120, 49]],
  ['the latter one keeps them longer', { former: 50, latter: 200 }, [199, 120, 49]],
  ['one has the days of the installation', { former: 50, latter: undefined }, [399, 199, 120, 49]],
])(
  'positions of a unit whose bus passed on go by the longer time of its owners: %s',
  async (_, { former, latter }, kept) => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.first, `Автобус ${randomUUID()}`);
    await pass(bus, fleet.second, 60);
    const daysOf = (days: number | undefined) =>
      days === undefined ? {} : { positions_days: days };
    await keepFor(fleet.first, daysOf(former));
    await keepFor(fleet.second, daysOf(latter));
    await sendPositions(bus, [399, 199, 120, 49]);
    await night();
    expect(await positionsOf(bus)).toEqual(kept);
  },
);
