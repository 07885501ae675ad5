import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/api.ts';
import { drive, thereAndBack } from '../test/drive.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import {
  insertTestRoute,
  listWaitingDays,
  passengerRecord,
  positionRecords,
  runLapsJob,
  runRecalculation,
  sendRecords,
} from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addLaps } from './api.ts';
import { DayLimitError } from './day-limit.ts';
import { lapsOfPackedDay, type PackedDay } from './packed-day.ts';
import { requestLaps } from './queries.ts';
import { sweepLapsJob } from './sweep-job.ts';

const DAY = '2026-03-10';
const START_MS = Date.parse(`${DAY}T06:00:00Z`);
const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const street = thereAndBack(
  [
    [0, 0],
    [4000, 0],
  ],
  500,
);
const { points } = drive(street, { seed: 1, startMs: START_MS, laps: 2 });
const context = { jobId: '1', attempt: 1, lastAttempt: false };

let server: TestServer;
let fleet: TestFleet;
let token: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLaps]);
  fleet = await insertTestFleet(server.deps.database.db);
  server.clock.set(START_MS);
  token = await server.signIn('operator');
});
afterAll(() => server.close());

async function newBus(): Promise<TestBus> {
  const { db } = server.deps.database;
  server.clock.set(START_MS);
  const bus = await insertTestBus(db, fleet.first, `Автобус ${Math.random()}`);
  await insertTestRoute(db, bus.groupId, street);
  return bus;
}

/** A batch with somebody who gets on at the present. */
async function sendBatch(bus: TestBus, atMs = server.clock.nowMs()): Promise<void> {
  await sendRecords(server.app, bus, [passengerRecord(atMs, 'entered')], server.clock.nowMs());
}

async function sendDrive(bus: TestBus, fromMs: number, toMs: number): Promise<void> {
  server.clock.set(toMs);
  const driven = points.filter(([ms]) => ms >= fromMs && ms < toMs);
  await sendRecords(server.app, bus, positionRecords(driven), toMs);
}

/** The work on a day: how long until it is due, s, and how the last take ended. */
async function workOn({ busId }: TestBus, day = DAY) {
  const row = await server.deps.database.db
    .selectFrom('lap_days')
    .selectAll()
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .executeTakeFirst();
  const due = row?.due_at ?? null;
  return {
    dueS: due === null ? null : Math.round((due.getTime() - server.clock.nowMs()) / SECOND_MS),
    failure: row?.failure ?? null,
    taken: row?.taken ?? 0,
    stored: row?.stored ?? 0,
  };
}

const lapsOf = async ({ busId }: TestBus) =>
  server.deps.database.db
    .selectFrom('laps')
    .select(['number', 'entered', 'open'])
    .where('workplace_id', '=', busId)
    .where('day', '=', DAY)
    .orderBy('number')
    .execute();

async function look({ busId }: TestBus) {
  const answer = await server.app.inject({
    url: `/api/bus-stop/day-laps?workplaceId=${busId}&date=${DAY}`,
    headers: { authorization: `Bearer ${token}` },
  });
  return answer.json<{ failure: string | null; pending: boolean }>();
}

const run = (
  bus: TestBus,
  reckon?: (day: PackedDay) => Promise<ReturnType<typeof lapsOfPackedDay>>,
) => runLapsJob(server.deps, { workplaceId: bus.busId, day: DAY }, reckon);

const edit = ({ busId }: TestBus) =>
  server.deps.database.db
    .transaction()
    .execute((tx) => requestLaps(tx, busId, [DAY], { nowMs: server.clock.nowMs(), waitMs: 1000 }));

describe('the laps of a bus', () => {
  it('that nobody looks at are worked out within five minutes, whatever else it sends', async () => {
    const bus = await newBus();
    await sendBatch(bus);
    expect((await workOn(bus)).dueS).toBe(270);
    server.clock.advance(100 * SECOND_MS);
    await sendBatch(bus);
    expect((await workOn(bus)).dueS).toBe(170);
  });

  it('that somebody begins to look at are worked out at once, and then within 15 seconds', async () => {
    const bus = await newBus();
    await sendBatch(bus);
    await look(bus);
    await expect.poll(() => workOn(bus)).toMatchObject({ dueS: 0 });
    await run(bus);
    server.clock.advance(20 * SECOND_MS);
    await sendBatch(bus);
    expect((await workOn(bus)).dueS).toBe(12);
    // A minute after the last look nobody looks any more.
    await run(bus);
    server.clock.advance(2 * MINUTE_MS);
    await sendBatch(bus);
    expect((await workOn(bus)).dueS).toBe(270);
  });

  it('whose last lap is to end soon are worked out at once too, when somebody begins to look', async () => {
    const bus = await newBus();
    await sendBatch(bus);
    await run(bus);
    const { db } = server.deps.database;
    const soon = new Date(server.clock.nowMs() + 100 * SECOND_MS);
    await db
      .updateTable('lap_days')
      .set({ due_at: soon })
      .where('workplace_id', '=', bus.busId)
      .execute();
    server.clock.advance(10 * SECOND_MS);
    await sendBatch(bus);
    expect((await workOn(bus)).dueS).toBe(90);
    await look(bus);
    await expect.poll(() => workOn(bus)).toMatchObject({ dueS: 0 });
  });

  it('of a past day go before the backlog after an edit: somebody waits for them', async () => {
    const bus = await newBus();
    server.clock.advance(5 * 24 * HOUR_MS);
    await sendBatch(bus, START_MS);
    const tasks = async () =>
      (await listWaitingDays(server.deps.database.db, bus.busId)).map(({ task }) => task);
    expect(await tasks()).toEqual(['laps_of_past_day']);
    await edit(bus);
    expect(await tasks()).toEqual(['laps_of_day']);
  });

  it('are stored though the bus goes on sending, and asked for again 15 seconds after they were begun', async () => {
    const bus = await newBus();
    await look(bus);
    await sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await run(bus, async (day) => {
      await sendDrive(bus, START_MS + 10 * MINUTE_MS, START_MS + 11 * MINUTE_MS);
      return lapsOfPackedDay(day);
    });
    expect(await lapsOf(bus)).toHaveLength(1);
    expect(await workOn(bus)).toMatchObject({ taken: 1, stored: 1 });
    const { dueS } = await workOn(bus);
    expect(dueS).toBeGreaterThanOrEqual(12);
  });

  it('hold no transaction while they are reckoned', async () => {
    const bus = await newBus();
    await sendBatch(bus);
    let open: unknown;
    await run(bus, async (day) => {
      const { rows } = await sql<{
        open: number;
      }>`select count(*)::int as open from pg_stat_activity
        where datname = current_database() and state like 'idle in transaction%'`.execute(
        server.deps.database.db,
      );
      open = rows[0]?.open;
      return lapsOfPackedDay(day);
    });
    expect(open).toBe(0);
  });

  it('of an older reading never replace those of a newer one', async () => {
    const bus = await newBus();
    await sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await run(bus, async (older) => {
      await sendBatch(bus);
      await run(bus);
      return lapsOfPackedDay(older);
    });
    expect((await lapsOf(bus)).map(({ entered }) => entered)).toEqual([1]);
    expect(await workOn(bus)).toMatchObject({ taken: 2, stored: 2 });
  });

  it('that were begun by a worker which was killed are worked out by the next one', async () => {
    const bus = await newBus();
    await sendBatch(bus);
    await expect(run(bus, () => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
    expect(await workOn(bus)).toMatchObject({ taken: 1, stored: 0, dueS: null });
    await run(bus);
    expect(await workOn(bus)).toMatchObject({ taken: 2, stored: 2 });
    expect(await lapsOf(bus)).toHaveLength(1);
  });

  it('whose job is lost are found by the sweep, those that are not due yet are left alone', async () => {
    const { db } = server.deps.database;
    const [lost, waiting] = [await newBus(), await newBus()];
    await sql`update lap_days set due_at = null, stored = taken`.execute(db);
    await sendBatch(lost);
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    server.clock.advance(10 * MINUTE_MS);
    await sendBatch(waiting);
    await sql`delete from graphile_worker._private_jobs`.execute(db);
    await sweepLapsJob(server.deps).run({}, context);
    const { rows } = await sql<{ key: string }>`select key from graphile_worker.jobs`.execute(db);
    expect(rows).toEqual([{ key: `day:${lost.busId}:${DAY}` }]);
  });
});

describe('a bus that is parked', () => {
  it('has its lap ended, and its day is not looked at again and again', async () => {
    const bus = await newBus();
    const last = points.at(-1);
    if (last === undefined) throw new Error('no drive');
    const [endMs, latitude, longitude] = last;
    await sendDrive(bus, START_MS, endMs);
    const dues: (number | null)[] = [];
    // For four hours: a position every five minutes, its job whenever it is due.
    for (let minute = 5; minute <= 240; minute += 5) {
      server.clock.set(endMs + minute * MINUTE_MS);
      await sendRecords(
        server.app,
        bus,
        positionRecords([[server.clock.nowMs(), latitude, longitude, 0]]),
        server.clock.nowMs(),
      );
      const { dueS } = await workOn(bus);
      if (dueS === null || dueS > 0) continue;
      await run(bus);
      dues.push((await workOn(bus)).dueS);
    }
    expect((await lapsOf(bus)).map(({ open }) => open)).toEqual(
      (await lapsOf(bus)).map(() => false),
    );
    expect(dues.length).toBeGreaterThan(5);
    for (const dueS of dues) expect(dueS ?? 15).toBeGreaterThanOrEqual(15);
    // Nothing more comes: the work on its day ends.
    server.clock.advance(12 * HOUR_MS);
    await run(bus);
    expect((await workOn(bus)).dueS).toBeNull();
  });
});

describe('a day that breaks a limit', () => {
  const tooLong = () => Promise.reject(new DayLimitError('too_long'));

  it('says so, keeps its laps, and is not tried again before something changes', async () => {
    const bus = await newBus();
    await sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await run(bus);
    const before = await lapsOf(bus);
    await sendBatch(bus);
    await run(bus, tooLong);
    expect(await look(bus)).toMatchObject({ failure: 'too_long', pending: false });
    expect(await lapsOf(bus)).toEqual(before);
    expect(await workOn(bus)).toMatchObject({ dueS: null, failure: 'too_long' });
    // A job that comes twice finds nothing to do.
    await run(bus, () => Promise.reject(new Error('reckoned once more')));
  });

  it('is tried ever more seldom for what its unit sends, and at once after an edit', async () => {
    const bus = await newBus();
    const waits: (number | null)[] = [];
    for (let time = 0; time < 4; time += 1) {
      await sendBatch(bus);
      await run(bus, tooLong);
      await sendBatch(bus);
      waits.push((await workOn(bus)).dueS);
    }
    expect(waits).toEqual([300, 600, 1200, 2400]);
    await edit(bus);
    expect((await workOn(bus)).dueS).toBe(1);
    await run(bus);
    expect(await workOn(bus)).toMatchObject({ failure: null });
  });

  it('is too large when it has more records than a day can have, and others go on', async () => {
    const { db } = server.deps.database;
    const [large, small] = [await newBus(), await newBus()];
    await sendDrive(large, START_MS, START_MS + 10 * MINUTE_MS);
    await sendDrive(small, START_MS, START_MS + 10 * MINUTE_MS);
    await db
      .updateTable('position_blocks')
      .set({ point_count: 1_000_000 })
      .where('unit_id', '=', large.unitId)
      .execute();
    await run(large);
    await run(small);
    expect(await workOn(large)).toMatchObject({ failure: 'too_large' });
    expect(await lapsOf(small)).toHaveLength(1);
  });
});

describe('days that are worked out anew', () => {
  const ask = async (method: 'POST' | 'DELETE', bus: TestBus, dateFrom = DAY, dateTo = DAY) => {
    const answer = await server.app.inject({
      method,
      url: `/api/bus-stop/update/${bus.busId}`,
      headers: { authorization: `Bearer ${token}` },
      ...(method === 'POST' ? { body: { dateFrom, dateTo, preview: false } } : {}),
    });
    return { status: answer.statusCode, body: answer.json() };
  };

  it('go on after a failed day, and are given up after three', async () => {
    const bus = await newBus();
    await sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await ask('POST', bus, '2026-03-08', '2026-03-10');
    let day = 0;
    const stood = await runRecalculation(server.deps, async (packed) => {
      day += 1;
      if (day === 1) throw new DayLimitError('too_long');
      return lapsOfPackedDay(packed);
    });
    expect(stood).toMatchObject({ state: 'done', done: 3, total: 3 });
    expect(stood?.failed).toEqual([{ date: '2026-03-08', reason: 'too_long' }]);
    expect(stood?.items.map(({ date }) => date)).toEqual([DAY]);

    await ask('POST', bus, '2026-03-01', '2026-03-10');
    const given = await runRecalculation(server.deps, () =>
      Promise.reject(new DayLimitError('too_long')),
    );
    expect(given).toMatchObject({ state: 'given_up', done: 3, total: 10 });
  });

  it('are worked out once when two ask for the same, and others are told of it', async () => {
    const bus = await newBus();
    const first = await ask('POST', bus);
    expect(await ask('POST', bus)).toEqual(first);
    expect(await ask('POST', bus, '2026-03-09', DAY)).toMatchObject({
      status: 409,
      body: { error: 'conflict' },
    });
  });

  it('end when somebody cancels them; the day that is worked out meanwhile is not stored', async () => {
    const bus = await newBus();
    await sendDrive(bus, START_MS, START_MS + 10 * MINUTE_MS);
    await ask('POST', bus, DAY, '2026-03-12');
    const stood = await runRecalculation(server.deps, async (day) => {
      await ask('DELETE', bus);
      return lapsOfPackedDay(day);
    });
    expect(stood).toMatchObject({ state: 'cancelled', done: 0, items: [] });
    expect(await lapsOf(bus)).toEqual([]);
  });

  it('go on where a killed worker left them', async () => {
    const bus = await newBus();
    await ask('POST', bus, '2026-03-08', '2026-03-10');
    let days = 0;
    const killed = runRecalculation(server.deps, async (day) => {
      days += 1;
      if (days === 2) throw new Error('killed');
      return lapsOfPackedDay(day);
    });
    await expect(killed).rejects.toThrow('killed');
    const stood = await runRecalculation(server.deps, async (day) => {
      days += 1;
      return lapsOfPackedDay(day);
    });
    expect(stood).toMatchObject({ state: 'done', done: 3 });
    expect(days).toBe(4);
  });
});
