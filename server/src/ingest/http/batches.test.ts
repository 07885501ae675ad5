import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { moveFragment } from '../../fragments/state.ts';
import { listBlocked } from '../../test/blocked.ts';
import {
  insertTestBus,
  insertTestClient,
  insertTestFleet,
  type TestBus,
  type TestFleet,
} from '../../test/fleet.ts';
import { listPositions } from '../../test/positions.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from './api.ts';

type Fields = Record<string, unknown>;

let server: TestServer;
let fleet: TestFleet;
const dayMs = Date.UTC(2026, 10, 20, 5);
const at = (seconds: number): string => new Date(dayMs + seconds * 1000).toISOString();

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(dayMs + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID().slice(0, 8)}`);

const post = (credential: string, body: object) =>
  server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: { authorization: `Bearer ${credential}` },
    body,
  });

async function send(
  bus: TestBus,
  records: readonly unknown[],
  { stream = randomUUID(), sentAt = new Date(server.clock.nowMs()).toISOString() } = {},
): Promise<BatchAnswer> {
  const answer = await post(bus.credential, { stream, sent_at: sentAt, records });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<BatchAnswer>();
}

const position = (seq: number, seconds: number, more: Fields = {}): Fields => ({
  type: 'position',
  seq,
  time: at(seconds),
  latitude: 55.7 + seconds / 1e5,
  longitude: 37.6,
  speed_kmh: 31.4,
  course: 270,
  ...more,
});
const passenger = (seq: number, seconds: number, more: Fields = {}): Fields => ({
  type: 'passenger',
  seq,
  time: at(seconds),
  door: 1,
  direction: 'entered',
  passenger: 'adult',
  ...more,
});
const segment = (seq: number, seconds: number, more: Fields = {}): Fields => ({
  type: 'segment',
  seq,
  time: at(seconds + 20),
  camera: 'door1',
  start_time: at(seconds),
  end_time: at(seconds + 20),
  video: 'kept',
  ...more,
});

async function contentOf(bus: TestBus) {
  const { db } = server.deps.database;
  const events = await sql`select time, door, direction, passenger, count from passenger_events
    where unit_id = ${bus.unitId} order by time, door, direction, passenger, count, seq`.execute(
    db,
  );
  const hours =
    await sql`select hour_start, entered_adults, entered_kids, exited_adults, exited_kids
    from hourly_traffic where workplace_id = ${bus.busId} order by hour_start`.execute(db);
  const segments = await sql`select start_time, end_time, status, max_objects_count from segments
    where unit_id = ${bus.unitId} order by camera_id, start_time`.execute(db);
  const positions = await listPositions(db, bus.unitId, 0, Date.UTC(2100));
  return { events: events.rows, hours: hours.rows, segments: segments.rows, positions };
}

describe('a batch', () => {
  it('is stored and acknowledged by ranges of numbers', async () => {
    const bus = await freshBus();
    const answer = await send(bus, [
      position(1, 0),
      position(2, 1),
      passenger(4, 2),
      segment(5, 0),
    ]);
    expect(answer.acknowledged).toEqual([
      [1, 2],
      [4, 5],
    ]);
    expect(answer.refused).toEqual([]);
    const content = await contentOf(bus);
    expect(content.positions).toHaveLength(2);
    expect(content.positions[0]).toEqual({
      timeMs: dayMs,
      latitude: 55.7,
      longitude: 37.6,
      speedKmh: 31.4,
      course: 270,
    });
    expect(content.events).toHaveLength(1);
    expect(content.segments).toMatchObject([{ status: 'LIVE' }]);
    expect(content.hours).toEqual([
      {
        hour_start: new Date(dayMs),
        entered_adults: 1,
        entered_kids: 0,
        exited_adults: 0,
        exited_kids: 0,
      },
    ]);
  });

  it.each([3, 4])('of a unit whose customer has status %i is stored', async (status) => {
    const { db } = server.deps.database;
    const client = await insertTestClient(db, `Клиент ${status}`, status);
    const bus = await insertTestBus(db, client, `Автобус ${status}`);
    const answer = await send(bus, [position(1, 0), passenger(2, 1), segment(3, 0)]);
    expect(answer).toMatchObject({ acknowledged: [[1, 3]], refused: [] });
    const { positions, events, segments } = await contentOf(bus);
    expect([positions, events, segments].map(({ length }) => length)).toEqual([1, 1, 1]);
  });

  it('keeps its good records when one is malformed, and names that one by its number', async () => {
    const bus = await freshBus();
    const answer = await send(bus, [
      passenger(1, 0),
      passenger(2, 1, { door: 'two' }),
      passenger(3, 2),
    ]);
    expect(answer.acknowledged).toEqual([
      [1, 1],
      [3, 3],
    ]);
    expect(answer.refused).toMatchObject([
      {
        index: 1,
        seq: 2,
        reason: 'malformed',
        field: 'door',
        message: 'must be a number',
      },
    ]);
    expect((await contentOf(bus)).events).toHaveLength(2);
  });

  it.each([
    [
      'a fragment that ends before it starts',
      segment(1, 0, { end_time: at(-5) }),
      'ends_before_start',
      'end_time',
    ],
    [
      'a fragment of an unknown camera',
      segment(1, 0, { camera: 'door9' }),
      'unknown_camera',
      'camera',
    ],
    ['a fragment of nine hours', segment(1, -32_400, { end_time: at(0) }), 'too_long', 'end_time'],
    ['a latitude of 91', position(1, 0, { latitude: 91 }), 'malformed', 'latitude'],
    [
      'a position without a longitude',
      position(1, 0, { longitude: null }),
      'malformed',
      'longitude',
    ],
    ['a kind that is not known', { type: 'weather', seq: 1 }, 'unknown_type', 'type'],
    ['a number instead of a record', 17, 'malformed', 'type'],
  ])('refuses %s and says why', async (_name, record, reason, field) => {
    const bus = await freshBus();
    const answer = await send(bus, [record]);
    expect(answer.acknowledged).toEqual([]);
    expect(answer.refused).toMatchObject([{ index: 0, reason, field }]);
    expect(await contentOf(bus)).toEqual({ events: [], hours: [], segments: [], positions: [] });
  });

  it.each([
    ['without a fix', { fix: false }],
    ['without a fix and a place', { fix: false, latitude: undefined, longitude: null }],
    ['at 0,0', { latitude: 0, longitude: 0 }],
  ])(
    'acknowledges a point %s without storing it, and keeps the counts beside it',
    async (_name, more) => {
      const bus = await freshBus();
      const answer = await send(bus, [position(1, 0, more), passenger(2, 0)]);
      expect(answer.acknowledged).toEqual([[1, 2]]);
      const content = await contentOf(bus);
      expect(content.positions).toEqual([]);
      expect(content.events).toHaveLength(1);
    },
  );

  it('sent twice is acknowledged twice and stored once', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    const records = [
      position(1, 0),
      passenger(2, 1),
      segment(3, 0),
      { type: 'camera_state', seq: 4, time: at(3), camera: 'door1', status: 'offline' },
    ];
    await send(bus, records, { stream });
    const before = await contentOf(bus);
    const again = await send(bus, records, { stream });
    expect(again.acknowledged).toEqual([[1, 4]]);
    expect(again.refused).toEqual([]);
    expect(await contentOf(bus)).toEqual(before);
  });

  it.each([
    ['position', position(1, 0), position(1, 0, { latitude: 55.8 })],
    ['passenger event', passenger(1, 0), passenger(1, 0, { direction: 'exited' })],
    ['passenger event', passenger(1, 0), passenger(1, 1)],
    ['fragment', segment(1, 0), segment(1, 0, { video: 'queued' })],
    ['number for another kind', position(1, 0), passenger(1, 0)],
  ])('refuses a %s with a used number and other content', async (_name, one, other) => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, [one], { stream });
    const before = await contentOf(bus);
    const answer = await send(bus, [other], { stream });
    expect(answer).toMatchObject({
      acknowledged: [],
      refused: [{ seq: 1, reason: 'other_content' }],
    });
    expect(await contentOf(bus)).toEqual(before);
  });

  it('from a clock that is two hours behind is stored at the corrected time', async () => {
    const bus = await freshBus();
    const sentAt = new Date(server.clock.nowMs() - 7_200_000).toISOString();
    await send(bus, [passenger(1, -7200), position(2, -7200)], { sentAt });
    const content = await contentOf(bus);
    expect(content.events).toMatchObject([{ time: new Date(dayMs) }]);
    expect(content.positions).toMatchObject([{ timeMs: dayMs }]);
  });

  it('whose body takes a minute to arrive is not taken for one from a wrong clock', async () => {
    const bus = await freshBus();
    const startMs = server.clock.nowMs();
    const sentAt = new Date(startMs).toISOString();
    const body = JSON.stringify({
      stream: randomUUID(),
      sent_at: sentAt,
      records: [passenger(1, 0)],
    });
    async function* slowly(): AsyncGenerator<Buffer> {
      yield Buffer.from(body.slice(0, 20));
      server.clock.advance(60_000);
      yield Buffer.from(body.slice(20));
    }
    const answer = await server.app.inject({
      method: 'POST',
      url: '/unit/v1/batches',
      headers: { authorization: `Bearer ${bus.credential}`, 'content-type': 'application/json' },
      payload: Readable.from(slowly()),
    });
    server.clock.set(startMs);
    expect(answer.statusCode, answer.body).toBe(200);
    expect((await contentOf(bus)).events).toMatchObject([{ time: new Date(dayMs) }]);
  });

  it('in whatever order, split and repeated, leaves the same database', async () => {
    const records = Array.from({ length: 24 }, (_, seq) => {
      const seconds = ((seq * 7) % 24) * 40;
      if (seq % 3 === 0) return position(seq, seconds);
      if (seq % 3 === 1) return passenger(seq, seconds, { passenger: seq % 2 ? 'child' : 'adult' });
      return segment(seq, seconds, { video: seq % 2 ? 'queued' : 'kept' });
    });
    const reference = await freshBus();
    await send(reference, records);
    const expected = await contentOf(reference);
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...records, ...records.slice(0, 8)], { minLength: 32, maxLength: 32 }),
        fc.integer({ min: 1, max: 9 }),
        async (shuffled, size) => {
          const bus = await freshBus();
          const stream = randomUUID();
          for (let first = 0; first < shuffled.length; first += size) {
            await send(bus, shuffled.slice(first, first + size), { stream });
          }
          expect(await contentOf(bus)).toEqual(expected);
        },
      ),
      { numRuns: 10 },
    );
  });

  it('announces a fragment that is being recorded and later lies on the registrar, as one', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, [segment(1, 0, { video: 'adding' })], { stream });
    await send(bus, [segment(2, 0, { end_time: at(31), max_objects_count: 6 })], { stream });
    expect((await contentOf(bus)).segments).toEqual([
      {
        start_time: new Date(dayMs),
        end_time: new Date(dayMs + 31_000),
        status: 'LIVE',
        max_objects_count: 6,
      },
    ]);
  });
});

describe('a batch that waits for a day', () => {
  it('does not stop who changes that day and moves a fragment of its stream', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    await send(bus, [passenger(1, 0), segment(2, 0, { video: 'queued' })], { stream });
    const { db } = server.deps.database;
    const { id } = await db
      .selectFrom('segments')
      .select('id')
      .where('unit_id', '=', bus.unitId)
      .executeTakeFirstOrThrow();
    const atMs = server.clock.nowMs();
    const sent = await db.transaction().execute(async (tx) => {
      await moveFragment(tx, id, 'LOADING', { atMs });
      // As a promise of its own, for the transaction must end before the batch can.
      const answer = { of: send(bus, [passenger(3, 1)], { stream }) };
      await vi.waitUntil(async () => (await listBlocked(db)).length > 0);
      await sql`set local lock_timeout = '300ms'`.execute(tx);
      await moveFragment(tx, id, 'LOADED', { atMs });
      return answer;
    });
    expect((await sent.of).acknowledged).toEqual([[3, 3]]);
  });
});
