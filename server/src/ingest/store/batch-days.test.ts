import { randomUUID } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { MAX_BATCH_RECORDS } from '@ridewatch/contract/unit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { measuresCost } from '../../test/tries-of.ts';
import { addIngest } from '../http/api.ts';
import { MAX_BATCH_DAYS } from './bounds.ts';

const NOW_MS = Date.parse('2026-11-20T09:00:00.000Z');
const DAY_MS = 86_400_000;
/** Most delay of the event loop by a batch, ms; it was 8 to 26 s. */
const MOST_HELD_MS = 2000;

let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`, 'Europe/Moscow');
const iso = (ms: number): string => new Date(ms).toISOString();

type Make = (seq: number, ms: number) => object;
const passenger: Make = (seq, ms) => ({
  ...{ type: 'passenger', seq, time: iso(ms) },
  ...{ door: 1, direction: 'entered', passenger: 'adult' },
});
const position: Make = (seq, ms) => ({
  ...{ type: 'position', seq, time: iso(ms) },
  ...{ latitude: 55.6, longitude: 37.6 + seq / 1e6 },
});
const cameraState: Make = (seq, ms) => ({
  ...{ type: 'camera_state', seq, time: iso(ms), camera: 'door1', status: 'online' },
});
/** Announced long after it was filmed. */
const segment: Make = (seq, ms) => ({
  ...{ type: 'segment', seq, time: iso(NOW_MS), camera: 'door1', video: 'kept' },
  ...{ start_time: iso(ms), end_time: iso(ms + 20_000) },
});

async function send(bus: TestBus, records: readonly object[]) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    payload: { stream: randomUUID(), sent_at: iso(NOW_MS), records },
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}
/** A record each at 12:00 of as many days of Moscow, the latest today. */
const daily = (make: Make, days: number): object[] =>
  Array.from({ length: days }, (_, index) => make(index + 1, NOW_MS - index * DAY_MS));

async function heldMs(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6;
}

async function countStored(bus: TestBus): Promise<number[]> {
  const { db } = server.deps.database;
  const counts: number[] = [];
  for (const table of ['passenger_events', 'unit_streams', 'segments'] as const) {
    const rows = await db
      .selectFrom(table)
      .select('unit_id')
      .where('unit_id', '=', bus.unitId)
      .execute();
    counts.push(rows.length);
  }
  return counts;
}

describe('a batch', () => {
  it.each([
    ['people', passenger],
    ['positions', position],
    ['camera states', cameraState],
    ['fragments', segment],
  ])(`of %s touches ${MAX_BATCH_DAYS} local days, and no more`, async (_name, make) => {
    const bus = await freshBus();
    expect(await send(bus, daily(make, MAX_BATCH_DAYS + 1))).toMatchObject({
      status: 413,
      body: { error: 'too_many_days', field: 'records' },
    });
    expect(await countStored(bus)).toEqual([0, 0, 0]);
    expect(await send(bus, daily(make, MAX_BATCH_DAYS))).toMatchObject({
      status: 200,
      body: { acknowledged: [[1, MAX_BATCH_DAYS]], refused: [] },
    });
  });

  it('counts the days of the bus, not those of UTC', async () => {
    const bus = await freshBus();
    // 20:59 UTC is the last minute of a day of Moscow: a minute later it is the next one, on the same day of UTC.
    const lastMinute = Date.parse('2026-11-19T20:59:30Z');
    const records = Array.from({ length: MAX_BATCH_DAYS }, (_, index) =>
      passenger(index + 1, lastMinute - index * DAY_MS),
    );
    const next = passenger(99, lastMinute + 60_000);
    expect(await send(bus, [...records, next])).toMatchObject({ status: 413 });
    expect(await send(bus, records)).toMatchObject({ status: 200 });
  });

  it('does not count the days of records that it refuses', async () => {
    const bus = await freshBus();
    const bad = daily(passenger, 100).map((record) => ({ ...record, door: 99 }));
    expect(await send(bus, [...bad, passenger(101, NOW_MS)])).toMatchObject({
      status: 200,
      body: { acknowledged: [[101, 101]] },
    });
  });

  it('of 10,000 events over 5,800 days is refused at once, and nothing of it is stored', async () => {
    const bus = await freshBus();
    const records = Array.from({ length: MAX_BATCH_RECORDS }, (_, index) =>
      passenger(index + 1, NOW_MS - index * 0.58 * DAY_MS),
    );
    const held = await heldMs(async () =>
      expect(await send(bus, records)).toMatchObject({ status: 413 }),
    );
    if (measuresCost()) expect(held).toBeLessThan(MOST_HELD_MS);
    expect(await countStored(bus)).toEqual([0, 0, 0]);
  });

  it('of 10,000 records of 60 days in no order does not hold up the server', async () => {
    const bus = await freshBus();
    const makes = [passenger, position, segment];
    const held = await heldMs(async () => {
      const records = Array.from({ length: MAX_BATCH_RECORDS }, (_, index) =>
        // 7,919 is prime: every moment comes once, and hardly two of one day in a row.
        (makes[index % 3] ?? passenger)(
          index + 1,
          NOW_MS - ((index * 7919) % MAX_BATCH_RECORDS) * 0.006 * DAY_MS,
        ),
      );
      expect(await send(bus, records)).toMatchObject({
        status: 200,
        body: { acknowledged: [[1, MAX_BATCH_RECORDS]] },
      });
    });
    if (measuresCost()) expect(held).toBeLessThan(MOST_HELD_MS);
  });

  it('waits for the others of its unit without keeping other units waiting', async () => {
    const [busy, other] = [await freshBus(), await freshBus()];
    const backlog = Array.from({ length: 40 }, () => send(busy, daily(passenger, MAX_BATCH_DAYS)));
    expect(await send(other, daily(passenger, 1))).toMatchObject({ status: 200 });
    const answers = await Promise.all(backlog);
    const taken = answers.filter(({ status }) => status === 200).length;
    expect(taken).toBe(9);
    const refused = answers.find(({ status }) => status !== 200);
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    expect((await countStored(busy))[0]).toBe(taken * MAX_BATCH_DAYS);
  });
});
