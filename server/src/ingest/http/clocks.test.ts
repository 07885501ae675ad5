// Nothing counted is lost because a clock is wrong: it is placed, or kept aside until it can be.
import { randomUUID } from 'node:crypto';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { listPositions } from '../../test/positions.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { placeAsideJob } from '../store/aside-job.ts';
import { addIngest } from './api.ts';
import { addAside } from './aside-api.ts';

/** 2026-11-20, 12:00 in Moscow. */
const NOW_MS = Date.UTC(2026, 10, 20, 9);
const WEEKS_1024_MS = 1024 * 7 * 86_400_000;
let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addAside]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID().slice(0, 8)}`);
const iso = (ms: number): string => new Date(ms).toISOString();
const passenger = (seq: number, timeMs: number, direction = 'entered') => ({
  ...{ type: 'passenger', seq, time: iso(timeMs), door: 1, direction, passenger: 'adult' },
});
const position = (seq: number, timeMs: number) => ({
  ...{ type: 'position', seq, time: iso(timeMs), latitude: 55.7, longitude: 37.6, speed_kmh: 20 },
});
const segment = (seq: number, startMs: number, video = 'kept') => ({
  ...{ type: 'segment', seq, time: iso(startMs + 20_000), camera: 'door1' },
  ...{ start_time: iso(startMs), end_time: iso(startMs + 20_000), video },
});

async function send(
  bus: TestBus,
  stream: string,
  sentAtMs: number,
  records: readonly object[],
): Promise<BatchAnswer> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream, sent_at: iso(sentAtMs), records },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<BatchAnswer>();
}

/** Times of the stored people of a bus in seconds from now, in order of number. */
async function peopleOf(bus: TestBus): Promise<number[]> {
  const { rows } = await sql<{ time: Date }>`select time from passenger_events
    where workplace_id = ${bus.busId} order by seq`.execute(server.deps.database.db);
  return rows.map(({ time }) => (time.getTime() - NOW_MS) / 1000);
}

async function hoursOf(bus: TestBus): Promise<[string, number][]> {
  const { rows } = await sql<{ hour: Date; people: number }>`
    select hour_start as hour, entered_adults as people from hourly_traffic
    where workplace_id = ${bus.busId} order by 1`.execute(server.deps.database.db);
  return rows.map(({ hour, people }) => [hour.toISOString(), people]);
}

describe('a unit whose clock', () => {
  it.each([
    ['starts at 1970', Date.UTC(1970, 0, 1, 0, 7), 'clock'],
    ['starts at 2000', Date.UTC(2000, 0, 1, 0, 7), 'clock'],
    ['stands in 2007', Date.UTC(2007, 5, 1), 'clock'],
    ['stands in the year 0', Date.parse('0000-02-01T00:00:00Z'), 'clock'],
    ['is in 2099', Date.UTC(2099, 11, 31), 'clock'],
    ['is a year behind', Date.UTC(2025, 10, 20, 9), 'clock'],
    ['is 1,024 weeks behind', NOW_MS - WEEKS_1024_MS, 'week_rollover'],
  ])('%s is placed by the clock of its batch, and is told', async (_name, clockMs, reason) => {
    const bus = await freshBus();
    const answer = await send(bus, randomUUID(), clockMs, [
      passenger(1, clockMs - 10_000),
      passenger(2, clockMs - 9_000),
      position(3, clockMs - 8_000),
      segment(4, clockMs - 60_000),
    ]);
    expect(answer.refused).toEqual([]);
    expect(answer.acknowledged).toEqual([[1, 4]]);
    expect(answer.corrected).toEqual([{ reason, added_ms: NOW_MS - clockMs, count: 4, index: 0 }]);
    expect(await peopleOf(bus)).toEqual([-10, -9]);
    expect(await hoursOf(bus)).toEqual([[iso(NOW_MS - 3_600_000), 2]]);
    const { db } = server.deps.database;
    expect(await listPositions(db, bus.unitId, NOW_MS - 8000, NOW_MS)).toHaveLength(1);
  });

  it('has run for hours without the right time keeps the order and distances of its records', async () => {
    const bus = await freshBus();
    const clockMs = Date.UTC(1970, 0, 1, 5);
    const hours = [4, 3, 2, 1, 0].map((ago, n) => passenger(n + 1, clockMs - ago * 3_600_000 - 1));
    await send(bus, randomUUID(), clockMs, hours);
    expect(await peopleOf(bus)).toEqual([4, 3, 2, 1, 0].map((ago) => -ago * 3600 - 0.001));
  });

  it('starts at 1970 each morning names another fragment by the same start', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const startMs = Date.UTC(1970, 0, 1, 0, 1);
    const bootMs = startMs + 60_000;
    await send(bus, stream, bootMs, [segment(1, startMs, 'adding')]);
    server.clock.set(NOW_MS + 30_000);
    await send(bus, stream, bootMs + 30_000, [segment(2, startMs)]);
    server.clock.set(NOW_MS + 86_400_000);
    await send(bus, stream, bootMs, [segment(3, startMs)]);
    server.clock.set(NOW_MS);
    const { rows } = await sql<{ at: Date; status: string }>`select start_time as at, status
      from segments where unit_id = ${bus.unitId} order by 1`.execute(server.deps.database.db);
    expect(rows).toEqual([
      { at: new Date(NOW_MS - 60_000), status: 'LIVE' },
      { at: new Date(NOW_MS + 86_340_000), status: 'LIVE' },
    ]);
  });
});

describe('a receiver that alone is 1,024 weeks behind', () => {
  it('is told apart from the clock of its unit', async () => {
    const bus = await freshBus();
    const answer = await send(bus, randomUUID(), NOW_MS, [
      passenger(1, NOW_MS - 5000 - WEEKS_1024_MS),
      passenger(2, NOW_MS - 4000),
    ]);
    expect(answer.corrected).toEqual([
      { reason: 'week_rollover', added_ms: WEEKS_1024_MS, count: 1, index: 0 },
    ]);
    expect(await peopleOf(bus)).toEqual([-5, -4]);
  });
});

describe('a record that the clock of its batch did not make', () => {
  it('stays at its own time where the unit lost its clock between', async () => {
    const bus = await freshBus();
    const answer = await send(bus, randomUUID(), Date.UTC(1970, 0, 1, 0, 7), [
      passenger(1, NOW_MS - 86_400_000),
      passenger(2, Date.UTC(1970, 0, 1, 0, 6)),
    ]);
    expect(answer.refused).toEqual([]);
    expect(await peopleOf(bus)).toEqual([-86_400, -60]);
  });

  it('is placed by its neighbours where the clock was set between two of them', async () => {
    const bus = await freshBus();
    const bootMs = Date.UTC(1970, 0, 1, 0, 0, 30);
    const answer = await send(bus, randomUUID(), NOW_MS, [
      passenger(1, NOW_MS - 120_000),
      passenger(2, bootMs),
      passenger(3, bootMs + 10_000),
      passenger(4, NOW_MS - 30_000),
    ]);
    expect(answer.corrected).toMatchObject([{ reason: 'neighbours', count: 2, index: 1 }]);
    expect(await peopleOf(bus)).toEqual([-120, -40, -30, -30]);
  });

  it('is kept aside until its neighbours come, and keeps that place when it comes again', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const bootMs = Date.UTC(1970, 0, 1, 0, 0, 30);
    const early = [passenger(7, bootMs), passenger(8, bootMs + 5000)];
    const answer = await send(bus, stream, NOW_MS, early);
    expect(answer).toMatchObject({ acknowledged: [[7, 8]], kept_aside: [[7, 8]], refused: [] });
    expect(await peopleOf(bus)).toEqual([]);
    await send(bus, stream, NOW_MS, [position(9, NOW_MS - 1000)]);
    await placeAsideJob(server.deps).run({}, {} as never);
    expect(await peopleOf(bus)).toEqual([-6, -1]);
    expect(await hoursOf(bus)).toEqual([[iso(NOW_MS - 3_600_000), 2]]);
    const again = await send(bus, stream, bootMs + 10_000, early);
    expect(again).toMatchObject({ acknowledged: [[7, 8]], refused: [] });
    expect(await peopleOf(bus)).toEqual([-6, -1]);
  });

  it('keeps its place when its answer was lost and the clock has been set since', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const bootMs = Date.UTC(1970, 0, 1, 0, 0, 30);
    const records = [passenger(1, bootMs), position(2, bootMs + 1000), segment(3, bootMs - 20_000)];
    await send(bus, stream, bootMs + 10_000, records);
    server.clock.advance(600_000);
    const again = await send(bus, stream, NOW_MS + 600_000, records);
    server.clock.set(NOW_MS);
    expect(again).toMatchObject({ acknowledged: [[1, 3]], refused: [] });
    expect(await peopleOf(bus)).toEqual([-10]);
    const other = await send(bus, stream, NOW_MS, [passenger(1, bootMs, 'exited')]);
    expect(other.refused).toMatchObject([{ seq: 1, reason: 'other_content' }]);
  });
});

describe('records that wait for their neighbours', () => {
  const bootMs = Date.UTC(1970, 0, 1, 0, 0, 30);
  const runJob = (): Promise<void> => placeAsideJob(server.deps).run({}, {} as never);

  it('are tried at growing intervals', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const minutes: number[] = [];
    await send(bus, stream, NOW_MS, [passenger(7, bootMs)]);
    for (let minute = 0; minute <= 20; minute += 1) {
      server.clock.set(NOW_MS + minute * 60_000);
      await runJob();
      const { rows } = await sql<{ at: Date }>`select tried_at as at from aside_records
        where unit_id = ${bus.unitId}`.execute(server.deps.database.db);
      const tried = ((rows[0]?.at.getTime() ?? 0) - NOW_MS) / 60_000;
      if (minutes.at(-1) !== tried) minutes.push(tried);
    }
    server.clock.set(NOW_MS);
    expect(minutes).toEqual([0, 1, 2, 4, 8, 16]);
  });

  it('are placed though those of another unit cannot be read', async () => {
    const [bus, broken] = [await freshBus(), await freshBus()];
    const stream = randomUUID();
    await send(bus, stream, NOW_MS, [passenger(7, bootMs)]);
    await send(bus, stream, NOW_MS, [position(8, NOW_MS - 1000)]);
    server.clock.advance(1000);
    await send(broken, randomUUID(), NOW_MS, [passenger(7, bootMs)]);
    await sql`update aside_records set record = '{"sentMs":"broken"}'
      where unit_id = ${broken.unitId}`.execute(server.deps.database.db);
    await runJob();
    server.clock.set(NOW_MS);
    expect(await peopleOf(bus)).toHaveLength(1);
  });

  it('are placed where two gaps of one stream lie far apart', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, NOW_MS, [passenger(7, bootMs), passenger(50_000, bootMs)]);
    await send(bus, stream, NOW_MS, [
      position(8, NOW_MS - 90_000),
      position(49_999, NOW_MS - 25_000),
      position(50_001, NOW_MS - 20_000),
    ]);
    await runJob();
    expect(await peopleOf(bus)).toEqual([-90, -20]);
  });

  it('belong to the bus in which their unit sat then, whichever it is in when they are placed', async () => {
    const bus = await freshBus();
    const other = await freshBus();
    const stream = randomUUID();
    const { db } = server.deps.database;
    await send(
      bus,
      stream,
      NOW_MS,
      [0, 1, 2].map((n) => passenger(7 + n, bootMs + n * 1000)),
    );
    await sql`update units set workplace_id = null where id = ${other.unitId}`.execute(db);
    const [leftMs, cameMs] = [NOW_MS + 54_500, NOW_MS + 55_500];
    await sql`insert into past_assignments (unit_id, workplace_id, from_at, until_at)
      values (${bus.unitId}, ${bus.busId}, '-infinity', ${new Date(leftMs)})`.execute(db);
    await sql`update units set workplace_id = ${other.busId}, assigned_from = ${new Date(cameMs)},
      batches = batches + 1 where id = ${bus.unitId}`.execute(db);
    // Every process has read it again.
    server.clock.advance(60_000);
    await send(bus, stream, NOW_MS + 120_000, [position(10, NOW_MS + 116_000)]);
    await runJob();
    server.clock.set(NOW_MS);
    expect([await peopleOf(bus), await peopleOf(other)]).toEqual([[54], [56]]);
  });
});

describe('records that nothing places', () => {
  const sent = (bus: TestBus, stream: string) =>
    send(bus, stream, NOW_MS, [
      passenger(41, Date.UTC(2001, 0, 1)),
      passenger(42, Date.UTC(2001, 0, 1, 0, 1), 'exited'),
      position(43, NOW_MS + 86_400_000 * 3),
    ]);
  const call = async (
    bus: TestBus,
    method: 'GET' | 'POST',
    path = '',
    body?: object,
    login = 'admin',
  ) => {
    const token = await server.signIn(login);
    const url = `/api/admin/units/${bus.unitId}/aside${path}`;
    return server.app.inject({
      ...{ method, url, headers: { authorization: `Bearer ${token}` } },
      ...(body !== undefined && { body }),
    });
  };

  it('are shown to the administrator as they were sent, and placed by hand', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    expect(await sent(bus, stream)).toMatchObject({ kept_aside: [[41, 43]], refused: [] });
    await placeAsideJob(server.deps).run({}, {} as never);
    const text = await server.deps.metrics.registry.metrics();
    expect(text).toContain(
      'ridewatch_ingest_records_total{type="position",outcome="kept_aside"} 1',
    );
    const [people, point] = (await call(bus, 'GET')).json<{
      items: { id: number; entered: number; exited: number; positions: number; raw: string[] }[];
    }>().items;
    // Another clock made the position: it has a place of its own.
    expect(people).toMatchObject({ entered: 1, exited: 1, positions: 0 });
    expect(point).toMatchObject({ entered: 0, exited: 0, positions: 1 });
    expect(JSON.parse(people?.raw[0] ?? '')).toEqual(passenger(41, Date.UTC(2001, 0, 1)));
    for (const firstTime of [iso(NOW_MS - 30_000), '2009-12-31T23:00:00Z']) {
      const refused = await call(bus, 'POST', '/place', { groupId: people?.id, firstTime });
      expect(refused.json()).toMatchObject({ field: 'firstTime' });
    }
  });

  it('count from the moment at which they are placed, and once', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const early = [passenger(41, Date.UTC(2001, 0, 1)), passenger(42, Date.UTC(2001, 0, 1, 0, 1))];
    await send(bus, stream, NOW_MS, early);
    const { items } = (await call(bus, 'GET')).json<{ items: { id: number }[] }>();
    const body = { groupId: items[0]?.id, firstTime: iso(NOW_MS - 600_000) };
    const placed = await call(bus, 'POST', '/place', body);
    expect(placed.json()).toEqual({ total: 0, items: [] });
    expect(await peopleOf(bus)).toEqual([-600, -540]);
    expect((await call(bus, 'POST', '/place', body)).statusCode).toBe(409);
    expect(await send(bus, stream, NOW_MS, early)).toMatchObject({ acknowledged: [[41, 42]] });
    expect(await peopleOf(bus)).toEqual([-600, -540]);
  });

  it('are not placed in a bus of others, in which their unit sat before', async () => {
    const [bus, other] = [await freshBus(), await freshBus()];
    const { db } = server.deps.database;
    await send(bus, randomUUID(), NOW_MS, [passenger(41, Date.UTC(2001, 0, 1))]);
    await sql`delete from unit_credentials where unit_id = ${other.unitId}`.execute(db);
    await sql`delete from units where id = ${other.unitId}`.execute(db);
    await sql`insert into past_assignments (unit_id, workplace_id, from_at, until_at)
      values (${bus.unitId}, ${bus.busId}, '-infinity', ${new Date(NOW_MS - 300_000)})`.execute(db);
    await sql`update units set workplace_id = ${other.busId},
      assigned_from = ${new Date(NOW_MS - 300_000)} where id = ${bus.unitId}`.execute(db);
    await sql`update bus_owners set client_id = ${fleet.second}
      where workplace_id = ${bus.busId}`.execute(db);
    const { items } = (await call(bus, 'GET', '', undefined, 'integrator')).json<{
      items: { id: number }[];
    }>();
    const place = (ms: number) =>
      call(bus, 'POST', '/place', { groupId: items[0]?.id, firstTime: iso(ms) }, 'integrator');
    expect((await place(NOW_MS - 600_000)).json()).toMatchObject({ field: 'firstTime' });
    expect((await place(NOW_MS - 200_000)).statusCode).toBe(200);
    expect([await peopleOf(bus), await peopleOf(other)]).toEqual([[], [-200]]);
  });

  it('are discarded by hand, and their numbers are used for good', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const early = [passenger(41, Date.UTC(2001, 0, 1))];
    await send(bus, stream, NOW_MS, early);
    const { items } = (await call(bus, 'GET')).json<{ items: { id: number }[] }>();
    const gone = await call(bus, 'POST', '/discard', { groupId: items[0]?.id });
    expect(gone.json()).toEqual({ total: 0, items: [] });
    expect(await send(bus, stream, NOW_MS, early)).toMatchObject({
      refused: [{ seq: 41, reason: 'other_content' }],
    });
    const { rows } = await sql`select before from audit_log
      where action = 'discard_aside' and object_id = ${String(bus.unitId)}`.execute(
      server.deps.database.db,
    );
    expect(rows).toEqual([{ before: { entered: 1, exited: 0, records: 1 } }]);
  });
});
