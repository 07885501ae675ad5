// Invalid optional fields cost the field and not the record.
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { BatchAnswer } from '@ridewatch/contract/unit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { listPositions } from '../../test/positions.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addIngest } from './api.ts';

type Fields = Record<string, unknown>;

let server: TestServer;
let fleet: TestFleet;
const startMs = Date.UTC(2026, 10, 20, 5);
const at = (seconds: number): string => new Date(startMs + seconds * 1000).toISOString();

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(startMs + 3_600_000);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const freshBus = (): Promise<TestBus> =>
  insertTestBus(server.deps.database.db, fleet.first, `Автобус ${randomUUID().slice(0, 8)}`);

async function send(
  { credential }: TestBus,
  records: readonly unknown[],
  more: Fields = {},
): Promise<BatchAnswer> {
  const sent_at = new Date(server.clock.nowMs()).toISOString();
  const body = JSON.stringify({ stream: randomUUID(), sent_at, records, ...more });
  const answer = await server.app.inject({
    method: 'POST',
    url: '/unit/v1/batches',
    headers: {
      authorization: `Bearer ${credential}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
    },
    payload: gzipSync(body),
  });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<BatchAnswer>();
}
const position = (seq: number, more: Fields = {}): Fields => ({
  ...{ type: 'position', seq, time: at(seq), latitude: 55.7, longitude: 37.6, speed_kmh: 31.4 },
  ...more,
});
const passenger = (seq: number, more: Fields = {}): Fields => ({
  ...{ type: 'passenger', seq, time: at(seq), door: 1, direction: 'entered', passenger: 'adult' },
  ...more,
});
const segment = (seq: number, more: Fields = {}): Fields => ({
  ...{ type: 'segment', seq, time: at(20), camera: 'door1', start_time: at(0), end_time: at(20) },
  ...{ video: 'kept', ...more },
});
const placesOf = ({ unitId }: TestBus) =>
  listPositions(server.deps.database.db, unitId, 0, Date.UTC(2100));
const countsOf = async ({ unitId }: TestBus) => {
  const { db } = server.deps.database;
  const rows = await db
    .selectFrom('passenger_events')
    .select('count')
    .where('unit_id', '=', unitId)
    .orderBy('seq')
    .execute();
  return rows.map(({ count }) => count);
};

describe('a record with an invalid optional field', () => {
  it.each([
    ['speed_kmh', -1],
    ['speed_kmh', null],
    ['course', -1],
    ['course', 'north'],
    ['hdop', 327.67],
    ['satellites', 255],
    ['satellites', 7.5],
    ['fix', 'yes'],
  ])('is stored without it, and the answer says so: %s of %j', async (field, value) => {
    const bus = await freshBus();
    const answer = await send(bus, [position(1), position(2, { [field]: value })]);
    expect(answer).toMatchObject({ acknowledged: [[1, 2]], refused: [] });
    expect(answer.warnings).toEqual([
      { type: 'position', field, message: expect.any(String), count: 1, index: 1 },
    ]);
    const [, second] = await placesOf(bus);
    expect(second).toMatchObject({ latitude: 55.7, longitude: 37.6 });
    if (field === 'speed_kmh') expect(second?.speedKmh).toBeNull();
  });

  it('is none where the number is almost 0', async () => {
    const bus = await freshBus();
    const tiny = { latitude: 5e-324, longitude: 5e-324, speed_kmh: 5e-324, course: 5e-324 };
    const answer = await send(bus, [position(1, tiny), position(2, { speed_kmh: 5e-324 })]);
    expect(answer).toMatchObject({ acknowledged: [[1, 2]], refused: [] });
    expect(answer.warnings).toBeUndefined();
  });

  it('keeps its other fields', async () => {
    const bus = await freshBus();
    const bad = { speed_kmh: -1, course: 270, hdop: 327.67, satellites: 255 };
    const { warnings } = await send(bus, [position(1, bad), position(2, bad)]);
    expect(warnings?.map(({ field, count, index }) => [field, count, index])).toEqual([
      ['speed_kmh', 2, 0],
      ['satellites', 2, 0],
      ['hdop', 2, 0],
    ]);
    expect((await placesOf(bus))[0]).toMatchObject({ speedKmh: null, course: 270 });
  });

  it('of a fragment is stored, too', async () => {
    const bus = await freshBus();
    const answer = await send(bus, [segment(1, { max_objects_count: -3 })]);
    expect(answer).toMatchObject({
      acknowledged: [[1, 1]],
      warnings: [{ type: 'segment', field: 'max_objects_count' }],
    });
  });

  it('of a passenger is one person, unless it says that nobody passed', async () => {
    const bus = await freshBus();
    const counts = [undefined, 3, null, -2, 300, 'two', 0];
    const answer = await send(
      bus,
      counts.map((count, seq) => passenger(seq, { count })),
    );
    expect(answer.acknowledged).toEqual([[0, 5]]);
    expect(answer.refused).toMatchObject([{ index: 6, reason: 'malformed', field: 'count' }]);
    expect(answer.warnings).toMatchObject([{ type: 'passenger', field: 'count', count: 4 }]);
    expect(await countsOf(bus)).toEqual([1, 3, 1, 1, 1, 1]);
  });

  it('is no warning where a position has no fix, and its place is nonsense', async () => {
    const bus = await freshBus();
    const answer = await send(bus, [position(1, { fix: false, latitude: 91, longitude: 'x' })]);
    expect(answer).toMatchObject({ acknowledged: [[1, 1]], refused: [] });
    expect(await placesOf(bus)).toEqual([]);
  });

  it('is refused for what it cannot be without', async () => {
    const bus = await freshBus();
    const answer = await send(bus, [
      position(1, { latitude: 91, speed_kmh: -1 }),
      passenger(2, { door: 0 }),
      segment(3, { video: 'gone' }),
    ]);
    expect(answer.acknowledged).toEqual([]);
    expect(answer.refused.map(({ field }) => field)).toEqual(['latitude', 'door', 'video']);
  });

  it('is stored whatever the field has', async () => {
    const bus = await freshBus();
    const names = ['speed_kmh', 'course', 'satellites', 'hdop', 'fix', 'more'] as const;
    const field = fc.constantFrom(...names);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(field, fc.jsonValue()), async (more) => {
        const rest = more.fix === false ? { ...more, fix: true } : more;
        const answer = await send(bus, [position(1, rest)]);
        expect(answer).toMatchObject({ acknowledged: [[1, 1]], refused: [] });
      }),
      { numRuns: 50 },
    );
  });

  it('repeated with the same field is a repeat', async () => {
    const bus = await freshBus();
    const stream = randomUUID();
    for (let time = 0; time < 2; time += 1) {
      const answer = await send(bus, [position(1, { speed_kmh: -1 })], { stream });
      expect(answer).toMatchObject({ acknowledged: [[1, 1]], refused: [] });
    }
    expect(await placesOf(bus)).toHaveLength(1);
  });
});

describe('an invalid field of the batch itself', () => {
  it.each([
    ['backlog_from', 'yesterday'],
    ['backlog_from', 17],
    ['firmware', 4.2],
  ])('costs the field and no record: %s of %j', async (field, value) => {
    const bus = await freshBus();
    const answer = await send(bus, [passenger(1)], { [field]: value });
    expect(answer).toMatchObject({
      acknowledged: [[1, 1]],
      warnings: [{ type: null, field, count: 1, index: null }],
    });
  });

  it('is kept as far as it can be: a firmware with the zeros of a fixed length', async () => {
    const bus = await freshBus();
    const answer = await send(bus, [passenger(1)], { firmware: 'v4.2\0\0\0' });
    expect(answer.warnings).toBeUndefined();
    const { firmware } = await server.deps.database.db
      .selectFrom('units')
      .select('firmware')
      .where('id', '=', bus.unitId)
      .executeTakeFirstOrThrow();
    expect(firmware).toBe('v4.2');
  });
});

describe('the metrics', () => {
  it('count the fields by unit, those of small and of large batches', async () => {
    const bus = await freshBus();
    await send(bus, [position(1, { hdop: 327.67 })]);
    const many = Array.from({ length: 3000 }, (_, seq) =>
      position(seq, { hdop: 327.67, time: at(seq / 10), note: 'x'.repeat(60) }),
    );
    const { warnings } = await send(bus, many);
    expect(warnings).toMatchObject([{ field: 'hdop', count: 3000, index: 0 }]);
    const text = await server.deps.metrics.registry.metrics();
    const line = `ridewatch_ingest_dropped_fields_total{unit="${bus.unitId}",field="hdop"} 3001`;
    expect(text).toContain(line);
  });
});
