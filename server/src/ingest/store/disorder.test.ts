// Positions that come late, again, or days later go the way of the usual batch, and leave what the long way leaves.
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import type { KnownUnit } from '../../core/viewer.ts';
import { retentionJob } from '../../retention/nightly-job.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { listPositions } from '../../test/positions.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { countNumber, positionNumber } from '../by-id/numbers.ts';
import { addIngest } from '../http/api.ts';
import { createRecordStore, type RecordStore } from './record-store.ts';
import type { CheckedRecord, PassengerRecord, PositionRecord } from './records.ts';
import { TIMED_STREAM } from './timed-stream.ts';

const START_MS = Date.UTC(2026, 10, 20, 8);
const NOW_MS = START_MS + 3 * 3_600_000;
const DAY_S = 86_400;
const NO_JOB = { jobId: '1', attempt: 1, lastAttempt: false, signal: AbortSignal.any([]) };

let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
});
afterAll(() => server.close());

type BusUnit = KnownUnit & { readonly busId: number };

async function freshUnit(): Promise<BusUnit> {
  const { db } = server.deps.database;
  const { unitId, busId } = await insertTestBus(db, fleet.first, randomUUID(), 'Europe/Moscow');
  const [deviceId, assignedFromMs] = [randomUUID(), Number.NEGATIVE_INFINITY];
  return { unitId, busId, deviceId, assignedFromMs, pastAssignments: [] };
}

/** Another process, which has seen nothing. */
const newProcess = (): RecordStore['store'] => createRecordStore(server.deps).store;

const position = (second: number, speedKmh: number | null = 30): PositionRecord => {
  const sentMs = START_MS + second * 1000;
  return {
    ...{ type: 'position', index: 0, seq: positionNumber(sentMs), sentMs, timeMs: sentMs },
    place: { latitude: 55.7 + (second % 1000) / 5e4, longitude: 37.6 },
    ...{ speedKmh, course: 300, satellites: null, hdop: null },
  };
};
const passenger = (second: number, count = 1): PassengerRecord => {
  const timeMs = START_MS + second * 1000;
  const key = { timeMs, module: 1, door: 1, direction: 'entered' } as const;
  return {
    ...{ type: 'passenger', index: 0, seq: countNumber(key), sentMs: timeMs, timeMs },
    ...{ door: 1, direction: 'entered', passenger: 'adult', count },
  };
};

const sendBy = (
  store: RecordStore['store'],
  unit: KnownUnit,
  records: readonly CheckedRecord[],
  nowMs = NOW_MS,
) =>
  store(
    unit,
    TIMED_STREAM,
    records.map((record, index) => ({ ...record, index })),
    nowMs,
  );

async function contentOf({ unitId, busId }: BusUnit) {
  const { db } = server.deps.database;
  const rows = async (query: ReturnType<typeof sql>) => (await query.execute(db)).rows;
  return {
    positions: await listPositions(db, unitId, 0, Date.UTC(2100)),
    blocks: await rows(sql`select block_start, point_count, first_time, last_time
      from position_blocks where unit_id = ${unitId} order by block_start`),
    events: await rows(sql`select seq, time, count from passenger_events
      where unit_id = ${unitId} order by seq`),
    hours: await rows(sql`select hour_start, entered_adults from hourly_traffic
      where workplace_id = ${busId} order by hour_start`),
    unit: await rows(sql`select last_seen_at, last_fix_at, last_latitude, last_speed_kmh,
      last_moved_at, batches from units where id = ${unitId}`),
    days: await rows(sql`select day, version from bus_days
      where workplace_id = ${busId} order by day`),
    laps: await rows(sql`select day, asked_at, due_at from lap_days
      where workplace_id = ${busId} order by day`),
  };
}

async function statementsOf<T>(work: () => Promise<T>): Promise<{ count: number; result: T }> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const result = await work();
    return { result, count: query.mock.calls.length };
  } finally {
    query.mockRestore();
  }
}

describe('positions of a driving unit in disorder', () => {
  it('are two statements: late ones, those of days before, and those that were stored before', async () => {
    const [unit, store] = [await freshUnit(), newProcess()];
    const old = [1, 2, 3].map((days) => position(-days * DAY_S));
    // The long way requests the laps of their days.
    await sendBy(store, unit, [...old, position(-700), position(0)]);
    const [past = position(0)] = old;
    const records = [position(2 - 3 * DAY_S), position(-699), past, position(-700), position(1)];
    const { count, result } = await statementsOf(() => sendBy(store, unit, records));
    expect(count).toBe(2);
    expect(result.figures.records).toEqual([
      { type: 'position', outcome: 'stored', count: 3 },
      { type: 'position', outcome: 'repeated', count: 2 },
    ]);
    const { positions, unit: row } = await contentOf(unit);
    expect(positions).toHaveLength(8);
    // A late one is not where the bus is.
    expect(row).toMatchObject([{ last_fix_at: new Date(START_MS + 1000) }]);
  });

  it('are three statements with people that come again, who count once', async () => {
    const [unit, store] = [await freshUnit(), newProcess()];
    await sendBy(store, unit, [position(0), passenger(0, 5)]);
    // No look for people after the last ones.
    const { count: first } = await statementsOf(() => sendBy(store, unit, [passenger(2, 3)]));
    expect(first).toBe(1);
    const records = [passenger(0, 5), passenger(1, 2), passenger(2, 3), position(-700)];
    const { count, result } = await statementsOf(() => sendBy(store, unit, records));
    expect(count).toBe(3);
    expect(result.repeated).toHaveLength(2);
    const { events, hours } = await contentOf(unit);
    expect(events).toHaveLength(3);
    expect(hours).toMatchObject([{ entered_adults: 10 }]);
  });

  it('share these statements with other units, of which one has nothing to read', async () => {
    const store = newProcess();
    const units = await Promise.all(Array.from({ length: 12 }, freshUnit));
    for (const unit of units) await sendBy(store, unit, [position(-700), position(0)]);
    const late = (n: number) => (n === 0 ? [position(1)] : [position(-701 - n), position(1)]);
    const { count } = await statementsOf(() =>
      Promise.all(units.map((unit, n) => sendBy(store, unit, late(n)))),
    );
    expect(count).toBeLessThanOrEqual(9);
    for (const unit of units.slice(1)) {
      expect((await contentOf(unit)).positions).toHaveLength(4);
    }
  });

  it('request the laps of an earlier day again when they have been taken meanwhile', async () => {
    const [unit, store] = [await freshUnit(), newProcess()];
    await sendBy(store, unit, [position(-3 * DAY_S), position(0)]);
    await takeLaps(unit, '2026-11-17');
    await sendBy(store, unit, [position(1 - 3 * DAY_S), position(1)]);
    const { laps } = await contentOf(unit);
    expect(laps).toHaveLength(2);
    for (const day of laps) expect(day).toMatchObject({ due_at: expect.any(Date) });
  });

  it('keep what another process has stored in the same earlier minutes', async () => {
    const [unit, store] = [await freshUnit(), newProcess()];
    await sendBy(store, unit, [position(-700), position(0)]);
    for (let second = 0; second < 12; second += 2) {
      await Promise.all([
        sendBy(store, unit, [position(second - 650), position(second)]),
        sendBy(newProcess(), unit, [position(second - 649), position(second)]),
      ]);
    }
    const { positions } = await contentOf(unit);
    expect(positions).toHaveLength(1 + 12 + 6);
  });

  it('bring nothing back that retention has deleted since their minutes were read', async () => {
    const [unit, first] = [await freshUnit(), newProcess()];
    await sendBy(first, unit, [position(0)]);
    const { database } = server.deps;
    const query = async (statement: pg.QueryConfig): Promise<pg.QueryResult> => {
      const result = await database.pool.query(statement);
      if (statement.name === 'read_position_blocks') await night();
      return result;
    };
    const night = () => retentionJob(server.deps).run({}, NO_JOB);
    const pool = Object.assign(Object.create(database.pool), { query });
    const { store } = createRecordStore({ ...server.deps, database: { ...database, pool } });
    const expired = -401 * DAY_S;
    // A first night has deleted as much before.
    await sendBy(store, unit, [position(expired - 700), position(1)]);
    await night();
    await sendBy(store, unit, [position(expired), position(2)]);
    await sendBy(store, unit, [position(expired + 1), position(3)]);
    const { positions } = await contentOf(unit);
    expect(positions.map(({ timeMs }) => (timeMs - START_MS) / 1000)).toEqual([
      ...[expired + 1, 0, 1, 2, 3],
    ]);
  });

  it('leave the rows and answers of the long way, whatever comes in whichever order', async () => {
    await fc.assert(fc.asyncProperty(fc.array(aBatch, { minLength: 3, maxLength: 9 }), alike), {
      numRuns: inject('triesEverything') ? 100 : 4,
    });
  });
});

/** The records of a batch beside positions that follow, and the events before it. */
const aBatch = fc.record({
  kinds: fc.array(
    fc.constantFrom(
      ...(['next', 'next', 'skip', 'late', 'earlier', 'yesterday', 'old', 'other'] as const),
      ...(['again', 'people', 'people again', 'late people', 'other people'] as const),
      ...(['slow', 'nowhere'] as const),
    ),
    { minLength: 1, maxLength: 8 },
  ),
  before: fc.constantFrom('nothing', 'nothing', 'nothing', 'taken laps', 'another process'),
  isReplayed: fc.boolean(),
});
type Batch = typeof aBatch extends fc.Arbitrary<infer Value> ? Value : never;

async function alike(batches: readonly Batch[]): Promise<void> {
  const [shared, long] = [await freshUnit(), await freshUnit()];
  const processes = [newProcess(), newProcess()];
  const sent: CheckedRecord[] = [];
  let second = 0;
  for (const [turn, { kinds, before, isReplayed }] of batches.entries()) {
    const records = kinds.map((kind, n): CheckedRecord => {
      second += kind === 'skip' ? 400 : 7;
      const earlier = sent[(turn * 7 + n * 3) % Math.max(1, sent.length)];
      if (kind === 'again') return earlier ?? position(second);
      if (kind === 'other') return position(second - 7 * (1 + n), 77);
      if (kind === 'late') return position(second - 20 - n);
      if (kind === 'earlier') return position(second - 1000 - n);
      if (kind === 'yesterday') return position(second - DAY_S);
      if (kind === 'old') return position(second - (2 + (n % 2)) * DAY_S);
      if (kind === 'people') return passenger(second, 1 + n);
      if (kind === 'people again') return sent.findLast(isPeople) ?? passenger(second);
      if (kind === 'late people') return passenger(second - 40 - n, 1 + n);
      if (kind === 'other people') {
        const people = sent.findLast(isPeople) ?? passenger(second);
        return { ...people, count: people.count + 1 };
      }
      if (kind === 'slow') return position(second, null);
      return kind === 'nowhere' ? { ...position(second), place: null } : position(second);
    });
    sent.push(...records);
    if (before === 'taken laps') for (const unit of [shared, long]) await takeLaps(unit);
    const process = processes[before === 'another process' ? 1 : 0] ?? newProcess();
    for (let times = isReplayed ? 2 : 1; times > 0; times -= 1) {
      const nowMs = NOW_MS + turn * 9000;
      const [one, other] = [
        await sendBy(process, shared, records, nowMs),
        await sendBy(newProcess(), long, records, nowMs),
      ];
      expect(toldOf(one)).toEqual(toldOf(other));
    }
  }
  expect(await contentOf(shared)).toEqual(await contentOf(long));
}

const isPeople = (record: CheckedRecord): record is PassengerRecord => record.type === 'passenger';

// In the order of their numbers: the two ways may have another one.
function toldOf({ acknowledged, refused, repeated, figures }: Awaited<ReturnType<typeof sendBy>>) {
  return {
    acknowledged,
    refused: refused.map(({ record, reason }) => [record.seq, reason]),
    repeated: repeated.toSorted((a, b) => a - b),
    records: figures.records,
  };
}

// As the job does that works them out.
async function takeLaps({ busId }: BusUnit, until = '2100-01-01'): Promise<void> {
  await sql`update lap_days set taken = taken + 1, stored = taken + 1, asked_at = null, due_at = null
    where workplace_id = ${busId} and day <= ${until}::date`.execute(server.deps.database.db);
}
