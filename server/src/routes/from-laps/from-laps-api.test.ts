import type { BusRouteWithTrack } from '@ridewatch/contract/bus-routes';
import type { ProposedStop, RouteReplacement } from '@ridewatch/contract/route-proposal';
import type { RouteStop } from '@ridewatch/contract/routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { distanceM } from '../../laps/engine/geometry/plane.ts';
import { drive, placeAt, thereAndBack } from '../../test/drive.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { computeDay, insertTestRoute, positionRecords, sendRecords } from '../../test/laps.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addRouteStops } from '../stops-api.ts';
import { addRoutesFromLaps } from './from-laps-api.ts';

const NOW_MS = Date.parse('2026-03-12T09:00:00Z');
const [DAY, TODAY] = ['2026-03-10', '2026-03-12'];
let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let laps: { id: number; number: number }[];
const tokens = new Map<string, string>();
/** A street with a corner, 3 km long, with six stops in each direction. */
const street = thereAndBack(
  [
    [0, 0],
    [1500, 0],
    [1500, 1500],
  ],
  600,
);
const truth = drive(street, { seed: 1, startMs: Date.parse(`${DAY}T03:00:00Z`), laps: 3 });

beforeAll(async () => {
  server = await createTestServer([addAuth, addIngest, addRoutesFromLaps, addRouteStops]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  for (const login of ['operator', 'first']) tokens.set(login, await server.signIn(login));
  bus = fleet.firstBus;
  await insertTestRoute(db, bus.routeId, street);
  await sendRecords(server.app, bus, positionRecords(truth.points), NOW_MS);
  await computeDay(server.deps, { busId: bus.busId, day: DAY });
  laps = await db
    .selectFrom('laps')
    .select(['id', 'number'])
    .where('workplace_id', '=', bus.busId)
    .orderBy('number')
    .execute();
});
afterAll(() => server.close());

const post = (url: string, body: object, login = 'operator') =>
  server.app.inject({
    method: 'POST',
    url,
    headers: { authorization: `Bearer ${tokens.get(login)}` },
    body,
  });
const lapOf = (number: number) => ({
  lapId: laps.find((lap) => lap.number === number)?.id ?? 0,
  workplaceId: bus.busId,
});
const emptyRoute = async (): Promise<number> => {
  const { db } = server.deps.database;
  const { id } = await db
    .insertInto('route_groups')
    .values({ client_id: fleet.first, name: `${Math.random()}` })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
};
const farthestM = (from: readonly Place[], to: readonly Place[]): number =>
  Math.max(...from.map((one) => Math.min(...to.map((other) => distanceM(one, other)))));
type Place = { latitude: number; longitude: number };

describe('a track made from a lap', () => {
  it('is the line that was driven, without the noise of standing', async () => {
    const groupId = await emptyRoute();
    const answer = await post(`/api/groups/${groupId}/track/from-lap`, lapOf(2));
    const { track } = answer.json<BusRouteWithTrack>();
    expect(track.length).toBeLessThan(120);
    expect(farthestM(street.track, track)).toBeLessThan(40);
    const dense = street.track.flatMap((place, n) => {
      const next = street.track[n + 1] ?? place;
      return Array.from({ length: 100 }, (_, k) => ({
        latitude: place.latitude + ((next.latitude - place.latitude) * k) / 100,
        longitude: place.longitude + ((next.longitude - place.longitude) * k) / 100,
      }));
    });
    expect(farthestM(track, dense)).toBeLessThan(40);
  });

  it('holds from today on', async () => {
    const groupId = await emptyRoute();
    await post(`/api/groups/${groupId}/track/from-lap`, lapOf(2));
    const rows = await server.deps.database.db
      .selectFrom('route_tracks')
      .select('valid_from')
      .where('group_id', '=', groupId)
      .execute();
    expect(rows).toEqual([{ valid_from: TODAY }]);
  });
});

describe('stops made from a lap', () => {
  const stopsOf = async (groupId: number, number: number) =>
    (await post('/api/groups/stops/from-lap', { groupId, ...lapOf(number) })).json<{
      items: RouteStop[];
    }>().items;

  it('are where the bus stood, in both directions, with their terminals', async () => {
    const groupId = await emptyRoute();
    const stops = await stopsOf(groupId, 2);
    for (const direction of ['FORWARD', 'REVERSE'] as const) {
      const made = stops.filter(({ routeDirection }) => routeDirection === direction);
      const true_ = street.stops.filter((stop) => stop.direction === direction);
      expect(made).toHaveLength(true_.length);
      for (const [n, stop] of made.entries()) {
        expect(distanceM(stop, true_[n] ?? stop)).toBeLessThan(30);
      }
    }
    expect(stops[0]?.terminal).toBe('first');
    expect(stops.filter(({ terminal }) => terminal === 'last').map((one) => one.orderKey)).toEqual([
      (street.stops.length / 2 - 1) | 0,
    ]);
  });

  it('are called after the known places, and those of the route stay what they are', async () => {
    const { db } = server.deps.database;
    const before = await db
      .selectFrom('route_stops')
      .select('id')
      .where('group_id', '=', bus.routeId)
      .orderBy('id')
      .execute();
    const stops = await stopsOf(bus.routeId, 2);
    expect(stops.map(({ id }) => id).sort((a, b) => a - b)).toEqual(before.map(({ id }) => id));
    expect(stops[1]?.name).toBe('FORWARD 1');
    const other = await stopsOf(await emptyRoute(), 2);
    expect(other.map(({ name }) => name.replace(/ \d+$/, ''))).not.toContain('Stop');
  });

  it('make a route whose laps are found as those of the old one', async () => {
    const { db } = server.deps.database;
    const groupId = await emptyRoute();
    const valid_from = '2026-03-01';
    await post('/api/groups/stops/from-lap', { groupId, ...lapOf(2), valid_from });
    await post(`/api/groups/${groupId}/track/from-lap`, { ...lapOf(2), valid_from });
    const twin = await insertTestBus(db, fleet.first, 'Автобус 11');
    await db
      .updateTable('workplace_settings')
      .set({ group_id: groupId })
      .where('workplace_id', '=', twin.busId)
      .execute();
    await sendRecords(server.app, twin, positionRecords(truth.points), NOW_MS);
    await computeDay(server.deps, { busId: twin.busId, day: DAY });
    const starts = await db
      .selectFrom('laps')
      .select(['start_time', 'incomplete'])
      .where('workplace_id', '=', twin.busId)
      .orderBy('number')
      .execute();
    expect(starts.map(({ incomplete }) => incomplete)).toEqual([null, null, null]);
    for (const [n, { start_time: start }] of starts.entries()) {
      expect(Math.abs(start.getTime() - (truth.laps[n]?.startMs ?? 0))).toBeLessThan(30_000);
    }
  });

  it('of a bus without a route are those of one round of its day', async () => {
    const { db } = server.deps.database;
    const loose = await insertTestBus(db, fleet.first, 'Автобус 13');
    await sendRecords(server.app, loose, positionRecords(truth.points), NOW_MS);
    await computeDay(server.deps, { busId: loose.busId, day: DAY });
    const lap = await db
      .selectFrom('laps')
      .select(['id', 'incomplete'])
      .where('workplace_id', '=', loose.busId)
      .executeTakeFirstOrThrow();
    expect(lap.incomplete).toBe('no_route');
    const of = { lapId: lap.id, workplaceId: loose.busId };
    const groupId = await emptyRoute();
    const answer = await post('/api/groups/stops/from-lap', { groupId, ...of });
    const { items } = answer.json<{ items: RouteStop[] }>();
    expect(items.map((one) => one.routeDirection)).toEqual(
      street.stops.map((one) => one.direction),
    );
    expect(farthestM(items, street.stops)).toBeLessThan(30);
    const made = await post(`/api/groups/${groupId}/track/from-lap`, of);
    const { track } = made.json<BusRouteWithTrack>();
    expect(farthestM(street.track, track)).toBeLessThan(40);
    expect(track.length).toBeLessThan(100);
  });

  it('are shown before they are saved, with what becomes of those that are there', async () => {
    const groupId = await emptyRoute();
    await post('/api/groups/stops/from-lap', { groupId, ...lapOf(2) });
    const { db } = server.deps.database;
    const [first, second] = await db
      .selectFrom('route_stops')
      .select('id')
      .where('group_id', '=', groupId)
      .orderBy('id')
      .execute();
    // Move a served stop far from all others, so that the lap does not serve it.
    await post(`/api/groups/stop/${second?.id}`, { ...placeAt(9000, 9000) });
    const query = Object.entries(lapOf(2)).map(([name, value]) => `${name}=${value}`);
    const url = `/api/groups/${groupId}/stops/from-lap?${query.join('&')}`;
    const shown = await server.app.inject({
      url,
      headers: { authorization: `Bearer ${tokens.get('operator')}` },
    });
    const { items, replaces } = shown.json<{
      items: ProposedStop[];
      replaces: RouteReplacement;
    }>();
    const all = street.stops.length;
    expect(replaces).toMatchObject({ stops_kept: all - 1, stops_added: 1, stops_removed: 1 });
    const saved = await stopsOf(groupId, 2);
    expect(saved.map(({ latitude, longitude }) => [latitude, longitude])).toEqual(
      items.map(({ latitude, longitude }) => [latitude, longitude]),
    );
    expect(saved[0]?.id).toBe(first?.id);
  });

  it('need a lap of that bus', async () => {
    const body = { groupId: await emptyRoute(), ...lapOf(1), workplaceId: fleet.secondBus.busId };
    expect((await post('/api/groups/stops/from-lap', body)).statusCode).toBe(404);
  });
});

describe("stops generated from a day's halts", () => {
  const generate = (body: object, login?: string) =>
    post('/api/bus-stop/generate', { workplaceId: bus.busId, date: DAY, ...body }, login);

  it('are proposed without saving anything', async () => {
    const { pool } = server.deps.database;
    const count = async () =>
      (await pool.query('select count(*)::int as n from route_stop_versions')).rows[0]?.n;
    const before = await count();
    const answer = await generate({ save: false });
    const { items, replaces } = answer.json<{
      items: ProposedStop[];
      replaces: RouteReplacement;
    }>();
    expect(replaces.stops_kept + replaces.stops_added).toBe(items.length);
    expect(items.map((one) => one.routeDirection)).toEqual(
      street.stops.map((one) => one.direction),
    );
    expect(farthestM(items, street.stops)).toBeLessThan(20);
    expect(await count()).toBe(before);
  });

  it("are saved as the stops of the bus's route", async () => {
    const answer = await generate({ save: true });
    expect(answer.json<{ items: ProposedStop[] }>().items).toHaveLength(street.stops.length);
    const { rows } = await server.deps.database.pool.query(
      "select after from audit_log where action = 'generate_stops'",
    );
    expect(rows).toEqual([
      {
        after: {
          workplace_id: bus.busId,
          date: DAY,
          stops: street.stops.length,
          valid_from: TODAY,
        },
      },
    ]);
  });

  it('need halts, a route and the right', async () => {
    const none = await generate({ save: true, date: '2026-03-01' });
    expect([none.statusCode, none.json().field]).toEqual([400, 'date']);
    expect((await generate({ save: false, date: '2026-03-01' })).json()).toEqual({
      items: [],
      replaces: null,
    });
    const { db } = server.deps.database;
    const loose = await insertTestBus(db, fleet.first, 'Автобус 12');
    await db
      .updateTable('workplace_settings')
      .set({ group_id: null })
      .where('workplace_id', '=', loose.busId)
      .execute();
    const answer = await generate({ save: true, workplaceId: loose.busId });
    expect([answer.statusCode, answer.json().field]).toEqual([400, 'workplaceId']);
    expect((await generate({ save: true }, 'first')).statusCode).toBe(403);
  });
});
