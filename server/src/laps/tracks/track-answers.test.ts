// Days with many positions: what is read of them holds up nobody else.

import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type * as contract from '@ridewatch/contract/laps';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { readPositionColumns } from '../../positions/read.ts';
import { BLOCKS, insertDenseBus } from '../../test/dense-bus.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { positionRecords, sendRecords } from '../../test/laps.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { measuresCost } from '../../test/tries-of.ts';
import { addLaps } from '../api.ts';
import { trackPoints } from '../engine/track/track-points.ts';

const DAY = '2026-11-19';
const START_MS = Date.parse(`${DAY}T00:00:00+03:00`);
const BLOCK_MS = 300_000;

let server: TestServer;
let fleet: TestFleet;
let base: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLaps]);
  server.clock.set(START_MS + 40 * 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
  // Its month has a place from then on.
  const position = positionRecords([[START_MS, 55.75, 37.6, 20]]);
  await sendRecords(server.app, fleet.firstBus, position, server.clock.nowMs());
  for (const login of ['admin', 'first']) tokens.set(login, await server.signIn(login));
  base = await server.app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => server.close());

/** A bus whose positions of a day wind so that almost all of them are worth showing. */
const denseBus = (count: number): Promise<TestBus> =>
  insertDenseBus(server, fleet.first, { startMs: START_MS, count }, (seq) => {
    const n = seq % (count / BLOCKS);
    return [
      55_750_000 + Math.round(60 * Math.sin(n * n)) + n,
      37_600_000 + Math.round(60 * Math.cos(7 * n * n)) + n,
    ];
  });

/** Another bus with the positions of one. */
async function copyOf({ unitId }: TestBus, number: number): Promise<TestBus> {
  const { db } = server.deps.database;
  const bus = await insertTestBus(db, fleet.first, `Копия ${number}`, 'Europe/Moscow');
  await sql`
    insert into position_blocks (unit_id, block_start, point_count, first_time, last_time, points)
    select ${bus.unitId}, block_start, point_count, first_time, last_time, points
    from position_blocks where unit_id = ${unitId}`.execute(db);
  return bus;
}

const copiesOf = (bus: TestBus, count: number): Promise<TestBus[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => copyOf(bus, n)));

function trackOf({ busId }: TestBus, login = 'first', coding = 'gzip'): Promise<Response> {
  const headers = { authorization: `Bearer ${tokens.get(login)}`, 'accept-encoding': coding };
  return fetch(`${base}/api/workplaces/gps/${busId}?date=${DAY}`, { headers });
}

it('a large track is the one that its positions give, for clients with and without gzip', async () => {
  const bus = await denseBus(100 * BLOCKS);
  const packed = await trackOf(bus);
  const plain = await trackOf(bus, 'first', 'identity');
  expect([packed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual([
    'gzip',
    null,
  ]);
  const text = await plain.text();
  expect(await packed.text()).toBe(text);
  const { items, timezone } = JSON.parse(text) as ResponseOf<typeof contract.findDayTrack>;
  const { db } = server.deps.database;
  const end = START_MS + BLOCKS * BLOCK_MS;
  const points = trackPoints(await readPositionColumns(db, bus.busId, START_MS, end));
  expect(points.length).toBeGreaterThan(20_000);
  expect([items, timezone]).toEqual([points, 'Europe/Moscow']);
});

it('large tracks are drawn beside the main thread', async () => {
  const bus = await denseBus(800 * BLOCKS);
  const before = process.threadCpuUsage();
  const answer = await trackOf(bus, 'first', 'gzip');
  const { user, system } = process.threadCpuUsage(before);
  expect(answer.status).toBe(200);
  if (measuresCost()) expect((user + system) / 1000).toBeLessThan(400);
  await answer.body?.cancel();
});

it('large tracks of one user let another user’s go before, and those who are too many come back', async () => {
  const bus = await denseBus(80 * BLOCKS);
  const buses = await copiesOf(bus, 20);
  const order: string[] = [];
  const ask = async (name: string, of: TestBus, login: string): Promise<Response> => {
    const answer = await trackOf(of, login);
    if (answer.status === 200) order.push(name);
    await answer.arrayBuffer();
    return answer;
  };
  const [first, ...rest] = buses.map((of) => ask('first', of, 'first'));
  const other = ask('admin', bus, 'admin');
  const answers = await Promise.all([...rest, first]);
  expect((await other).status).toBe(200);
  expect(order.indexOf('admin')).toBeLessThan(8);
  const refused = answers.filter((answer) => answer?.status === 503);
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.every((answer) => answer?.headers.get('retry-after') === '5')).toBe(true);
  expect(answers.filter((answer) => answer?.status === 200).length).toBeGreaterThanOrEqual(16);
});

it('an evicted answer is not built again for a client that has it', async () => {
  const bus = await denseBus(81 * BLOCKS);
  const first = await trackOf(bus);
  await first.arrayBuffer();
  const headers = {
    authorization: `Bearer ${tokens.get('first')}`,
    'if-none-match': `${first.headers.get('etag')}`,
  };
  // Another process has no answer yet.
  const other = await server.another();
  const statements = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const url = `/api/workplaces/gps/${bus.busId}?date=${DAY}`;
    const again = await other.inject({ url, headers });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    expect(again.headers.etag).toBe(headers['if-none-match']);
    const texts = statements.mock.calls.map((call: unknown[]) => JSON.stringify(call[0]));
    expect(texts.filter((text) => text.includes('position_blocks'))).toEqual([]);
  } finally {
    statements.mockRestore();
  }
});
