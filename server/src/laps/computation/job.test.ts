import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { type Driven, drive, randomOf, thereAndBack } from '../../test/drive.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import {
  computeDay,
  insertTestRoute,
  listWaitingDays,
  passengerRecord,
  positionRecords,
  sendRecords,
} from '../../test/laps.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';

let server: TestServer;
let fleet: TestFleet;
const NOW_MS = Date.parse('2026-03-12T09:00:00Z');
/** A street with two corners. */
const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
    [2500, 1500],
    [4000, 1500],
  ],
  500,
);

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

async function busOnStreet(zone = 'Europe/Moscow'): Promise<TestBus> {
  const { db } = server.deps.database;
  const bus = await insertTestBus(db, fleet.first, `Автобус ${Math.random()}`, zone);
  await insertTestRoute(db, bus.routeId, street);
  return bus;
}

/** Two passengers get on at each stay of a lap except its last, and all get off where the next lap begins. */
function peopleOf({ laps }: Driven): Record<string, unknown>[] {
  return laps.flatMap(({ stays }, n) => {
    const stops = stays.slice(0, -1).filter((stay) => stay !== null);
    const nextStart = laps[n + 1]?.stays[0];
    const endMs = nextStart === undefined || nextStart === null ? undefined : nextStart[0] + 5000;
    return [
      ...stops.map(([fromMs]) => passengerRecord(fromMs + 3000, 'entered', 2)),
      ...(endMs === undefined ? [] : [passengerRecord(endMs, 'exited', 2 * stops.length)]),
    ];
  });
}

const send = (bus: TestBus, records: readonly Record<string, unknown>[]): Promise<void> =>
  sendRecords(server.app, bus, records, NOW_MS);

async function storedDay({ busId }: TestBus, day: string) {
  const { db } = server.deps.database;
  const laps = await db
    .selectFrom('laps')
    .selectAll()
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .orderBy('number')
    .execute();
  const stops = await db
    .selectFrom('lap_stops')
    .innerJoin('laps', 'laps.id', 'lap_id')
    .selectAll('lap_stops')
    .select('number')
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .orderBy('number')
    .orderBy('position')
    .execute();
  const halts = await db
    .selectFrom('halts')
    .selectAll()
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .orderBy('start_time')
    .execute();
  return { laps, stops, halts };
}

/** The stored rows of a day, without columns that differ between buses. */
async function contentsOf(bus: TestBus, day: string): Promise<unknown> {
  const { laps, stops, halts } = await storedDay(bus, day);
  return {
    laps: laps.map(({ id, workplace_id, group_id, digest, ...rest }) => rest),
    stops: stops.map(({ lap_id, route_stop_id, classifier_id, ...rest }) => rest),
    halts: halts.map(({ workplace_id, ...rest }) => rest),
  };
}

async function versionOf({ busId }: TestBus, day: string): Promise<number> {
  const row = await server.deps.database.db
    .selectFrom('bus_days')
    .select('version')
    .where('workplace_id', '=', busId)
    .where('day', '=', day)
    .executeTakeFirst();
  return row?.version ?? 0;
}

describe('the laps of a day', () => {
  const truth = drive(street, { seed: 1, startMs: Date.parse('2026-03-10T03:00:00Z'), laps: 4 });
  const people = peopleOf(truth);
  const records = [...positionRecords(truth.points), ...people];
  const day = '2026-03-10';

  it('are those that were driven, with their stops, and everybody is counted in one', async () => {
    const bus = await busOnStreet();
    await send(bus, records);
    await computeDay(server.deps, { busId: bus.busId, day });
    const { laps, stops } = await storedDay(bus, day);
    expect(laps.map(({ number, incomplete }) => [number, incomplete])).toEqual([
      [1, null],
      [2, null],
      [3, null],
      [4, null],
    ]);
    for (const [n, lap] of laps.entries()) {
      expect(Math.abs(lap.start_time.getTime() - (truth.laps[n]?.startMs ?? 0))).toBeLessThan(5000);
    }
    const sum = (side: 'entered' | 'exited'): number =>
      laps.reduce((total, lap) => total + lap[side], 0);
    const sent = (side: string): number =>
      people.reduce((total, one) => total + (one.direction === side ? Number(one.count) : 0), 0);
    expect([sum('entered'), sum('exited')]).toEqual([sent('entered'), sent('exited')]);
    expect(laps.map((lap) => [lap.unplaced, lap.drift])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [0, laps[3]?.entered],
    ]);
    const last = stops.filter(({ number }) => number === 1).at(-1);
    expect([last?.name, last?.exited, last?.load]).toEqual(['REVERSE 11', laps[0]?.exited, 0]);
  });

  it('are the same in whatever order and batches the records came', async () => {
    const ordered = await busOnStreet();
    await send(ordered, records);
    await computeDay(server.deps, { busId: ordered.busId, day });
    const inBatches = await busOnStreet();
    const random = randomOf(5);
    const shuffled = [...records].sort(() => random() - 0.5);
    const third = Math.floor(shuffled.length / 3);
    for (const part of [0, 1, 2]) {
      await send(
        inBatches,
        shuffled.slice(part * third, part === 2 ? undefined : (part + 1) * third),
      );
      await computeDay(server.deps, { busId: inBatches.busId, day });
    }
    expect(await contentsOf(inBatches, day)).toEqual(await contentsOf(ordered, day));
  });

  it('are asked for by whatever a unit sends, those of the present before those of the past', async () => {
    const bus = await busOnStreet();
    const { db } = server.deps.database;
    await send(bus, positionRecords(truth.points.slice(0, 10)));
    const waiting = await listWaitingDays(db, bus.busId);
    expect(waiting.map(({ day: one, task }) => [one, task])).toEqual([
      ['2026-03-10', 'laps_of_past_day'],
    ]);
    const nowMs = Date.now();
    server.clock.set(nowMs);
    await sendRecords(server.app, bus, [passengerRecord(nowMs, 'entered')], nowMs);
    const present = (await listWaitingDays(db, bus.busId)).filter(
      ({ task }) => task === 'laps_of_day',
    );
    expect(present.length).toBeGreaterThan(0);
    server.clock.set(NOW_MS);
  });

  it('are asked for on the days that a night may change, not on one that has not begun', async () => {
    const bus = await busOnStreet();
    const { db } = server.deps.database;
    const daysAt = async (time: string): Promise<string[]> => {
      const ms = Date.parse(time);
      server.clock.set(ms);
      await sendRecords(server.app, bus, [passengerRecord(ms, 'entered')], ms);
      return (await listWaitingDays(db, bus.busId)).map(({ day: one }) => one);
    };
    expect(await daysAt('2026-03-10T22:00:00+03:00')).toEqual(['2026-03-10']);
    expect(await daysAt('2026-03-12T02:00:00+03:00')).toEqual([
      '2026-03-10',
      '2026-03-11',
      '2026-03-12',
    ]);
    // A late record of the evening also changes the next day, which has begun.
    server.clock.set(NOW_MS);
    await send(bus, [passengerRecord(Date.parse('2026-03-08T22:00:00+03:00'), 'entered')]);
    expect((await listWaitingDays(db, bus.busId)).map(({ day: one }) => one)).toEqual([
      '2026-03-08',
      '2026-03-09',
      '2026-03-10',
      '2026-03-11',
      '2026-03-12',
    ]);
    server.clock.set(NOW_MS);
  });

  it('stay as they are, with the same ids and version, when nothing changed', async () => {
    const bus = await busOnStreet();
    await send(bus, records);
    await computeDay(server.deps, { busId: bus.busId, day });
    const [before, version] = [await storedDay(bus, day), await versionOf(bus, day)];
    await computeDay(server.deps, { busId: bus.busId, day });
    expect(await storedDay(bus, day)).toEqual(before);
    expect(await versionOf(bus, day)).toBe(version);
  });

  it('stay as they are when the positions they were made of are deleted', async () => {
    const { db } = server.deps.database;
    const bus = await busOnStreet();
    await send(bus, records);
    await computeDay(server.deps, { busId: bus.busId, day });
    const before = await storedDay(bus, day);
    await db.deleteFrom('position_blocks').where('unit_id', '=', bus.unitId).execute();
    await db
      .updateTable('units')
      .set({ positions_from: new Date(NOW_MS) })
      .where('id', '=', bus.unitId)
      .execute();
    await computeDay(server.deps, { busId: bus.busId, day });
    expect(await storedDay(bus, day)).toEqual(before);
  });

  it('keep their ids when late data change them, and the version rises', async () => {
    const bus = await busOnStreet();
    const cutMs = truth.laps[2]?.startMs ?? 0;
    await send(bus, positionRecords(truth.points.filter(([ms]) => ms < cutMs)));
    await computeDay(server.deps, { busId: bus.busId, day });
    const [before, version] = [await storedDay(bus, day), await versionOf(bus, day)];
    await send(bus, positionRecords(truth.points.filter(([ms]) => ms >= cutMs)));
    await send(bus, people);
    await computeDay(server.deps, { busId: bus.busId, day });
    const after = await storedDay(bus, day);
    expect(after.laps.slice(0, before.laps.length).map(({ id }) => id)).toEqual(
      before.laps.map(({ id }) => id),
    );
    expect(await versionOf(bus, day)).toBeGreaterThan(version);
  });
});

describe('a lap over midnight', () => {
  it.each([
    ['Europe/Moscow', '2026-03-11', '2026-03-10'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28'],
  ])('in %s belongs to the day in which it starts', async (zone, day, before) => {
    server.clock.set(Date.parse('2026-04-12T09:00:00Z'));
    const bus = await busOnStreet(zone);
    const midnightMs = Date.parse(
      `${day}T00:00:00${zone === 'Europe/Moscow' ? '+03:00' : '+01:00'}`,
    );
    const truth = drive(street, { seed: 9, startMs: midnightMs - 70 * 60_000, laps: 3 });
    await sendRecords(
      server.app,
      bus,
      [...positionRecords(truth.points), ...peopleOf(truth)],
      server.clock.nowMs(),
    );
    for (const one of [before, day]) await computeDay(server.deps, { busId: bus.busId, day: one });
    const both = [await storedDay(bus, before), await storedDay(bus, day)];
    const starts = both.flatMap(({ laps }) => laps.map((lap) => lap.start_time.getTime()));
    expect(starts).toHaveLength(3);
    for (const [n, { startMs }] of truth.laps.entries()) {
      expect(Math.abs((starts[n] ?? 0) - startMs)).toBeLessThan(5000);
    }
    expect(both[0]?.laps.every((lap) => lap.start_time.getTime() < midnightMs)).toBe(true);
    expect(both[0]?.laps.some((lap) => lap.end_time.getTime() > midnightMs)).toBe(true);
    const entered = both.flatMap(({ laps }) => laps).reduce((sum, lap) => sum + lap.entered, 0);
    expect(entered).toBe(2 * truth.laps.flatMap(({ stays }) => stays.slice(1)).length);
    server.clock.set(NOW_MS);
  });
});

describe('a route that is changed', () => {
  it('from a day on leaves the laps and money of the days before as they were', async () => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.first, 'Автобус с новым маршрутом');
    const ids = await insertTestRoute(db, bus.routeId, street);
    await db
      .updateTable('route_groups')
      .set({ type_calculation: 'CALCULATION' })
      .where('id', '=', bus.routeId)
      .execute();
    const price = {
      group_id: bus.routeId,
      from_stop_id: ids.get(1) ?? 0,
      to_stop_id: ids.get(12) ?? 0,
    };
    await db
      .insertInto('route_costs')
      .values({ ...price, cost_kopecks: 4000, valid_from: '2010-01-01', valid_to: '2026-03-11' })
      .execute();
    await db
      .insertInto('route_costs')
      .values({ ...price, cost_kopecks: 5000, valid_from: '2026-03-11' })
      .execute();
    const days = ['2026-03-10', '2026-03-11'];
    for (const [seed, day] of days.entries()) {
      const startMs = Date.parse(`${day}T03:00:00Z`);
      const truth = drive(street, { seed, startMs, laps: 2 });
      const [from, to] = [truth.laps[0]?.stays[0]?.[0] ?? 0, truth.laps[0]?.stays[11]?.[0] ?? 0];
      await send(bus, [
        ...positionRecords(truth.points),
        passengerRecord(from + 5000, 'entered', 3),
        passengerRecord(to + 5000, 'exited', 3),
      ]);
      await computeDay(server.deps, { busId: bus.busId, day });
    }
    const revenues = await Promise.all(
      days.map(async (day) => (await storedDay(bus, day)).laps[0]?.revenue_kopecks),
    );
    expect(revenues).toEqual([12_000, 15_000]);
    const before = await contentsOf(bus, '2026-03-10');

    // From the 11th on the route ends two stops earlier.
    const gone = [11, 12, 101, 102].map((id) => ids.get(id) ?? 0);
    await db
      .updateTable('route_stop_versions')
      .set({ valid_to: '2026-03-11' })
      .where('stop_id', 'in', gone)
      .execute();
    for (const day of days) await computeDay(server.deps, { busId: bus.busId, day });
    expect(await contentsOf(bus, '2026-03-10')).toEqual(before);
    const { stops } = await storedDay(bus, '2026-03-11');
    const first = stops.filter((stop) => stop.number === 1 && stop.route_stop_id !== null);
    expect(first.map((stop) => stop.route_stop_id)).not.toContain(gone[0]);
    expect(first).toHaveLength(20);
  });
});

describe('a bus without a route', () => {
  it('has one lap: its day', async () => {
    const { db } = server.deps.database;
    const bus = await insertTestBus(db, fleet.first, 'Автобус без маршрута', 'Europe/Moscow');
    const truth = drive(street, { seed: 3, startMs: Date.parse('2026-03-10T18:00:00Z'), laps: 6 });
    await send(bus, [...positionRecords(truth.points), ...peopleOf(truth)]);
    const days = ['2026-03-10', '2026-03-11'];
    for (const day of days) await computeDay(server.deps, { busId: bus.busId, day });
    const laps = await Promise.all(days.map(async (day) => (await storedDay(bus, day)).laps));
    expect(laps.map((of) => of.map(({ number, incomplete }) => [number, incomplete]))).toEqual([
      [[1, 'no_route']],
      [[1, 'no_route']],
    ]);
    expect(laps[1]?.[0]?.start_time.toISOString().slice(0, 16)).toBe('2026-03-10T21:00');
  });
});
