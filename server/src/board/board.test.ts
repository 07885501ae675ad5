import { BOARD_KEPT_MS, type Board, type BoardBus } from '@ridewatch/contract/board';
import { dayOf } from '@ridewatch/contract/day';
import type { DayFragments } from '@ridewatch/contract/fragments';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusDay } from '../bus-day/api.ts';
import { announceBusChange } from '../buses/announce.ts';
import { addIngest } from '../ingest/http/api.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { drive, type Point, thereAndBack } from '../test/drive.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import {
  computeDay,
  insertTestRoute,
  listWaitingDays,
  passengerRecord,
  positionRecords,
  sendRecords,
} from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBoard } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens = new Map<string, string>();
const street = thereAndBack(
  [
    [0, 0],
    [2500, 0],
    [2500, 1500],
    [4000, 1500],
  ],
  500,
);
const truth = drive(street, { seed: 1, startMs: Date.parse('2026-03-10T03:00:00Z'), laps: 3 });
const stayOf = (lap: number, stop: number) => truth.laps[lap]?.stays[stop] ?? [0, 0];
/** Between the third and the fourth stop of the second lap. */
const NOW_MS = Math.round((stayOf(1, 2)[1] + stayOf(1, 3)[0]) / 2);
const ZONE = 'Europe/Moscow';
const DAY = dayOf(NOW_MS, ZONE);

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addBusDay, addBoard]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db, ZONE);
  for (const login of ['admin', 'first', 'second', 'integrator', 'operator']) {
    tokens.set(login, await server.signIn(login));
  }
  const { firstBus } = fleet;
  await insertTestRoute(db, firstBus.routeId, street);
  await db
    .updateTable('workplaces')
    .set({ capacity_seated: 10, capacity_standing: 10 })
    .where('id', '=', firstBus.busId)
    .execute();
  const points = truth.points.filter(([ms]) => ms < NOW_MS);
  const records = [
    ...positionRecords(points),
    passengerRecord(stayOf(0, 2)[0] + 5000, 'entered', 30),
    passengerRecord(stayOf(0, 6)[0] + 5000, 'exited', 24),
    passengerRecord(stayOf(1, 1)[0] + 5000, 'entered', 5),
    {
      type: 'camera_state',
      time: new Date(NOW_MS - 9000).toISOString(),
      camera: 'door2',
      status: 'offline',
    },
  ];
  await sendRecords(server.app, firstBus, records, NOW_MS);
  await computeDay(server.deps, { busId: firstBus.busId, day: DAY });
});
afterAll(() => server.close());

const ask = (login: string, url = '/api/bus_list/board', headers = {}) =>
  server.app.inject({ url, headers: { authorization: `Bearer ${tokens.get(login)}`, ...headers } });

async function boardOf(login: string): Promise<Board> {
  const answer = await ask(login);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}

async function busOf(login: string, busId: number): Promise<BoardBus> {
  const found = (await boardOf(login)).items.find(({ id }) => id === busId);
  if (found === undefined) throw new Error(`No bus ${busId} on the board.`);
  return found;
}

// After that the cached boards are stale.
const wait = (ms: number) => server.clock.advance(ms);

describe('the board', () => {
  it('says of a bus on the road where it is on its lap, who entered by hour, and who is inside', async () => {
    const bus = await busOf('first', fleet.firstBus.busId);
    expect(bus.state).toBe('moving');
    expect(bus.speed_kmh).toBeGreaterThan(5);
    expect(bus.entered).toBe(35);
    expect(bus.hours.reduce((sum, people) => sum + people)).toBe(35);
    expect(bus.places).toBe(20);
    const { lap } = bus;
    expect([lap?.number, lap?.ended, lap?.turn_percent]).toEqual([2, false, 50]);
    expect([lap?.stop, lap?.next]).toEqual(['FORWARD 2', 'FORWARD 3']);
    const ways = street.stops.filter(({ direction }) => direction === 'FORWARD').length;
    expect(lap?.percent).toBeCloseTo((2.5 / (ways - 1)) * 50, 0);
    expect(lap?.as_of).toBe(new Date(NOW_MS).toISOString());
  });

  it('has the passengers inside that the page of the bus has', async () => {
    const { busId } = fleet.firstBus;
    const day = await ask('first', `/api/segments/day-segments?workplaceId=${busId}&date=${DAY}`);
    const { inside, totalEnteredManual } = day.json<DayFragments>();
    const bus = await busOf('first', busId);
    expect([bus.inside, bus.entered]).toEqual([inside, totalEnteredManual]);
  });

  it('has the revenue that the calculator has, and none while the day is recounted', async () => {
    const { db } = server.deps.database;
    const { busId } = fleet.firstBus;
    const day = { workplace_id: busId, day: DAY };
    await db
      .updateTable('calculations')
      .set({ fare_kopecks: 4550 })
      .where('workplace_id', '=', busId)
      .execute();
    wait(BOARD_KEPT_MS);
    expect((await busOf('first', busId)).revenue).toBe((35 * 45.5).toFixed(2));
    expect((await busOf('second', fleet.secondBus.busId)).revenue).toBe('0.00');
    await db.insertInto('stale_hours').values(day).execute();
    wait(BOARD_KEPT_MS);
    expect((await busOf('first', busId)).revenue).toBeNull();
    await db.deleteFrom('stale_hours').execute();
  });

  it('flags the imbalance of ended laps, and names cameras that are offline', async () => {
    const bus = await busOf('first', fleet.firstBus.busId);
    expect(bus.imbalance_percent).toBe(20);
    expect(bus.offline_cameras).toEqual([fleet.firstBus.cameras.door2]);
  });

  it('counts the fragments that wait for review', async () => {
    const { db } = server.deps.database;
    const id = await insertAnnouncedFragment(db, fleet.firstBus);
    const waiting = { status: 'PROCESSED', max_objects_count: 6 } as const;
    await db.updateTable('segments').set(waiting).where('id', '=', id).execute();
    wait(BOARD_KEPT_MS);
    expect((await busOf('first', fleet.firstBus.busId)).waiting).toBe(1);
  });

  it('shows each user the buses of its customers, and nobody else', async () => {
    const both = [fleet.firstBus.busId, fleet.secondBus.busId];
    const seen = async (login: string) => (await boardOf(login)).items.map(({ id }) => id);
    expect(await seen('admin')).toEqual(both);
    expect(await seen('second')).toEqual([fleet.secondBus.busId]);
    for (const login of ['first', 'integrator', 'operator']) {
      expect(await seen(login)).toEqual([fleet.firstBus.busId]);
    }
  });

  it('of a bus that never spoke is off and empty', async () => {
    const bus = await busOf('second', fleet.secondBus.busId);
    expect(bus).toMatchObject({ state: 'off', speed_kmh: null, moved_at: null, lap: null });
    expect([bus.entered, bus.inside, bus.hours, bus.places]).toEqual([0, 0, [], null]);
  });

  it('shows no load below zero, nor a speed of a bus that stands at its last position', async () => {
    const { secondBus } = fleet;
    const nowMs = server.clock.nowMs();
    const at = (agoMs: number, north: number, kmh: number): Point => {
      return [nowMs - agoMs, 55.7 + north, 37.6, kmh];
    };
    const fixes = [at(40_000, 0, 40), at(30_000, 0.002, 40), at(5_000, 0.002, 1)];
    await sendRecords(
      server.app,
      secondBus,
      [...positionRecords(fixes), passengerRecord(nowMs - 20_000, 'exited', 3)],
      nowMs,
    );
    wait(BOARD_KEPT_MS);
    const bus = await busOf('second', secondBus.busId);
    expect([bus.state, bus.speed_kmh, bus.inside]).toEqual(['moving', null, 0]);
  });

  it('is no look at a bus: no laps are requested or kept fresh', async () => {
    const { db } = server.deps.database;
    await db.deleteFrom('watched_buses').execute();
    const before = await listWaitingDays(db, fleet.firstBus.busId);
    wait(BOARD_KEPT_MS);
    await boardOf('admin');
    expect(await listWaitingDays(db, fleet.firstBus.busId)).toEqual(before);
    expect(await db.selectFrom('watched_buses').selectAll().execute()).toEqual([]);
  });

  it('says since when changes wait that the lap does not have', async () => {
    wait(BOARD_KEPT_MS);
    const nowMs = server.clock.nowMs();
    const points = truth.points.filter(([ms]) => ms >= NOW_MS && ms < nowMs);
    await sendRecords(server.app, fleet.firstBus, positionRecords(points), nowMs);
    wait(BOARD_KEPT_MS);
    const { lap } = await busOf('first', fleet.firstBus.busId);
    expect(lap?.as_of).toBe(new Date(nowMs).toISOString());
  });

  it('has no counts of a day that is being recounted', async () => {
    const { db } = server.deps.database;
    const day = { workplace_id: fleet.firstBus.busId, day: DAY };
    await db.insertInto('stale_hours').values(day).execute();
    wait(BOARD_KEPT_MS);
    const bus = await busOf('first', fleet.firstBus.busId);
    expect([bus.entered, bus.hours]).toEqual([null, []]);
    await db.deleteFrom('stale_hours').execute();
  });

  it('is cached and says its age; an unchanged one answers 304', async () => {
    wait(BOARD_KEPT_MS);
    const first = await ask('first');
    const madeAt = first.json<Board>().made_at;
    expect(madeAt).toBe(new Date(server.clock.nowMs()).toISOString());
    wait(BOARD_KEPT_MS - 1);
    const again = await ask('first', undefined, { 'if-none-match': String(first.headers.etag) });
    expect(again.statusCode).toBe(304);
    wait(1);
    expect((await boardOf('first')).made_at).not.toBe(madeAt);
  });

  it('loses a bus that has left the customer at once', async () => {
    const { db } = server.deps.database;
    const { busId } = fleet.firstBus;
    await busOf('first', busId);
    await db.transaction().execute(async (tx) => {
      await tx
        .updateTable('workplace_clients')
        .set({ client_id: fleet.second })
        .where('workplace_id', '=', busId)
        .execute();
      await announceBusChange(tx);
    });
    await expect.poll(async () => (await boardOf('first')).items).toEqual([]);
  });
});
