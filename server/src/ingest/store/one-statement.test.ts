// The usual batch of a driving unit is one statement, and leaves what the long way leaves.
import { randomUUID } from 'node:crypto';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import fc from 'fast-check';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listBlocked } from '../../test/blocked.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { listPositions } from '../../test/positions.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from '../http/api.ts';

const startMs = Date.UTC(2026, 10, 20, 5);
const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();

const WAIT = { timeout: 60_000, interval: 20 };

let server: TestServer;
/** Another process, which has seen nothing of what the first one stored. */
let other: FastifyInstance;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  other = await server.another();
  server.clock.set(startMs + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID().slice(0, 8)}`);

const post = (bus: TestBus, stream: string, records: readonly unknown[], app = server.app) =>
  app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${bus.credential}` },
    body: { stream, sent_at: new Date(server.clock.nowMs()).toISOString(), records },
  });

async function send(...sent: Parameters<typeof post>): Promise<BatchAnswer> {
  const answer = await post(...sent);
  expect(answer.statusCode, answer.body).toBe(200);
  const told = answer.json<BatchAnswer>();
  expect(told.refused).toEqual([]);
  return told;
}

const position = (seq: number, seconds = seq) => ({
  type: 'position',
  seq,
  time: at(seconds),
  latitude: 55.7 + seconds / 1e5,
  longitude: 37.6,
  speed_kmh: seconds % 3 === 0 ? 0 : 31.4,
  course: 270,
});
const passenger = (seq: number, seconds = seq) => ({
  type: 'passenger',
  seq,
  time: at(seconds),
  door: 1,
  direction: seq % 2 === 0 ? 'entered' : 'exited',
  passenger: seq % 3 === 0 ? 'child' : 'adult',
  count: 1 + (seq % 4),
});

async function contentOf({ unitId, busId }: TestBus) {
  const { db } = server.deps.database;
  const rows = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  return {
    positions: await listPositions(db, unitId, 0, Date.UTC(2100)),
    events:
      await rows(sql`select seq, sent_time, time, workplace_id = ${busId} as mine, door, direction,
      passenger, count from passenger_events where unit_id = ${unitId} order by seq`),
    hours:
      await rows(sql`select hour_start, unit_id = ${unitId} as mine, entered_adults, entered_kids, exited_adults,
      exited_kids, entered_manual, exited_manual, entered_outside, exited_outside
      from hourly_traffic where workplace_id = ${busId} order by hour_start`),
    streams: await rows(sql`select received::text, unplaced::text from unit_streams
      where unit_id = ${unitId}`),
    unit: await rows(sql`select last_seen_at, last_fix_at, last_latitude, last_longitude, last_course,
      last_speed_kmh, last_moved_at, batches from units where id = ${unitId}`),
    days: await rows(
      sql`select day, version from bus_days where workplace_id = ${busId} order by day`,
    ),
  };
}

/** How many statements something runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<number> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.length;
  } finally {
    query.mockRestore();
  }
}

describe('a batch that follows', () => {
  it('is one statement, with positions, with people and with neither', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    // With its partitions made.
    await send(bus, stream, [position(0), passenger(1)]);
    const batches = [
      [position(2), position(3)],
      [position(4), passenger(5), passenger(6)],
      [{ ...position(7), fix: false }],
    ];
    for (const records of batches) {
      expect(await statementsOf(() => send(bus, stream, records))).toBe(1);
    }
    expect((await contentOf(bus)).positions).toHaveLength(4);
  });

  it('leaves what it leaves when a process has seen nothing before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom('position', 'passenger', 'unplaced', 'gap'), {
          minLength: 4,
          maxLength: 40,
        }),
        fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 40, maxLength: 40 }),
        async (kinds, sizes) => {
          const records = kinds.flatMap((kind, seq): unknown[] => {
            // Some of them go on in the next block, and an hour begins on the way.
            const seconds = 3200 + seq * 20;
            if (kind === 'gap') return [];
            if (kind === 'passenger') return [passenger(seq, seconds)];
            return [{ ...position(seq, seconds), fix: kind === 'position' }];
          });
          const [seen, unseen] = [await freshBus(), await freshBus()];
          // Some people are outside the shift.
          for (const { busId } of [seen, unseen]) {
            await sql`insert into calculations (workplace_id, day, shift_start)
              values (${busId}, '2026-11-20', ${at(3500)})`.execute(server.deps.database.db);
          }
          const stream = randomUUID();
          let first = 0;
          for (const [turn, size] of sizes.entries()) {
            const batch = records.slice(first, first + size);
            first += size;
            if (batch.length === 0) break;
            await send(seen, stream, batch);
            await send(unseen, stream, batch, turn % 2 === 0 ? server.app : other);
          }
          expect(await contentOf(seen)).toEqual(await contentOf(unseen));
        },
      ),
      { numRuns: 8 },
    );
  });

  it('is stored once when it comes twice at the same time, also to another process', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, [position(0)]);
    await send(bus, stream, [position(1)], other);
    for (let seq = 2; seq < 20; seq += 2) {
      const batch = [position(seq), passenger(seq + 1)];
      const answers = await Promise.all(
        [server.app, other, server.app].map((app) => send(bus, stream, batch, app)),
      );
      for (const { acknowledged } of answers) expect(acknowledged).toEqual([[seq, seq + 1]]);
    }
    const { positions, events } = await contentOf(bus);
    expect(positions).toHaveLength(11);
    expect(events).toHaveLength(9);
  });

  it('loses nothing that another process has stored in the same five minutes', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, [position(0)]);
    await send(bus, stream, [position(1)]);
    await send(bus, randomUUID(), [position(2)], other);
    await send(bus, stream, [position(3)]);
    await send(bus, stream, [position(4)]);
    const times = (await contentOf(bus)).positions.map(({ timeMs }) => (timeMs - startMs) / 1000);
    expect(times).toEqual([0, 1, 2, 3, 4]);
  });

  it('is stored when its five minutes have been removed meanwhile', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, [position(0)]);
    await sql`delete from position_blocks where unit_id = ${bus.unitId}`.execute(
      server.deps.database.db,
    );
    expect((await send(bus, stream, [position(1), passenger(2)])).acknowledged).toEqual([[1, 2]]);
    const { positions, events } = await contentOf(bus);
    expect(positions.map(({ timeMs }) => timeMs)).toEqual([startMs + 1000]);
    expect(events).toHaveLength(1);
  });

  it('goes to the hours of the zone that the bus has by then', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, stream, [position(0), passenger(1)]);
    await sql`update workplace_settings set timezone = 'Asia/Kolkata'
      where workplace_id = ${bus.busId}`.execute(server.deps.database.db);
    await send(bus, stream, [position(2), passenger(3)]);
    // Half an hour beside those of Moscow.
    const hours = (await contentOf(bus)).hours.map(
      (row) => (row as { hour_start: Date }).hour_start,
    );
    expect(hours).toEqual([new Date(startMs - 1_800_000), new Date(startMs)]);
  });

  it('asks for laps anew when the day was taken meanwhile, and sooner when somebody looks', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const { db } = server.deps.database;
    const dueMs = async (): Promise<number | undefined> => {
      const { rows } = await sql<{ due_at: Date | null }>`select due_at from lap_days
        where workplace_id = ${bus.busId} and day = '2026-11-20'`.execute(db);
      return rows[0]?.due_at?.getTime();
    };
    await send(bus, stream, [position(0)]);
    const firstMs = await dueMs();
    await sql`update lap_days set taken = taken + 1, stored = taken + 1, due_at = null
      where workplace_id = ${bus.busId}`.execute(db);
    await send(bus, stream, [position(1)]);
    expect(await dueMs()).toBe(firstMs);
    await sql`insert into watched_buses (workplace_id, wanted_until)
      values (${bus.busId}, ${new Date(server.clock.nowMs() + 60_000)})`.execute(db);
    await send(bus, stream, [position(2)]);
    expect(await dueMs()).toBeLessThanOrEqual(server.clock.nowMs() + 15_000);
  });
});

describe('a spare unit in test mode', () => {
  it('marks the passengers of every batch until it is released', async () => {
    const { db } = server.deps.database;
    const spare = await freshBus();
    const { unitId } = spare;
    const setTest = (since: Date | null) =>
      db
        .updateTable('units')
        .set((eb) => ({ workplace_id: null, test_since: since, batches: eb('batches', '+', 1) }))
        .where('id', '=', unitId)
        .execute();
    const stream = randomUUID();
    await setTest(new Date(server.clock.nowMs()));
    for (const seq of [0, 2, 4]) await send(spare, stream, [position(seq), passenger(seq + 1)]);
    await setTest(null);
    for (const seq of [6, 8]) await send(spare, stream, [position(seq), passenger(seq + 1)]);
    const events = await db
      .selectFrom('passenger_events')
      .select(['seq', 'in_test'])
      .where('unit_id', '=', unitId)
      .orderBy('seq')
      .execute();
    expect(events.map(({ seq, in_test }) => [seq, in_test])).toEqual([
      [1, true],
      [3, true],
      [5, true],
      [7, false],
      [9, false],
    ]);
    // Released, its batches are one statement again.
    expect(await statementsOf(() => send(spare, stream, [position(10), passenger(11)]))).toBe(1);
  });
});

describe('a unit that is moved to another bus while its batch is stored', () => {
  it.each([
    ['one that follows', (stream: string) => stream],
    ['one of another stream, which takes many statements', () => randomUUID()],
  ])('writes no record of it to the former bus: %s', async (_name, streamOf) => {
    const { db } = server.deps.database;
    const [former, next] = [await freshBus(), await freshBus()];
    // A bus has one unit.
    await db
      .updateTable('units')
      .set({ workplace_id: null })
      .where('id', '=', next.unitId)
      .execute();
    const first = randomUUID();
    await send(former, first, [position(0), passenger(1)]);
    const before = await contentOf(former);
    const stream = streamOf(first);
    const batch = [position(2), passenger(3)];
    const { of: late } = await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('units')
        .set({ workplace_id: next.busId })
        .where('id', '=', former.unitId)
        .execute();
      // As a promise of its own, for the move must be committed before the batch can go on.
      const answer = { of: post(former, stream, batch) };
      await vi.waitUntil(async () => (await listBlocked(db)).length > 0, WAIT);
      return answer;
    });
    const answer = await late;
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toMatchObject([
      503,
      '3',
      { error: 'unavailable' },
    ]);
    expect(await contentOf(former)).toEqual(before);
    // Sent again after the time that the answer says, it is the other bus's.
    server.clock.advance(3000);
    expect((await send(former, stream, batch)).acknowledged).toEqual([[2, 3]]);
    const { events, hours } = await contentOf(former);
    expect(events).toMatchObject([
      { seq: 1, mine: true },
      { seq: 3, mine: false },
    ]);
    expect(hours).toEqual(before.hours);
    expect((await contentOf(next)).hours).toHaveLength(1);
  });
});
