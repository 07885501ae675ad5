import type { ResponseOf } from '@ridewatch/contract/endpoint';
import type * as contract from '@ridewatch/contract/laps';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addIngest } from '../ingest/http/api.ts';
import { drive, thereAndBack } from '../test/drive.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import {
  computeDay,
  insertTestRoute,
  passengerRecord,
  positionRecords,
  runRecalculation,
  sendRecords,
} from '../test/laps.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addLaps } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let stopIds: Map<number, number>;
const tokens = new Map<string, string>();
const DAY = '2026-03-10';
const NOW_MS = Date.parse('2026-03-10T09:00:00Z');
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
const stayOf = (lap: number, stop: number): number => truth.laps[lap]?.stays[stop]?.[0] ?? 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addLaps]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  // The hours expected below are in Moscow time.
  fleet = await insertTestFleet(db, 'Europe/Moscow');
  for (const login of ['admin', 'first', 'second', 'operator']) {
    tokens.set(login, await server.signIn(login));
  }
  bus = fleet.firstBus;
  stopIds = await insertTestRoute(db, bus.routeId, street);
  await db
    .updateTable('workplaces')
    .set({ capacity_seated: 10, capacity_standing: 10 })
    .where('id', '=', bus.busId)
    .execute();
  await sendRecords(
    server.app,
    bus,
    [
      ...positionRecords(truth.points),
      // On the second lap five ride from the sixth stop to the far terminal, where the counter misses one.
      passengerRecord(stayOf(1, 5) + 5000, 'entered', 5),
      passengerRecord(stayOf(1, 11) + 5000, 'exited', 4),
      {
        type: 'segment',
        time: new Date(stayOf(1, 5) + 20_000).toISOString(),
        camera: 'door1',
        start_time: new Date(stayOf(1, 5)).toISOString(),
        end_time: new Date(stayOf(1, 5) + 20_000).toISOString(),
        video: 'kept',
      },
    ],
    NOW_MS,
  );
  await computeDay(server.deps, { busId: bus.busId, day: DAY });
});
afterAll(() => server.close());

async function get<T>(url: string, login = 'first', more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${tokens.get(login)}`, ...more };
  const answer = await server.app.inject({ url, headers });
  return { status: answer.statusCode, etag: answer.headers.etag, body: answer.json<T>() };
}

async function post(url: string, body: object, login = 'operator') {
  const answer = await server.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${tokens.get(login)}` },
    body,
  });
  return { status: answer.statusCode, body: answer.body === '' ? null : answer.json() };
}

const about = (of: TestBus, date = DAY): string => `workplaceId=${of.busId}&date=${date}`;
const dayLaps = (of = bus, date = DAY) =>
  get<ResponseOf<typeof contract.listDayLaps>>(`/api/bus-stop/day-laps?${about(of, date)}`);

describe("a day's laps", () => {
  it('are listed with their place on the line of the day, people and the counter’s drift', async () => {
    const { body } = await dayLaps();
    expect([body.total, body.timezone]).toEqual([3, 'Europe/Moscow']);
    const [, second, last] = body.items;
    expect(second).toMatchObject({
      number: 2,
      incomplete: null,
      open: false,
      entered: 5,
      exited: 4,
      stops: 24,
      unplaced: 0,
      max_passengers: 4.5,
      drift: 1,
      imbalance_percent: 20,
      imbalanced: true,
      revenue: null,
    });
    expect(last?.open).toBe(false);
    // It leaves at 6:46 of the local day.
    expect(Math.abs((second?.startPositionPercent ?? 0) - 28.2)).toBeLessThan(0.3);
    expect(second?.legs.map((leg) => leg.direction)).toEqual(['FORWARD', 'REVERSE']);
  });

  it('come one by one with stops, halts, fragments and the way that was driven', async () => {
    const lapId = (await dayLaps()).body.items[1]?.lap_id;
    const url = `/api/bus-stop/laps?${about(bus)}&lapId=${lapId}`;
    const { body } = await get<ResponseOf<typeof contract.listLaps>>(url);
    const [lap] = body.items;
    expect([body.total, lap?.number]).toEqual([1, 2]);
    const stop = lap?.busStopDtoList[5];
    expect(stop).toMatchObject({
      name: 'FORWARD 5',
      lap: 2,
      direction: 'FORWARD',
      entered: 5,
      passengers: 4.5,
      raw_passengers: 5,
      load_percent: 22.5,
      evidence: 'halt',
    });
    expect(stop?.segments).toHaveLength(1);
    expect(Math.abs(Date.parse(stop?.arrival ?? '') - stayOf(1, 5))).toBeLessThan(15_000);
    const halt = lap?.halts.find(({ position }) => position === 5);
    expect([halt?.lap, halt?.entered]).toEqual([2, 5]);
    const track = lap?.track ?? [];
    expect(track[0]?.time).toBe(lap?.start);
    expect(track.length).toBeLessThan(1500);
    expect(track.length).toBeGreaterThan(100);
  });

  it('are answered by 304 while nothing changed, and anew when the day changed', async () => {
    const url = `/api/bus-stop/day-laps?${about(bus)}`;
    const { etag } = await dayLaps();
    const headers = { authorization: `Bearer ${tokens.get('first')}`, 'if-none-match': `${etag}` };
    expect((await server.app.inject({ url, headers })).statusCode).toBe(304);
    await sendRecords(server.app, bus, [passengerRecord(stayOf(0, 3) + 5000, 'entered')], NOW_MS);
    await computeDay(server.deps, { busId: bus.busId, day: DAY });
    const changed = await server.app.inject({ url, headers });
    expect(changed.statusCode).toBe(200);
    const { items } = changed.json<ResponseOf<typeof contract.listDayLaps>>();
    expect(items[0]?.entered).toBe(1);
  });

  it('count as people counted by hand, at the stop where the fragment begins', async () => {
    const { db } = server.deps.database;
    const [fragment] = await db
      .selectFrom('segments')
      .select('id')
      .where('camera_id', '=', bus.cameras.door1)
      .execute();
    const { id } = await db
      .selectFrom('users')
      .select('id')
      .where('login', '=', 'operator')
      .executeTakeFirstOrThrow();
    const counted = {
      segment_id: fragment?.id ?? 0,
      entered: 3,
      updated_by: id,
      updated_at: new Date(),
    };
    await db.insertInto('manual_counts').values(counted).execute();
    await computeDay(server.deps, { busId: bus.busId, day: DAY });
    const { items } = (await dayLaps()).body;
    expect([items[1]?.entered, items[1]?.exited, items[1]?.drift]).toEqual([3, 4, -1]);
    const url = `/api/bus-stop/search?${about(bus)}&lapId=${items[1]?.lap_id}`;
    const stops = (await get<ResponseOf<typeof contract.searchStops>>(url)).body.items;
    expect([stops[5]?.entered, stops[5]?.raw_passengers]).toEqual([3, 3]);
    await db.deleteFrom('manual_counts').where('segment_id', '=', counted.segment_id).execute();
    await computeDay(server.deps, { busId: bus.busId, day: DAY });
  });

  it('say while they are behind the data', async () => {
    const other = await insertTestBus(server.deps.database.db, fleet.first, 'Автобус новый');
    expect((await dayLaps(other)).body.pending).toBe(false);
    await sendRecords(server.app, other, positionRecords(truth.points.slice(0, 5)), NOW_MS);
    expect((await dayLaps(other)).body.pending).toBe(true);
  });

  it('of a day without data are none', async () => {
    const { body } = await dayLaps(bus, '2026-03-01');
    expect(body).toMatchObject({ items: [], total: 0, pending: false });
  });
});

describe('the way of a day', () => {
  it('is one track from midnight to midnight, with its halts', async () => {
    const url = `/api/workplaces/gps/${bus.busId}?date=${DAY}`;
    const { body } = await get<ResponseOf<typeof contract.findDayTrack>>(url);
    expect(Date.parse(body.items[0]?.time ?? '')).toBe(truth.points[0]?.[0]);
    expect(body.halts.length).toBeGreaterThan(60);
    const yesterday = `/api/workplaces/gps/${bus.busId}?date=2026-03-09`;
    expect((await get(yesterday)).body).toMatchObject({ items: [], halts: [] });
  });
});

describe('where a bus is now', () => {
  const positionOf = async (of: TestBus) => {
    const { body } = await get<contract.VehiclePosition>(`/api/gps?busId=${of.busId}`, 'admin');
    return body;
  };

  it('is its newest fix; it moves when it drove in the last minute, and is silent after five', async () => {
    const { db } = server.deps.database;
    const driven = await insertTestBus(db, fleet.first, 'Автобус едет');
    expect(await positionOf(driven)).toMatchObject({ latitude: null, time: null, state: 'silent' });
    const fix = (secondsAgo: number, speed: number) => ({
      ...positionRecords([[server.clock.nowMs() - secondsAgo * 1000, 55.75, 37.61, speed]])[0],
      course: 90,
    });
    server.clock.advance(1000);
    await sendRecords(server.app, driven, [fix(30, 20), fix(2, 0)], server.clock.nowMs());
    expect(await positionOf(driven)).toMatchObject({
      latitude: 55.75,
      longitude: 37.61,
      direction: 90,
      speed_kmh: 0,
      state: 'moving',
    });
    server.clock.advance(31_000);
    expect((await positionOf(driven)).state).toBe('standing');
    server.clock.advance(5 * 60_000);
    expect((await positionOf(driven)).state).toBe('silent');
    server.clock.set(NOW_MS);
  });

  it('tells from fix to fix whether it moves when the unit says no speed', async () => {
    const { db } = server.deps.database;
    const driven = await insertTestBus(db, fleet.first, 'Автобус без скорости');
    const nowMs = server.clock.nowMs();
    for (const [ago, latitude] of [
      [20, 55.75],
      [10, 55.751],
    ] as const) {
      const [record] = positionRecords([[nowMs - ago * 1000, latitude, 37.61, 0]]);
      await sendRecords(server.app, driven, [{ ...record, speed_kmh: undefined }], nowMs);
    }
    expect((await positionOf(driven)).state).toBe('moving');
  });
});

describe('the people of a stop', () => {
  it('are summed by time of day, on all days or one day of the week', async () => {
    const { db } = server.deps.database;
    const place = await db
      .selectFrom('route_stop_versions')
      .select('classifier_id')
      .where('stop_id', '=', stopIds.get(6) ?? 0)
      .executeTakeFirstOrThrow();
    const url = `/api/bus-stop/stat?dateFrom=2026-03-01&dateTo=2026-03-31&busStopClassifierId=${place.classifier_id}`;
    type Stat = ResponseOf<typeof contract.findStopStat>;
    const all = (await get<Stat>(url)).body.items;
    expect(all).toHaveLength(24);
    expect(all.filter(({ entered }) => entered > 0)).toEqual([
      { from: '06:00', entered: 5, exited: 0 },
    ]);
    // The 10th is a Tuesday.
    const tuesday = (await get<Stat>(`${url}&dayOfWeek=2&groupMinutes=15`)).body.items;
    expect(tuesday).toHaveLength(96);
    expect(tuesday.reduce((sum, { entered }) => sum + entered, 0)).toBe(5);
    const monday = (await get<Stat>(`${url}&dayOfWeek=1`)).body.items;
    expect(monday.every(({ entered }) => entered === 0)).toBe(true);
  });

  it.each([
    ['dateFrom=2026-03-02&dateTo=2026-03-01', 'dateTo'],
    ['dateFrom=2020-03-02&dateTo=2026-03-01', 'dateTo'],
    ['dateFrom=2026-03-01&dateTo=2026-03-01&dayOfWeek=8', 'dayOfWeek'],
    ['dateFrom=2026-03-01&dateTo=2026-03-01&groupMinutes=7', 'groupMinutes'],
  ])('are not asked for by %s', async (query, field) => {
    const place = await server.deps.database.db
      .selectFrom('stop_classifiers')
      .select('id')
      .where('client_id', '=', fleet.first)
      .limit(1)
      .executeTakeFirstOrThrow();
    const { status, body } = await get<{ field: string }>(
      `/api/bus-stop/stat?${query}&busStopClassifierId=${place.id}`,
    );
    expect([status, body.field]).toEqual([400, field]);
  });
});

describe('the terminal of a bus', () => {
  const setTerminal = (busStopId: number | null, validFrom?: string) =>
    post('/api/bus-stop/set-terminal-bus-stop', {
      workplaceId: bus.busId,
      busStopId,
      ...(validFrom === undefined ? {} : { valid_from: validFrom }),
    });
  const recalculate = (preview: boolean) =>
    post(`/api/bus-stop/update/${bus.busId}`, { dateFrom: DAY, dateTo: DAY, preview });

  const unchanged = { items: [], failed: [], looked_until: DAY, recalculation: null };

  it('set for tomorrow leaves today as it was', async () => {
    expect((await setTerminal(stopIds.get(7) ?? 0, '2026-03-11')).status).toBe(204);
    expect((await recalculate(true)).body).toEqual(unchanged);
  });

  it('set for today changes it only when it is worked out, and a preview says how', async () => {
    const before = (await dayLaps()).body.items;
    expect((await setTerminal(stopIds.get(7) ?? 0)).status).toBe(204);
    const change = {
      date: DAY,
      laps_before: 3,
      laps_after: 4,
      revenue_before: null,
      revenue_after: null,
    };
    expect((await recalculate(true)).body).toEqual({
      items: [change],
      failed: [],
      looked_until: DAY,
      recalculation: null,
    });
    expect((await dayLaps()).body.items).toEqual(before);
    expect((await recalculate(false)).body).toMatchObject({
      items: [],
      recalculation: { state: 'running', total: 1, done: 0, items: [] },
    });
    await runRecalculation(server.deps);
    expect((await get(`/api/bus-stop/update/${bus.busId}`)).body).toMatchObject({
      recalculation: { state: 'done', total: 1, done: 1, items: [change], failed: [] },
    });
    const { items } = (await dayLaps()).body;
    expect(items.map(({ incomplete }) => incomplete)).toEqual([
      'no_departure',
      null,
      null,
      'no_arrival',
    ]);
    expect(items.slice(0, 3).map(({ lap_id }) => lap_id)).toEqual(before.map((lap) => lap.lap_id));
    expect((await recalculate(true)).body).toEqual(unchanged);
  });

  it('is no stop of another route, and none that does not exist', async () => {
    const { db } = server.deps.database;
    const others = await insertTestRoute(db, fleet.secondBus.routeId, street);
    for (const id of [others.get(1) ?? 0, 999_999]) {
      expect((await setTerminal(id)).status).toBe(404);
    }
  });

  it('and recalculation write one audit row each', async () => {
    const { rows } = await server.deps.database.pool.query<{ action: string }>(
      `select action from audit_log where object_type = 'workplace' and object_id = $1 order by id`,
      [String(bus.busId)],
    );
    expect(rows.map(({ action }) => action)).toEqual([
      'set_terminal_stop',
      'set_terminal_stop',
      'recalculate_laps',
    ]);
  });
});

describe('a recalculation', () => {
  it.each([
    [{ dateFrom: '2026-03-10', dateTo: '2026-03-09' }],
    [{ dateFrom: '2026-01-01', dateTo: '2026-12-31' }],
  ])('of %j is refused', async (range) => {
    const answer = await post(`/api/bus-stop/update/${bus.busId}`, { ...range, preview: true });
    expect(answer).toMatchObject({ status: 400, body: { field: 'dateTo' } });
  });

  it('is not for somebody who may only look', async () => {
    const range = { dateFrom: DAY, dateTo: DAY, preview: true };
    const answer = await post(`/api/bus-stop/update/${bus.busId}`, range, 'first');
    expect(answer).toMatchObject({ status: 403, body: { error: 'no_right' } });
  });
});
