// One row holds so much of a unit that tells the time or counts badly, and nothing acknowledged is lost for it.
import { randomUUID } from 'node:crypto';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packPoints } from '../../positions/pack.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { listPositions } from '../../test/positions.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from '../http/api.ts';
import { MAX_BLOCK_POINTS, MAX_STREAM_RANGES } from './bounds.ts';

const startMs = Date.UTC(2026, 10, 20, 5);
let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(startMs + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID().slice(0, 8)}`);

async function send(
  bus: TestBus,
  stream: string,
  records: readonly unknown[],
): Promise<BatchAnswer> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream, sent_at: new Date(server.clock.nowMs()).toISOString(), records },
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<BatchAnswer>();
}

const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();
const position = (seq: number, seconds = 0) => ({
  type: 'position',
  seq,
  time: at(seconds),
  latitude: 55.7 + (seq % 1000) / 1e5,
  longitude: 37.6,
  speed_kmh: 20,
});
const withoutFix = (seq: number) => ({ ...position(seq), fix: false });
const passenger = (seq: number, seconds = 0) => ({
  type: 'passenger',
  seq,
  time: at(seconds),
  door: 1,
  direction: 'entered',
  passenger: 'adult',
});
const some = <R>(count: number, make: (n: number) => R): R[] =>
  Array.from({ length: count }, (_, n) => make(n));

const countPositions = async ({ unitId }: TestBus): Promise<number> =>
  (await listPositions(server.deps.database.db, unitId, 0, Date.UTC(2100))).length;

async function rangesOf({ unitId }: TestBus): Promise<{ received: number; unplaced: number }> {
  const { rows } = await sql<{ received: number; unplaced: number }>`
    select (select count(*)::int from unnest(received)) as received,
      (select count(*)::int from unnest(unplaced)) as unplaced
    from unit_streams where unit_id = ${unitId}`.execute(server.deps.database.db);
  return rows[0] ?? { received: 0, unplaced: 0 };
}

describe('a unit whose clock stands', () => {
  it('has its positions refused by name once their five minutes are full, and nothing else', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const full = await send(bus, stream, some(MAX_BLOCK_POINTS - 1, position));
    expect(full.refused).toEqual([]);
    const next = MAX_BLOCK_POINTS - 1;
    const answer = await send(bus, stream, [
      position(next),
      position(next + 1),
      passenger(next + 2),
      withoutFix(next + 3),
      position(next + 4, 300),
    ]);
    expect(answer.acknowledged).toEqual([
      [next, next],
      [next + 2, next + 4],
    ]);
    const message =
      'is in five minutes that have 6000 positions already; does the clock of the unit stand?';
    const refusal = { reason: 'too_dense', field: 'time', message };
    expect(answer.refused).toEqual([{ index: 1, seq: next + 1, ...refusal }]);
    expect(await countPositions(bus)).toBe(MAX_BLOCK_POINTS + 1);
    // Its number is free, and what is stored is told apart from what is not.
    const repeated = await send(bus, stream, [position(0), position(next + 1)]);
    expect([repeated.acknowledged, repeated.refused]).toEqual([
      [[0, 0]],
      [{ index: 1, seq: next + 1, ...refusal }],
    ]);
    expect((await send(bus, stream, [position(next + 1, 301)])).refused).toEqual([]);
  });

  it('has the same refused where its batches follow one another', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, some(MAX_BLOCK_POINTS - 3, position));
    const first = MAX_BLOCK_POINTS - 3;
    expect((await send(bus, stream, [position(first), position(first + 1)])).refused).toEqual([]);
    const answer = await send(bus, stream, [position(first + 2), position(first + 3)]);
    expect(answer.acknowledged).toEqual([[first + 2, first + 2]]);
    expect(answer.refused).toMatchObject([{ seq: first + 3, reason: 'too_dense' }]);
    expect(await countPositions(bus)).toBe(MAX_BLOCK_POINTS);
  });

  it('goes on being stored where its five minutes have far more from before', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const { db } = server.deps.database;
    await send(bus, stream, [position(0)]);
    const row = await sql<{ id: number }>`select id from unit_streams
      where unit_id = ${bus.unitId}`.execute(db);
    const old = some(150_000, (n) => ({
      sentMs: startMs,
      offsetMs: 0,
      streamId: row.rows[0]?.id ?? 0,
      seq: n,
      latitudeE6: 55_700_000 + (n % 1000) * 10,
      longitudeE6: 37_600_000,
      speedE1: 200,
      course: null,
      satellites: null,
      hdopE1: null,
    }));
    await sql`update position_blocks set point_count = ${old.length}, points = ${packPoints(old)}
      where unit_id = ${bus.unitId}`.execute(db);
    await sql`update unit_streams set received = '{[0,150000)}' where unit_id = ${bus.unitId}`.execute(
      db,
    );
    const next = old.length;
    const answer = await send(bus, stream, [position(7), position(next), position(next + 1, 600)]);
    expect(answer.acknowledged).toEqual([
      [7, 7],
      [next + 1, next + 1],
    ]);
    expect(answer.refused).toMatchObject([{ seq: next, reason: 'too_dense', field: 'time' }]);
    expect(await countPositions(bus)).toBe(next + 1);
  });
});

describe('a unit that counts with gaps', () => {
  it('has so many ranges remembered, all of its records stored, and late ones of closed gaps refused', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const first = some(700, (n) => passenger(2 * n));
    const then = some(700, (n) => passenger(1400 + 2 * n));
    for (const batch of [first, then]) expect((await send(bus, stream, batch)).refused).toEqual([]);
    expect(await rangesOf(bus)).toEqual({ received: MAX_STREAM_RANGES, unplaced: 0 });
    // 1,400 ranges: the 400 gaps with the smallest numbers are closed.
    const late = [
      passenger(1),
      position(399),
      withoutFix(799),
      passenger(801),
      passenger(2798),
      passenger(3, 9),
    ];
    const answer = await send(bus, stream, late);
    expect(answer.refused.map(({ seq, reason }) => [seq, reason])).toEqual(
      [1, 399, 799, 3].map((seq) => [seq, 'other_content']),
    );
    expect(answer.acknowledged).toEqual([
      [801, 801],
      [2798, 2798],
    ]);
    const again = await send(bus, stream, [...first, ...then]);
    expect(again.refused).toEqual([]);
    const { rows } = await sql<{ count: number }>`select count(*)::int as count
      from passenger_events where unit_id = ${bus.unitId}`.execute(server.deps.database.db);
    expect(rows).toEqual([{ count: 1401 }]);
  });

  it('has no more of them where its batches follow one another', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, [position(0), ...some(990, (n) => passenger(2 + 2 * n))]);
    for (let seq = 4000; seq < 4100; seq += 10) {
      const batch = [position(seq), passenger(seq + 2), position(seq + 4)];
      expect((await send(bus, stream, batch)).refused).toEqual([]);
    }
    expect((await rangesOf(bus)).received).toBe(MAX_STREAM_RANGES);
  });

  it('has what is remembered of it cut where there is far more from before', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, [position(0)]);
    await sql`update unit_streams set
        received = (select range_agg(int8range(3 * k, 3 * k + 1)) from generate_series(0, 20000) k),
        unplaced = (select range_agg(int8range(3 * k, 3 * k + 1)) from generate_series(1, 20000) k)
      where unit_id = ${bus.unitId}`.execute(server.deps.database.db);
    const answer = await send(bus, stream, [passenger(1), withoutFix(60_000), passenger(60_001)]);
    expect(answer.refused.map(({ seq }) => seq)).toEqual([1]);
    expect(answer.acknowledged).toEqual([[60_000, 60_001]]);
    expect(await rangesOf(bus)).toEqual({
      received: MAX_STREAM_RANGES,
      unplaced: MAX_STREAM_RANGES,
    });
  });
});

describe('positions without a place', () => {
  it('are remembered in so many ranges; a repeat of an older one is refused, and never one of something stored taken', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const batch = some(1200, (n) => [withoutFix(2 * n), passenger(2 * n + 1)]).flat();
    expect((await send(bus, stream, batch)).refused).toEqual([]);
    expect(await rangesOf(bus)).toEqual({ received: 1, unplaced: MAX_STREAM_RANGES });
    const answer = await send(bus, stream, [
      withoutFix(398),
      passenger(399),
      withoutFix(400),
      withoutFix(1),
      withoutFix(401),
    ]);
    expect(answer.acknowledged).toEqual([[399, 400]]);
    expect(answer.refused.map(({ seq, reason }) => [seq, reason])).toEqual(
      [398, 1, 401].map((seq) => [seq, 'other_content']),
    );
  });
});

it('an hour with as many people as its sum holds takes no more, and the rest of a batch is stored', async () => {
  const [bus, stream] = [await freshBus(), randomUUID()];
  await send(bus, stream, [passenger(1), position(2)]);
  await sql`update hourly_traffic set entered_adults = 2147483647 where unit_id = ${bus.unitId}`.execute(
    server.deps.database.db,
  );
  const answer = await send(bus, stream, [passenger(3, 1), position(4, 1), passenger(5, 3600)]);
  expect(answer.refused).toMatchObject([{ seq: 3, reason: 'too_dense', field: 'time' }]);
  expect(answer.acknowledged).toEqual([[4, 5]]);
  expect(await countPositions(bus)).toBe(2);
});
