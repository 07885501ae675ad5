import { type BusPlace, HOME_KEPT_MS, type Home, PLACES_KEPT_MS } from '@ridewatch/contract/home';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { announceBusChange } from '../buses/announce.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { passengerRecord, positionRecords, sendRecords } from '../test/laps.ts';
import { insertTestLap } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addHome } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens = new Map<string, string>();
/** Half past two in Moscow. */
const NOW_MS = Date.parse('2026-11-20T11:30:00Z');
const WEEK_MS = 7 * 86_400_000;
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addHome]);
  const { db } = server.deps.database;
  server.clock.set(NOW_MS - WEEK_MS + 8 * HOUR_MS);
  fleet = await insertTestFleet(db, 'Europe/Moscow');
  const { firstBus } = fleet;
  await db
    .insertInto('calculations')
    .values({ workplace_id: firstBus.busId, day: '2026-11-01', fare_kopecks: 5_000 })
    .execute();
  await db
    .updateTable('workplaces')
    .set({ capacity_seated: 30, capacity_standing: 20 })
    .where('id', '=', firstBus.busId)
    .execute();
  // A week ago: 30 before the hour, 20 in the hour that runs now, 50 after it.
  await people(firstBus, NOW_MS - WEEK_MS, [
    [-3 * HOUR_MS, 'entered', 30],
    [-2 * HOUR_MS, 'exited', 12],
    [-HOUR_MS / 4, 'entered', 20],
    [3 * HOUR_MS, 'entered', 50],
  ]);
  server.clock.set(NOW_MS);
  for (const login of ['admin', 'first', 'second', 'integrator', 'operator']) {
    tokens.set(login, await server.signIn(login));
  }
  await people(firstBus, NOW_MS, [
    [-3 * HOUR_MS, 'entered', 33],
    [-2 * HOUR_MS, 'exited', 8],
    [-HOUR_MS / 4, 'entered', 11],
  ]);
  await sendRecords(
    server.app,
    firstBus,
    positionRecords([
      [NOW_MS - 20_000, 55.75, 37.6, 40],
      [NOW_MS - 10_000, 55.751232, 37.6, 40],
    ]),
    NOW_MS,
  );
});
afterAll(() => server.close());

type Passengers = [afterMs: number, direction: 'entered' | 'exited', count: number];

async function people(bus: TestBus, fromMs: number, events: readonly Passengers[]): Promise<void> {
  const records = events.map(([afterMs, direction, count]) =>
    passengerRecord(fromMs + afterMs, direction, count),
  );
  await sendRecords(server.app, bus, records, server.clock.nowMs());
}

const ask = (login: string, url: string, headers = {}) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${tokens.get(login)}`, ...headers } });

async function homeOf(login: string): Promise<Home> {
  const answer = await ask(login, '/api/home');
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function placesOf(login: string): Promise<BusPlace[]> {
  const answer = await ask(login, '/api/gps/all');
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json<{ items: BusPlace[] }>().items;
}

describe('the day at a glance', () => {
  it('compares people and revenue with the same weekday a week before at this time of day', async () => {
    const home = await homeOf('first');
    expect([home.day, home.before_day]).toEqual(['2026-11-20', '2026-11-13']);
    // Half of the hour from two to three counts at half past.
    expect(home.entered).toEqual({ now: 44, before: 30 + 20 / 2 });
    expect(home.exited).toEqual({ now: 8, before: 12 });
    expect(home.revenue).toEqual({ now: '2200.00', before: '2000.00' });
  });

  it('compares who is inside, and knows the places of buses whose capacity is known', async () => {
    const { inside } = await homeOf('first');
    expect(inside).toEqual({ now: 36, before: 40 - 12, of_places: 36, places: 50 });
  });

  it('has the hours of both days, of the earlier one also those that come', async () => {
    const { hours } = await homeOf('first');
    expect(hours.entered).toEqual(hoursWith({ 11: 33, 14: 11 }));
    expect(hours.entered_before).toEqual(hoursWith({ 11: 30, 14: 20, 17: 50 }));
    expect(hours.exited_before[12]).toBe(12);
    expect(hours.revenue[11]).toBe('1650.00');
    expect(hours.revenue_before[17]).toBe('2500.00');
  });

  it('has revenue by hour that comes to the revenue of the day', async () => {
    const { hours, revenue } = await homeOf('first');
    const sum = hours.revenue.reduce((all, one) => all + Number(one), 0);
    expect(sum.toFixed(2)).toBe(revenue.now);
  });

  it('has the revenue of laps in the hour in which they began, those outside the shift left out', async () => {
    const { db } = server.deps.database;
    const { busId } = fleet.secondBus;
    for (const [number, hour, kopecks] of [
      [1, 8, 45_000],
      [2, 9, 30_000],
      [3, 20, 70_000],
    ] as const) {
      const id = await insertTestLap(db, busId, { number });
      const start_time = new Date(Date.parse('2026-11-19T21:10:00Z') + hour * HOUR_MS);
      const end_time = new Date(start_time.getTime() + HOUR_MS);
      await db
        .updateTable('laps')
        .set({ start_time, end_time, revenue_kopecks: kopecks })
        .where('id', '=', id)
        .execute();
    }
    const shift_end = new Date('2026-11-20T15:00:00Z');
    await db
      .insertInto('calculations')
      .values({ workplace_id: busId, day: '2026-11-20', shift_end })
      .execute();
    server.clock.advance(HOME_KEPT_MS);
    const { hours, revenue } = await homeOf('second');
    expect(hours.revenue).toEqual([...Array(8).fill('0.00'), '450.00', '300.00']);
    expect(revenue.now).toBe('750.00');
    await db.deleteFrom('laps').where('workplace_id', '=', busId).execute();
    await db.deleteFrom('calculations').where('workplace_id', '=', busId).execute();
  });

  it('counts buses that move, and those whose unit was never heard as off', async () => {
    const { buses, attention } = await homeOf('admin');
    expect(buses).toEqual({ moving: 1, standing: 0, silent: 0, off: 1 });
    expect(attention.faulty.total).toBe(0);
  });

  it('counts fragments that wait for review, the oldest, and those reviewed today', async () => {
    const { db } = server.deps.database;
    const id = await insertAnnouncedFragment(db, fleet.firstBus);
    await db
      .updateTable('segments')
      .set({ status: 'PROCESSED', max_objects_count: 6 })
      .where('id', '=', id)
      .execute();
    server.clock.advance(HOME_KEPT_MS);
    const { review } = await homeOf('first');
    const { start_time } = await db
      .selectFrom('segments')
      .select('start_time')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(review).toEqual({ waiting: 1, oldest: start_time.toISOString(), reviewed: 0 });
    await db
      .updateTable('segments')
      .set({ reviewed_at: new Date(NOW_MS) })
      .where('id', '=', id)
      .execute();
    server.clock.advance(HOME_KEPT_MS);
    expect((await homeOf('first')).review).toEqual({ waiting: 0, oldest: null, reviewed: 1 });
  });

  it('is of the buses that the user may see', async () => {
    for (const login of ['integrator', 'operator']) {
      expect((await homeOf(login)).entered.before).toBe(40);
    }
    expect((await homeOf('second')).entered).toEqual({ now: 0, before: 0 });
  });

  const countIncomplete = async () => {
    server.clock.advance(HOME_KEPT_MS);
    return (await homeOf('first')).incomplete;
  };

  it('says how many buses lack figures while hours or laps are worked out', async () => {
    const { db } = server.deps.database;
    const { busId: workplace_id } = fleet.firstBus;
    const of = { workplace_id, day: '2026-11-20' };
    const setLaps = (computed_at: Date | null, asked_at: Date | null, day = of.day) =>
      db.updateTable('lap_days').set({ computed_at, asked_at }).where('day', '=', day).execute();
    // A comparison with a day that is still being calculated is incomplete, too.
    const compared = { ...of, day: '2026-11-13' };
    await setLaps(new Date(NOW_MS), null);
    await setLaps(null, new Date(NOW_MS), compared.day);
    expect(await countIncomplete()).toBe(1);
    await setLaps(new Date(NOW_MS), null, compared.day);
    expect(await countIncomplete()).toBe(0);
    await db.insertInto('stale_hours').values(compared).execute();
    expect(await countIncomplete()).toBe(1);
    await db.deleteFrom('stale_hours').execute();

    // The first laps of the running day come minutes after its first passenger, as all of its laps do.
    await setLaps(null, new Date(NOW_MS));
    expect(await countIncomplete()).toBe(0);
    await setLaps(null, new Date(NOW_MS - 10 * 60_000));
    expect(await countIncomplete()).toBe(1);
    await setLaps(new Date(NOW_MS), new Date(NOW_MS));
    expect(await countIncomplete()).toBe(0);
    await setLaps(new Date(NOW_MS), new Date(NOW_MS - 10 * 60_000));
    expect(await countIncomplete()).toBe(1);
    // A day that broke a limit is tried again in hours: nothing is on its way.
    const again = (retry_at: Date | null) =>
      db.updateTable('lap_days').set({ retry_at }).where('day', '=', of.day).execute();
    await again(new Date(NOW_MS + HOUR_MS));
    expect(await countIncomplete()).toBe(0);
    await again(null);
    await setLaps(new Date(NOW_MS), null);
    expect(await countIncomplete()).toBe(0);

    // At midnight every bus begins a day, and nobody has boarded yet.
    const begun = { ...of, workplace_id: fleet.secondBus.busId, asked_at: new Date(NOW_MS) };
    await db.insertInto('lap_days').values(begun).execute();
    expect((await homeOf('second')).incomplete).toBe(0);

    await db.insertInto('stale_hours').values(of).execute();
    expect(await countIncomplete()).toBe(1);
    await db.deleteFrom('stale_hours').execute();
  });

  it('says nothing of low revenue while the first laps of the day are worked out', async () => {
    const { db } = server.deps.database;
    const day = '2026-11-20';
    const last_seen_at = new Date(server.clock.nowMs());
    const { unitId } = fleet.firstBus;
    await db.updateTable('units').set({ last_seen_at }).where('id', '=', unitId).execute();
    const setFare = (fare_kopecks: number) =>
      db.updateTable('calculations').set({ fare_kopecks }).where('day', '=', day).execute();
    await setFare(100);
    const told = async (laps: { computed_at: Date | null; asked_at: Date | null }) => {
      await db.updateTable('lap_days').set(laps).where('day', '=', day).execute();
      server.clock.advance(HOME_KEPT_MS);
      const { incomplete, attention } = await homeOf('first');
      return [incomplete, ...attention.money.items.map(({ details }) => details.kind)];
    };
    expect(await told({ computed_at: null, asked_at: new Date(NOW_MS) })).toEqual([0]);
    const done = { computed_at: new Date(NOW_MS), asked_at: null };
    expect(await told(done)).toEqual([0, 'low_revenue']);
    await setFare(5_000);
  });

  it('counts buses that send records late, and silent ones, among those', async () => {
    const { db } = server.deps.database;
    const { busId: workplace_id } = fleet.firstBus;
    const heard = (last_seen_at: Date) =>
      db
        .updateTable('units')
        .set({ last_seen_at, last_moved_at: last_seen_at })
        .where('workplace_id', '=', workplace_id)
        .execute();
    await heard(new Date(server.clock.nowMs()));
    const late = (backlog_from: Date | null) =>
      db
        .updateTable('units')
        .set({ backlog_from })
        .where('workplace_id', '=', workplace_id)
        .execute();
    await late(new Date(NOW_MS - HOUR_MS));
    expect(await countIncomplete()).toBe(1);
    // Records of the compared day change the comparison, those of a day between change nothing.
    await late(new Date(NOW_MS - WEEK_MS));
    expect(await countIncomplete()).toBe(1);
    await late(new Date(NOW_MS - 2 * 24 * HOUR_MS));
    expect(await countIncomplete()).toBe(0);
    await late(null);

    // A bus that nobody hears sends what it counts later.
    await heard(new Date(server.clock.nowMs() - 10 * 60_000));
    expect(await countIncomplete()).toBe(1);
    await heard(new Date(server.clock.nowMs()));
    expect(await countIncomplete()).toBe(0);
  });

  it('leaves the passengers of buses without a capacity out of the share of places', async () => {
    const seat = (capacity_seated: number | null, capacity_standing: number | null) =>
      server.deps.database.db
        .updateTable('workplaces')
        .set({ capacity_seated, capacity_standing })
        .where('id', '=', fleet.firstBus.busId)
        .execute();
    await seat(null, null);
    server.clock.advance(HOME_KEPT_MS);
    const { inside } = await homeOf('first');
    await seat(30, 20);
    expect(inside).toMatchObject({ now: 36, of_places: 0, places: 0 });
  });
});

describe('the places of all buses', () => {
  it('are those of visible buses with a position, to a metre', async () => {
    server.clock.set(NOW_MS);
    const place = [fleet.firstBus.busId, 55.75123, 37.6, null, 40, 'moving'];
    expect(await placesOf('admin')).toEqual([place]);
    expect(await placesOf('operator')).toEqual([place]);
    expect(await placesOf('second')).toEqual([]);
  });

  it('and the figures leave out the buses of a blocked customer, as the list does', async () => {
    const block = async (status: number) =>
      server.deps.database.db.transaction().execute(async (tx) => {
        await tx.updateTable('clients').set({ status }).where('id', '=', fleet.first).execute();
        await announceBusChange(tx);
      });
    const { entered, buses } = await homeOf('admin');
    await block(3);
    await expect.poll(() => placesOf('admin')).toEqual([]);
    const without = await homeOf('admin');
    expect(without.entered.now).toBe(entered.now - 44);
    expect(without.buses.moving).toBe(buses.moving - 1);
    await block(1);
    await expect.poll(() => placesOf('admin')).toHaveLength(1);
  });

  it('leave out a bus that has left the fleet, as the list does', async () => {
    const retire = async (retired_at: Date | null) =>
      server.deps.database.db.transaction().execute(async (tx) => {
        await tx
          .updateTable('workplaces')
          .set({ retired_at })
          .where('id', '=', fleet.firstBus.busId)
          .execute();
        await announceBusChange(tx);
      });
    await retire(new Date(NOW_MS));
    await expect.poll(() => placesOf('first')).toEqual([]);
    await retire(null);
    await expect.poll(() => placesOf('first')).toHaveLength(1);
  });

  it('lose a bus that has left the customer at once', async () => {
    const { db } = server.deps.database;
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('workplace_clients')
        .set({ client_id: fleet.second })
        .where('workplace_id', '=', fleet.firstBus.busId)
        .execute();
      await announceBusChange(tx);
    });
    await expect.poll(() => placesOf('first')).toEqual([]);
    await expect.poll(() => placesOf('second')).toHaveLength(1);
  });

  it('are read once a second for everybody of a scope; unchanged ones answer 304', async () => {
    const first = await ask('second', '/api/gps/all');
    server.clock.advance(PLACES_KEPT_MS);
    const tag = { 'if-none-match': String(first.headers.etag) };
    expect((await ask('second', '/api/gps/all', tag)).statusCode).toBe(304);
  });
});

function hoursWith(people: Readonly<Record<number, number>>): number[] {
  const last = Math.max(...Object.keys(people).map(Number));
  return Array.from({ length: last + 1 }, (_, hour) => people[hour] ?? 0);
}
