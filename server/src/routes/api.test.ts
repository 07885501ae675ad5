import type { BusRouteWithTrack } from '@ridewatch/contract/bus-routes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { findDaySettings } from '../laps/computation/day-settings.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addRoutes } from './api.ts';
import { saveTrack } from './tracks.ts';

let server: TestServer;
let fleet: TestFleet;
let route: TestRoute;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addRoutes]);
  server.clock.set(Date.parse('2026-03-10T20:00:00Z'));
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['admin', 'operator']) tokens.set(login, await server.signIn(login));
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.deps.database.db.updateTable('route_groups').set({ deleted: true }).execute();
  route = await insertTestRoute(server.deps.database.db, fleet.first, '10');
});

const ask = (method: 'GET' | 'PUT' | 'DELETE', url: string, body?: object, login = 'operator') =>
  server.app.inject({
    method,
    url: `/api/groups/${url}`,
    headers: { authorization: `Bearer ${tokens.get(login)}` },
    ...(body === undefined ? {} : { body }),
  });

describe('a route', () => {
  it('is shown with the track of the day', async () => {
    const track = [
      { latitude: 55, longitude: 37 },
      { latitude: 56, longitude: 38 },
    ];
    await server.deps.database.db
      .transaction()
      .execute((tx) => saveTrack(tx, route.routeId, '2026-03-10', track));
    const trackOn = async (date: string) =>
      (await ask('GET', `${route.routeId}?date=${date}`)).json<BusRouteWithTrack>().track;
    expect(await trackOn('2026-03-10')).toEqual(track);
    expect(await trackOn('2026-03-09')).toHaveLength(2);
    expect(await trackOn('2026-03-09')).not.toEqual(track);
    const today = (await ask('GET', `${route.routeId}`)).json<BusRouteWithTrack>();
    expect(today).toMatchObject({ id: route.routeId, name: '10', client_id: fleet.first, track });
  });

  it('gets another name and calculation type, but not the name of another', async () => {
    const { db } = server.deps.database;
    await insertTestRoute(db, fleet.first, '11');
    const body = { name: '12', type_calculation: 'FIXED' };
    const answer = await ask('PUT', `${route.routeId}`, body);
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      { id: route.routeId, client_id: fleet.first, deleted: false, ...body },
    ]);
    const taken = await ask('PUT', `${route.routeId}`, { name: '11' });
    expect([taken.statusCode, taken.json().field]).toEqual([409, 'name']);
    expect((await ask('PUT', `${route.routeId}`, { name: '' })).json().field).toBe('name');
  });
});

describe('a route that two users change', () => {
  const change = (body: object) => ask('PUT', `${route.routeId}`, body);
  const stored = async () => {
    const { name, type_calculation } = (
      await ask('GET', `${route.routeId}`)
    ).json<BusRouteWithTrack>();
    return [name, type_calculation];
  };

  it('keeps the name that one stored when the other has not seen it', async () => {
    expect((await change({ name: '12', seen: { name: '10' } })).statusCode).toBe(200);
    const later = await change({ name: '13', seen: { name: '10' } });
    expect([later.statusCode, later.json()]).toEqual([
      409,
      expect.objectContaining({ error: 'conflict', field: 'seen.name' }),
    ]);
    expect(later.json().message).toContain('12');
    // A repeat after a lost answer: the name already has the wanted value.
    expect((await change({ name: '12', seen: { name: '10' } })).statusCode).toBe(200);
    expect((await change({ name: '13', seen: { name: '12' } })).statusCode).toBe(200);
    expect((await change({ name: '14' })).statusCode).toBe(200);
    expect(await stored()).toEqual(['14', 'CALCULATION']);
  });

  it('keeps everything when one of two values is another by now', async () => {
    await change({ name: '12' });
    const seen = { name: '10', type_calculation: 'CALCULATION' };
    const later = await change({ name: '13', type_calculation: 'FIXED', seen });
    expect(later.json().field).toBe('seen.name');
    expect(await stored()).toEqual(['12', 'CALCULATION']);
    expect((await change({ type_calculation: 'FIXED', seen })).statusCode).toBe(200);
    expect(await stored()).toEqual(['12', 'FIXED']);
  });

  it('takes one of two names that are sent at once', async () => {
    const answers = await Promise.all(
      ['12', '13', '14'].map((name) => change({ name, seen: { name: '10' } })),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, 409, 409]);
    expect((await stored())[0]).toBe(['12', '13', '14'][statuses.indexOf(200)]);
  });
});

describe('a change of how revenue is computed', () => {
  it('holds from today on; yesterday is worked out as it was', async () => {
    const { db } = server.deps.database;
    const { busId } = await insertTestBus(db, fleet.first, 'Автобус 14');
    await db
      .updateTable('workplace_settings')
      .set({ group_id: route.routeId })
      .where('workplace_id', '=', busId)
      .execute();
    const isCalculated = async () => {
      const days = ['2026-03-09', '2026-03-10'].map((day) => findDaySettings(db, busId, day));
      return (await Promise.all(days)).map((settings) => settings?.calculation);
    };
    expect(await isCalculated()).toEqual([true, true]);
    await ask('PUT', `${route.routeId}`, { type_calculation: 'FIXED' });
    expect(await isCalculated()).toEqual([true, false]);
    await ask('PUT', `${route.routeId}`, { type_calculation: 'CALCULATION' });
    expect(await isCalculated()).toEqual([true, true]);
  });
});

describe('a bus on a route', () => {
  const rows = () =>
    server.deps.database.db
      .selectFrom('workplace_settings')
      .select(['valid_from', 'group_id', 'terminal_stop_id'])
      .where('workplace_id', '=', fleet.firstBus.busId)
      .orderBy('valid_from')
      .execute();

  it('comes to it and leaves it from local days on, and leaves its own terminal behind', async () => {
    const { busId, routeId: groupId } = fleet.firstBus;
    await server.deps.database.db
      .updateTable('workplace_settings')
      .set({ terminal_stop_id: route.stopIds[2] })
      .where('workplace_id', '=', busId)
      .execute();
    const put = await ask(
      'PUT',
      'workplace',
      { workplaceId: busId, groupId: route.routeId, valid_from: '2026-03-01' },
      'admin',
    );
    const url = `workplace?workplaceId=${busId}&valid_from=2026-04-01`;
    const taken = await ask('DELETE', url, undefined, 'admin');
    expect([put.statusCode, taken.statusCode]).toEqual([204, 204]);
    expect(await rows()).toEqual([
      { valid_from: '2010-01-01', group_id: groupId, terminal_stop_id: route.stopIds[2] },
      { valid_from: '2026-03-01', group_id: route.routeId, terminal_stop_id: null },
      { valid_from: '2026-04-01', group_id: null, terminal_stop_id: null },
    ]);
  });

  it('is put there by administrators alone, and not on the route of another customer', async () => {
    const move = { workplaceId: fleet.secondBus.busId, groupId: route.routeId };
    const own = { ...move, workplaceId: fleet.firstBus.busId };
    expect((await ask('PUT', 'workplace', own)).statusCode).toBe(403);
    expect((await ask('PUT', 'workplace', move)).statusCode).toBe(404);
    expect((await ask('PUT', 'workplace', move, 'admin')).statusCode).toBe(404);
  });
});
