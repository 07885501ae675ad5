// Usual batches of many units share statements, and what one of them meets costs no other anything.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { KnownUnit } from '../../core/viewer.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { listPositions } from '../../test/positions.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { countNumber, positionNumber, timelessNumbers } from '../by-id/numbers.ts';
import { addIngest } from '../http/api.ts';
import { createRecordStore, type RecordStore } from './record-store.ts';
import type { CheckedRecord } from './records.ts';
import { notePlaced, TIMED_STREAM } from './timed-stream.ts';

const START_MS = Date.UTC(2026, 10, 20, 8);
const NOW_MS = START_MS + 3 * 3_600_000;
const DAY_MS = 86_400_000;
const MANY = 20;
/** More people than the column holds. */
const TOO_MANY = 70_000;

let server: TestServer;
let fleet: TestFleet;
let store: RecordStore['store'];

beforeAll(async () => {
  server = await createTestServer([addIngest]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  store = createRecordStore(server.deps).store;
});
afterAll(() => server.close());

async function freshUnit(): Promise<KnownUnit & { readonly busId: number }> {
  const { db } = server.deps.database;
  const { unitId, busId } = await insertTestBus(db, fleet.first, randomUUID(), 'Europe/Moscow');
  const [deviceId, assignedFromMs] = [randomUUID(), Number.NEGATIVE_INFINITY];
  return { unitId, busId, deviceId, assignedFromMs, pastAssignments: [] };
}

const position = (second: number, latitude = 55.7): CheckedRecord => {
  const sentMs = START_MS + second * 1000;
  return {
    ...{ type: 'position', index: 0, seq: positionNumber(sentMs), sentMs, timeMs: sentMs },
    place: { latitude, longitude: 37.6 },
    ...{ speedKmh: 30, course: 300, satellites: null, hdop: null },
  };
};
const passenger = (second: number, count = 1): CheckedRecord => {
  const timeMs = START_MS + second * 1000;
  const key = { timeMs, module: 1, door: 1, direction: 'entered' } as const;
  return {
    ...{ type: 'passenger', index: 0, seq: countNumber(key), sentMs: timeMs, timeMs },
    ...{ door: 1, direction: 'entered', passenger: 'adult', count },
  };
};

const send = (unit: KnownUnit, records: readonly CheckedRecord[], nowMs = NOW_MS) =>
  store(
    unit,
    TIMED_STREAM,
    records.map((record, index) => ({ ...record, index })),
    nowMs,
  );

/** Units that this process knows after a first batch. */
async function seenUnits(count: number): Promise<KnownUnit[]> {
  const units: KnownUnit[] = [];
  for (let n = 0; n < count; n += 1) {
    const unit = await freshUnit();
    await send(unit, [position(0), passenger(0)]);
    units.push(unit);
  }
  return units;
}

/** Lets an administrator place records of a unit. It remembers 20. */
async function placing(unit: KnownUnit) {
  const { db } = server.deps.database;
  await send(unit, [position(0)]);
  const { id } = await db
    .selectFrom('unit_streams')
    .select('id')
    .where('unit_id', '=', unit.unitId)
    .executeTakeFirstOrThrow();
  return (records: readonly CheckedRecord[]) =>
    db.transaction().execute((tx) => notePlaced(tx, id, records, 20));
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

async function secondsOf({ unitId }: KnownUnit): Promise<number[]> {
  const stored = await listPositions(server.deps.database.db, unitId, 0, Date.UTC(2100));
  return stored.map(({ timeMs }) => (timeMs - START_MS) / 1000);
}

async function peopleOf({ unitId }: KnownUnit): Promise<{ events: number; hours: number }> {
  const { rows } = await sql<{ events: number; hours: number }>`
    select (select coalesce(sum(count), 0) from passenger_events where unit_id = ${unitId})::int as events,
      (select coalesce(sum(entered_adults), 0) from hourly_traffic where unit_id = ${unitId})::int as hours`.execute(
    server.deps.database.db,
  );
  return rows[0] ?? { events: 0, hours: 0 };
}

describe('batches that many units send at the same time', () => {
  it('take few statements, and each is stored', async () => {
    const units = await seenUnits(MANY);
    const { count } = await statementsOf(() =>
      Promise.all(units.map((unit, n) => send(unit, [position(1 + n), passenger(1 + n)]))),
    );
    // The first two go alone; the others have come meanwhile.
    expect(count).toBeLessThanOrEqual(4);
    for (const [n, unit] of units.entries()) {
      expect(await secondsOf(unit)).toEqual([0, 1 + n]);
      expect(await peopleOf(unit)).toEqual({ events: 2, hours: 2 });
    }
  });

  it('do not wait for a unit whose row somebody holds', async () => {
    const units = await seenUnits(MANY);
    const held = units.at(-1);
    const { db } = server.deps.database;
    const { of: waiting } = await db.transaction().execute(async (tx) => {
      await sql`select from units where id = ${held?.unitId} for no key update`.execute(tx);
      const { count, result } = await statementsOf(async () => {
        const all = units.map((unit) => send(unit, [position(1)]));
        await Promise.all(all.slice(0, -1));
        // As a part of something, for the transaction must end before it does.
        return { of: all.at(-1) };
      });
      // If the others waited until the lock is given up, each would be tried alone.
      expect(count).toBeLessThan(MANY);
      return result;
    });
    await waiting;
    for (const unit of units) expect(await secondsOf(unit)).toEqual([0, 1]);
  });

  it.each(['rows', 'days'])(
    'do not wait for the first units, each alone in a statement, whose %s somebody holds',
    async (kind) => {
      const units = await seenUnits(4);
      const [free, ...held] = units;
      const ids = held.map(({ unitId, busId }) => (kind === 'rows' ? unitId : busId));
      const { db } = server.deps.database;
      const { of: waiting } = await db.transaction().execute(async (tx) => {
        const rows = kind === 'rows' ? sql`units where id` : sql`lap_days where workplace_id`;
        await sql`select from ${rows} = any(${ids}::bigint[]) for no key update`.execute(tx);
        const late = Promise.all(held.map((unit) => send(unit, [position(1)])));
        if (free !== undefined) await send(free, [position(1)]);
        return { of: late };
      });
      await waiting;
      for (const unit of units) expect(await secondsOf(unit)).toEqual([0, 1]);
    },
  );

  it('are stored beside one that the database refuses', async () => {
    const units = await seenUnits(MANY);
    const bad = MANY - 3;
    const answers = await Promise.allSettled(
      units.map((unit, n) => send(unit, [position(1), passenger(1, n === bad ? TOO_MANY : 1)])),
    );
    for (const [n, unit] of units.entries()) {
      expect(answers[n]?.status).toBe(n === bad ? 'rejected' : 'fulfilled');
      expect(await secondsOf(unit)).toEqual(n === bad ? [0] : [0, 1]);
      const people = n === bad ? 1 : 2;
      expect(await peopleOf(unit)).toEqual({ events: people, hours: people });
    }
  });
});

describe('a batch of a unit whose numbers are times', () => {
  it('is one statement when it begins blocks of positions, unless the unit has later ones', async () => {
    const unit = await freshUnit();
    await send(unit, [position(0)]);
    const later = [200, 350, 700, 1000].map((second) => position(second));
    expect((await statementsOf(() => send(unit, later))).count).toBe(1);
    // An old one takes the long way, and after it nobody knows which block is the newest.
    await send(unit, [position(-4000)]);
    const meanwhile = [position(-3000), position(1001)];
    expect((await statementsOf(() => send(unit, meanwhile))).count).toBeGreaterThan(1);
    expect(await secondsOf(unit)).toEqual([-4000, -3000, 0, 200, 350, 700, 1000, 1001]);
  });

  it('is one statement with people, who count once when it comes again with others', async () => {
    const unit = await freshUnit();
    await send(unit, [position(0), passenger(0)]);
    const people = [passenger(1, 3), passenger(2, 4)];
    expect((await statementsOf(() => send(unit, people))).count).toBe(1);
    const again = await send(unit, [...people, passenger(3, 5), position(3)]);
    expect(again.refused).toEqual([]);
    expect(await peopleOf(unit)).toEqual({ events: 13, hours: 13 });
    expect(await secondsOf(unit)).toEqual([0, 3]);
  });

  it('is one statement with positions that come again, and takes the long way when they differ', async () => {
    const unit = await freshUnit();
    await send(unit, [position(0)]);
    await send(unit, [position(1), position(2)]);
    const { count, result } = await statementsOf(() => send(unit, [position(2), position(3)]));
    expect(count).toBe(1);
    expect(result.refused).toEqual([]);
    expect(result.figures.records).toEqual([
      { type: 'position', outcome: 'stored', count: 1 },
      { type: 'position', outcome: 'repeated', count: 1 },
    ]);
    const other = await send(unit, [position(3, 10), position(4)]);
    expect(other.refused.map(({ reason }) => reason)).toEqual(['other_content']);
    expect(await secondsOf(unit)).toEqual([0, 1, 2, 3, 4]);
  });

  it('stores people whose time has come, whatever is kept aside under their number', async () => {
    const unit = await freshUnit();
    const thenS = (3 * DAY_MS) / 1000;
    // A clock that was ahead had counted as many.
    const ahead = { ...passenger(thenS, 9), index: 0 };
    await send(unit, [position(0)]);
    await store(unit, TIMED_STREAM, [], NOW_MS, undefined, [{ record: ahead, raw: '' }]);
    const laterMs = NOW_MS + 3 * DAY_MS;
    // A usual day by then.
    await send(unit, [position(thenS + 1), passenger(thenS + 1)], laterMs);
    for (const _ of [1, 2]) {
      const answer = await send(unit, [ahead], laterMs);
      expect(answer.acknowledged).toEqual([[ahead.seq, ahead.seq]]);
    }
    expect(await peopleOf(unit)).toEqual({ events: 10, hours: 10 });
    // It waits for an administrator still, and costs the batches that follow nothing.
    const next = () => send(unit, [passenger(thenS + 2)], laterMs);
    expect((await statementsOf(next)).count).toBe(1);
  });

  it('knows a placed position again, however many counts were placed since', async () => {
    const unit = await freshUnit();
    const aheadS = (3 * DAY_MS) / 1000;
    const counts = Array.from({ length: 20 }, (_, n) => passenger(aheadS + n));
    const note = await placing(unit);
    await note([position(aheadS), ...counts]);
    const again = [position(aheadS), counts[0], counts[19]].flatMap((record, index) =>
      record === undefined ? [] : [{ record: { ...record, index }, raw: '' }],
    );
    const { aside } = await store(unit, TIMED_STREAM, [], NOW_MS, undefined, again);
    // The earliest counts are forgotten.
    expect(aside).toEqual([[counts[0]?.seq, counts[0]?.seq]]);
  });

  it('forgets placed positions without a date before those of a wrong clock', async () => {
    const unit = await freshUnit();
    const ofWrongClock = position((3 * DAY_MS) / 1000);
    const dateless = Array.from({ length: 20 }, (_, n) => ({
      ...position(n),
      seq: timelessNumbers(Buffer.from([n])).position,
    }));
    const note = await placing(unit);
    for (const placed of [[ofWrongClock], dateless]) await note(placed);
    const again = [{ record: { ...ofWrongClock, index: 0 }, raw: '' }];
    expect((await store(unit, TIMED_STREAM, [], NOW_MS, undefined, again)).aside).toEqual([]);
  });
});
