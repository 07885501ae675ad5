// The test mode of a unit, and its batches as received.
import { randomUUID } from 'node:crypto';
import { MOST_FEED_ROWS, type UnitFeed } from '@ridewatch/contract/admin-feed';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Db } from '../core/db/db.ts';
import type { TestFleet } from '../test/fleet.ts';
import { askJson, sendBatch } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';
import { releaseTestsJob } from './release-test.ts';

const DAY = '2026-11-20';
const NOW_MS = Date.parse(`${DAY}T06:00:00Z`);
let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
  token = await server.signIn('integrator');
});
afterAll(() => server.close());

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) {
  const { status, body } = await askJson(server, token, method, url, payload);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}
const stream = randomUUID();
let seq = 0;
const at = (minute: number) => new Date(NOW_MS - 3_600_000 + minute * 60_000).toISOString();
const passenger = (minute: number) => ({
  ...{ type: 'passenger', seq: ++seq, time: at(minute), door: 1 },
  ...{ direction: 'entered', passenger: 'adult' },
});
const position = (minute: number) => ({
  ...{ type: 'position', seq: ++seq, time: at(minute), latitude: 55.75 },
  ...{ longitude: 37.6 + minute / 1000, speed_kmh: 30 },
});
const send = (records: readonly object[], more: object = {}) =>
  sendBatch(server, fleet.firstBus.credential, { stream, records, ...more });
const unit = () => `/api/admin/units/${fleet.firstBus.unitId}`;
const setTest = (test: boolean) => ask('PUT', `${unit()}/test`, { test });
const dayUrl = () => `/api/segments/day-segments?workplaceId=${fleet.firstBus.busId}&date=${DAY}`;
const enteredOfDay = async (): Promise<number> => {
  const { devices } = await ask('GET', dayUrl());
  return devices.reduce(
    (sum: number, { totalEntered }: { totalEntered: number }) => sum + totalEntered,
    0,
  );
};
const hours = async () => {
  const { rows } = await server.deps.database.pool.query(
    'select hour_start, entered_adults as entered from hourly_traffic where workplace_id = $1 order by 1',
    [fleet.firstBus.busId],
  );
  return rows.map(({ entered }: { entered: number }) => entered);
};

describe('a unit in test mode', () => {
  it('is acknowledged, and what it sends is in no count until it is released', async () => {
    expect((await send([passenger(1), position(1)])).statusCode).toBe(200);
    expect(await enteredOfDay()).toBe(1);
    server.clock.set(NOW_MS + 1000);
    expect((await setTest(true)).test_since).toBe(new Date(NOW_MS + 1000).toISOString());
    for (const minute of [2, 3, 61]) {
      const { acknowledged, refused } = (await send([passenger(minute), position(minute)])).json();
      expect([acknowledged, refused]).toEqual([[[seq - 1, seq]], []]);
    }
    expect(await enteredOfDay()).toBe(1);
    expect(await hours()).toEqual([1]);
    expect((await ask('GET', '/api/admin/units?state=test')).total).toBe(1);

    expect((await setTest(false)).test_since).toBeNull();
    expect(await enteredOfDay()).toBe(4);
    expect(await hours()).toEqual([3, 1]);
    const { rows } = await server.deps.database.pool.query(
      'select due_at from lap_days where workplace_id = $1 and day = $2',
      [fleet.firstBus.busId, DAY],
    );
    expect(rows[0].due_at.getTime()).toBeLessThanOrEqual(NOW_MS + 2000);
    await send([passenger(5)]);
    expect(await enteredOfDay()).toBe(5);
    expect(await hours()).toEqual([4, 1]);
  });

  it('counts a repeat of what it sent in the test once', async () => {
    await setTest(true);
    const sent = passenger(7);
    await send([sent]);
    await setTest(false);
    const { acknowledged } = (await send([sent])).json();
    expect(acknowledged).toEqual([[sent.seq, sent.seq]]);
    expect(await enteredOfDay()).toBe(6);
  });

  it('begins and ends once, also when two administrators ask for it', async () => {
    const begun = await setTest(true);
    expect((await setTest(true)).test_since).toBe(begun.test_since);
    await setTest(false);
    await setTest(false);
    const { rows } = await server.deps.database.pool.query(
      `select after from audit_log where action = 'set_test_mode' order by id`,
    );
    expect(rows[1].after).toEqual({ test: false, records: 3 });
  });
});

it('a test after midnight is also in laps of the day before that go on', async () => {
  const { pool } = server.deps.database;
  await setTest(true);
  // At half past midnight.
  await send([passenger(-450), position(-450)]);
  await pool.query('delete from lap_days');
  await setTest(false);
  const asked =
    'select day from lap_days where workplace_id = $1 and asked_at is not null order by 1';
  const { rows } = await pool.query(asked, [fleet.firstBus.busId]);
  expect(rows.map(({ day }) => day)).toEqual(['2026-11-19', DAY]);
});

describe('a long test', () => {
  const run = () => releaseTestsJob(server.deps).run({}, {} as never);
  const insertTested = (from: number, to: number) =>
    server.deps.database.pool.query(
      `insert into passenger_events (unit_id, stream_id, seq, sent_time, time, door, direction, passenger, count, in_test)
      select $1, stream.id, n, at, at, 1, 'entered', 'adult', 1, true
      from (select id from unit_streams where unit_id = $1 limit 1) as stream
      cross join generate_series($2::int, $3::int) as n
      cross join lateral (select $4::timestamptz + n * interval '1 second' as at) as time`,
      [fleet.firstBus.unitId, from, to, `${DAY}T03:00:00Z`],
    );

  it('is released by a job, which says how far it is', async () => {
    await setTest(true);
    await insertTested(100_001, 112_000);
    // Another day: the local one after.
    await insertTested(200_001, 200_500);
    const before = await enteredOfDay();
    const released = await setTest(false);
    expect(released).toMatchObject({ test_since: null, releasing: { released: 0, total: 12_500 } });
    // An event that comes meanwhile counts at once, and no other test begins.
    await send([passenger(9)]);
    expect(await enteredOfDay()).toBe(before + 1);
    const again = await server.app.inject({
      method: 'PUT',
      url: `${unit()}/test`,
      headers: { authorization: `Bearer ${token}` },
      payload: { test: true },
    });
    expect([again.statusCode, again.json().field]).toEqual([409, 'test']);
    await run();
    expect((await ask('GET', unit())).releasing).toBeNull();
    const { rows } = await server.deps.database.pool.query(
      `select sum(entered_adults)::int as entered from hourly_traffic where workplace_id = $1`,
      [fleet.firstBus.busId],
    );
    const { rows: events } = await server.deps.database.pool.query(
      'select count(*)::int as count from passenger_events where workplace_id = $1',
      [fleet.firstBus.busId],
    );
    expect(rows[0].entered).toBe(events[0].count);
    expect(events[0].count).toBeGreaterThanOrEqual(12_501);
  });

  it('goes on where a killed process left it', async () => {
    await setTest(true);
    await insertTested(300_001, 306_000);
    await setTest(false);
    const { pool } = server.deps.database;
    const left = async () => (await pool.query('select released from test_releases')).rows;
    // As if the process had ended after the first lot.
    const job = releaseTestsJob({
      ...server.deps,
      database: { ...server.deps.database, db: onceOnly(server.deps.database.db) },
    });
    await job.run({}, {} as never);
    expect(await left()).toEqual([{ released: 5000 }]);
    await run();
    expect(await left()).toEqual([]);
  });
});

/** A database that is away after its first transaction. */
function onceOnly(db: Db): Db {
  let left = 1;
  return new Proxy(db, {
    get: (of, name) => {
      if (name === 'transaction' && left-- <= 0) throw new Error('The database is away.');
      const value = Reflect.get(of, name);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
}

describe('the feed of a unit', () => {
  const feed = async (): Promise<UnitFeed> => ask('GET', `${unit()}/feed`);

  it('has batches as received with their answers, refused ones too, while somebody listens', async () => {
    await send([position(8)]);
    expect(await feed()).toEqual({ listening_until: null, items: [] });
    const { listening_until } = await ask('POST', `${unit()}/feed`, {});
    expect(listening_until).toBe(new Date(server.clock.nowMs() + 15 * 60_000).toISOString());
    // The process hears of it by a notification.
    await vi.waitFor(async () => {
      await send([{ type: 'passenger', seq: 900, door: 99 }], { firmware: '9' });
      expect((await feed()).items).not.toEqual([]);
    });
    await send([], { stream: 'no uuid' });
    const kept = async (status: number) =>
      (await feed()).items.find((item) => item.status === status);
    await vi.waitFor(async () => expect(await kept(400)).toBeDefined());
    expect((await kept(400))?.answer).toContain('"field":"stream"');
    expect((await kept(200))?.body).toContain('"door":99');
    expect((await kept(200))?.answer).toContain('malformed');
  });

  it('is bounded, and ends by itself', async () => {
    const { db } = server.deps.database;
    const row = { unit_id: fleet.firstBus.unitId, received_at: new Date(), status: 200, bytes: 1 };
    await db
      .insertInto('unit_feed')
      .values(Array.from({ length: 150 }, () => row))
      .execute();
    await send([]);
    await vi.waitFor(async () => {
      const { rows } = await server.deps.database.pool.query('select id from unit_feed');
      expect(rows).toHaveLength(MOST_FEED_ROWS);
    });
    server.clock.advance(16 * 60_000);
    token = await server.signIn('integrator');
    expect((await feed()).listening_until).toBeNull();
  });
});
