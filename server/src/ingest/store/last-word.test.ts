import { randomUUID } from 'node:crypto';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from '../http/api.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 6);
const HOUR_MS = 3_600_000;
let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID()}`);

async function send(
  bus: TestBus,
  records: readonly Record<string, unknown>[],
  stream = randomUUID(),
  sentMs = server.clock.nowMs(),
): Promise<BatchAnswer> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream, sent_at: new Date(sentMs).toISOString(), records },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

const point = (seq: number, ms: number, more: Record<string, unknown> = {}) => ({
  type: 'position',
  seq,
  time: new Date(ms).toISOString(),
  latitude: 55.7,
  longitude: 37.6 + seq / 1000,
  ...more,
});

const lastFixOf = (bus: TestBus) =>
  server.deps.database.db
    .selectFrom('units')
    .select(['last_fix_at', 'last_longitude'])
    .where('id', '=', bus.unitId)
    .executeTakeFirstOrThrow();

describe('where a bus is now', () => {
  it('is its newest point, whatever arrives later', async () => {
    const bus = await freshBus();
    await send(bus, [point(1, NOW_MS - 1000), point(2, NOW_MS - 60_000)]);
    await send(bus, [point(3, NOW_MS - HOUR_MS)]);
    expect(await lastFixOf(bus)).toEqual({
      last_fix_at: new Date(NOW_MS - 1000),
      last_longitude: expect.closeTo(37.601),
    });
  });

  it('is not a point from the future, which is kept all the same', async () => {
    const bus = await freshBus();
    const answer = await send(bus, [point(1, NOW_MS + 5 * HOUR_MS), point(2, NOW_MS - 1000)]);
    expect(answer.acknowledged).toEqual([[1, 2]]);
    expect((await lastFixOf(bus)).last_longitude).toBeCloseTo(37.602);
  });

  it('follows a unit whose clock is a little fast, and is never ahead of the server', async () => {
    const bus = await freshBus();
    for (const seconds of [0, 1]) {
      server.clock.set(NOW_MS + seconds * 1000);
      const unitMs = server.clock.nowMs() + 20_000;
      await send(
        bus,
        [point(seconds, unitMs - 1000), point(seconds + 10, unitMs)],
        undefined,
        unitMs,
      );
      expect(await lastFixOf(bus)).toEqual({
        last_fix_at: new Date(server.clock.nowMs()),
        last_longitude: expect.closeTo(37.61 + seconds / 1000),
      });
    }
    server.clock.set(NOW_MS);
  });

  it('follows a unit whose clock is hours fast, by the corrected time', async () => {
    const bus = await freshBus();
    const unitMs = NOW_MS + 5 * HOUR_MS;
    await send(bus, [point(1, unitMs - 2000)], undefined, unitMs);
    expect((await lastFixOf(bus)).last_fix_at).toEqual(new Date(NOW_MS - 2000));
  });
});

describe('what a camera says of itself', () => {
  const state = (seq: number, ms: number, status: 'online' | 'offline') => ({
    type: 'camera_state',
    seq,
    time: new Date(ms).toISOString(),
    camera: 'door1',
    status,
  });
  const statusOf = async (bus: TestBus) =>
    server.deps.database.db
      .selectFrom('cameras')
      .select(['status', 'status_at'])
      .where('id', '=', bus.cameras.door1)
      .executeTakeFirstOrThrow();

  it('is its newest word, whatever arrives later', async () => {
    const bus = await freshBus();
    await send(bus, [state(1, NOW_MS - 1000, 'offline')]);
    await send(bus, [state(2, NOW_MS - HOUR_MS, 'online')]);
    expect(await statusOf(bus)).toEqual({ status: 'offline', status_at: new Date(NOW_MS - 1000) });
  });

  it('is not a word from the future, which is kept all the same', async () => {
    const bus = await freshBus();
    const ahead = await send(bus, [state(1, NOW_MS + 5 * HOUR_MS, 'offline')]);
    expect(ahead.acknowledged).toEqual([[1, 1]]);
    await send(bus, [state(2, NOW_MS - 1000, 'online')]);
    expect(await statusOf(bus)).toEqual({ status: 'online', status_at: new Date(NOW_MS - 1000) });
  });

  it('is never ahead of the server', async () => {
    const bus = await freshBus();
    await send(bus, [state(1, NOW_MS + 20_000, 'offline')]);
    expect(await statusOf(bus)).toEqual({ status: 'offline', status_at: new Date(NOW_MS) });
  });
});

describe('a number that was used', () => {
  it.each([
    ['a point without a fix', (seq: number) => point(seq, NOW_MS, { fix: false })],
    ['a point at 0,0', (seq: number) => point(seq, NOW_MS, { latitude: 0, longitude: 0 })],
  ])('for something stored is refused for %s', async (_name, unplaced) => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, [point(1, NOW_MS - 5000)], stream);
    const answer = await send(bus, [unplaced(1)], stream);
    expect([answer.acknowledged, answer.refused.map(({ reason }) => reason)]).toEqual([
      [],
      ['other_content'],
    ]);
  });

  it('for a point without a fix is acknowledged again for it, and refused for something else', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const unplaced = point(7, NOW_MS, { fix: false });
    const passenger = {
      type: 'passenger',
      seq: 7,
      time: new Date(NOW_MS).toISOString(),
      door: 1,
      direction: 'entered',
      passenger: 'adult',
    };
    await send(bus, [unplaced], stream);
    expect((await send(bus, [unplaced], stream)).acknowledged).toEqual([[7, 7]]);
    expect((await send(bus, [passenger], stream)).refused.map((one) => one.reason)).toEqual([
      'other_content',
    ]);
  });
});

describe('a camera that is set up after its first records', () => {
  it('takes them when they are sent again', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const state = {
      type: 'camera_state',
      seq: 1,
      time: new Date(NOW_MS).toISOString(),
      camera: 'door3',
      status: 'online',
    };
    const first = await send(bus, [state], stream);
    expect(first.refused.map(({ reason, field }) => [reason, field])).toEqual([
      ['unknown_camera', 'camera'],
    ]);
    await server.deps.database.db
      .insertInto('cameras')
      .values({ workplace_id: bus.busId, name: 'Дверь 3', stream_id: 'door3', door: 3 })
      .execute();
    expect((await send(bus, [state], stream)).acknowledged).toEqual([[1, 1]]);
  });
});

describe('what was sent', () => {
  it('is counted by type and outcome', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, [point(1, NOW_MS)], stream);
    await send(bus, [point(1, NOW_MS), point(2, Date.UTC(2036)), { type: 'odd' }], stream);
    const text = await server.deps.metrics.registry.metrics();
    for (const line of [
      'ridewatch_ingest_records_total{type="position",outcome="stored"}',
      'ridewatch_ingest_records_total{type="position",outcome="repeated"}',
      'ridewatch_ingest_records_total{type="position",outcome="kept_aside"} 1',
      'ridewatch_ingest_records_total{type="unknown",outcome="unknown_type"} 1',
      'ridewatch_ingest_batch_seconds_count',
      'ridewatch_ingest_bytes_total{form="sent"}',
      'ridewatch_ingest_bytes_total{form="unpacked"}',
    ]) {
      expect(text).toContain(line);
    }
  });
});
