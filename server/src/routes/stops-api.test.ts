import type { RouteStop } from '@ridewatch/contract/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addRouteStops } from './stops-api.ts';

const NOW_MS = Date.parse('2026-03-10T20:00:00Z');
const [YESTERDAY, TODAY, NEXT_WEEK] = ['2026-03-09', '2026-03-10', '2026-03-17'];
let server: TestServer;
let fleet: TestFleet;
let route: TestRoute;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addRouteStops]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['operator', 'first']) tokens.set(login, await server.signIn(login));
});
afterAll(() => server.close());
beforeEach(async () => {
  route = await insertTestRoute(server.deps.database.db, fleet.first, `${Math.random()}`);
});

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, login = 'operator') =>
  server.app.inject({
    method,
    url: `/api/groups/${url}`,
    headers: { authorization: `Bearer ${tokens.get(login)}` },
    ...(body === undefined ? {} : { body }),
  });

/** Stop names of one direction, in their order. */
async function namesOn(date: string, direction: RouteStop['routeDirection'] = 'FORWARD') {
  const { items } = (await ask('GET', `${route.routeId}/stops?date=${date}`)).json<{
    items: RouteStop[];
  }>();
  const stops = items.filter(({ routeDirection }) => routeDirection === direction);
  expect(stops.map(({ orderKey }) => orderKey)).toEqual(stops.map((_, index) => index));
  return stops.map(({ name }) => name);
}

const bridge = {
  name: 'Мост',
  latitude: 55.75,
  longitude: 37.608,
  orderKey: 1,
  routeDirection: 'FORWARD',
};

const auditRows = async () => {
  const { rows } = await server.deps.database.pool.query(
    `select login, action, before, after from audit_log join users on users.id = user_id
     where object_type = 'route_group' and object_id = $1 order by audit_log.id`,
    [String(route.routeId)],
  );
  return rows;
};

describe('the stops of a route', () => {
  it('take a new one at its place from today on; yesterday keeps its own', async () => {
    const answer = await ask('POST', `${route.routeId}/stop`, bridge);
    expect(answer.statusCode).toBe(200);
    expect(answer.json<{ items: RouteStop[] }>().items.map(({ name }) => name)).toEqual([
      'Вокзал',
      'Мост',
      'Школа',
      'Рынок',
      'Школа',
    ]);
    expect(await namesOn(YESTERDAY)).toEqual(['Вокзал', 'Школа', 'Рынок']);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Мост', 'Школа', 'Рынок']);
  });

  it('take a new one beyond the end at the end', async () => {
    await ask('POST', `${route.routeId}/stop`, { ...bridge, orderKey: 10_000 });
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Школа', 'Рынок', 'Мост']);
  });

  it('take a new one once, also when the request is repeated because its answer was lost', async () => {
    const first = await ask('POST', `${route.routeId}/stop`, bridge);
    const again = await ask('POST', `${route.routeId}/stop`, bridge);
    expect([again.statusCode, again.json()]).toEqual([200, first.json()]);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Мост', 'Школа', 'Рынок']);
  });

  it('are not moved beyond the end: no place of the order is there', async () => {
    const answer = await ask('POST', `stop/${route.stopIds[0]}`, { orderKey: 3 });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_request', field: 'orderKey' });
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Школа', 'Рынок']);
  });

  it('change from an earlier day when that is said', async () => {
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей', valid_from: '2026-03-01' });
    expect(await namesOn('2026-02-28')).toEqual(['Вокзал', 'Школа', 'Рынок']);
    expect(await namesOn('2026-03-01')).toEqual(['Вокзал', 'Лицей', 'Рынок']);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Лицей', 'Рынок']);
  });

  it('keep today’s name when a planned change begins', async () => {
    await ask('POST', `${route.routeId}/stop`, { ...bridge, orderKey: 0, valid_from: NEXT_WEEK });
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей' });
    await ask('DELETE', `stop/${route.stopIds[2]}`);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Лицей']);
    expect(await namesOn(NEXT_WEEK)).toEqual(['Мост', 'Вокзал', 'Лицей']);
  });

  it('are reordered, and change their direction', async () => {
    const [first, school] = route.stopIds;
    await ask('POST', `stop/${first}`, { orderKey: 2 });
    expect(await namesOn(TODAY)).toEqual(['Школа', 'Рынок', 'Вокзал']);
    await ask('POST', `stop/${school}`, { routeDirection: 'REVERSE', orderKey: 0 });
    expect(await namesOn(TODAY)).toEqual(['Рынок', 'Вокзал']);
    await ask('POST', `stop/${first}`, { routeDirection: 'REVERSE' });
    expect(await namesOn(TODAY, 'REVERSE')).toEqual(['Школа', 'Школа', 'Вокзал']);
    expect(await namesOn(YESTERDAY)).toEqual(['Вокзал', 'Школа', 'Рынок']);
  });

  it('keep their place in town when they are reordered, and get another with another name', async () => {
    const placeOf = async () => {
      const { items } = (await ask('GET', `${route.routeId}/stops`)).json<{ items: RouteStop[] }>();
      return items.find(({ id }) => id === route.stopIds[1])?.classifier_id;
    };
    const before = await placeOf();
    await ask('POST', `stop/${route.stopIds[1]}`, { orderKey: 0 });
    expect(await placeOf()).toBe(before);
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей' });
    expect(await placeOf()).not.toBe(before);
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Школа' });
    expect(await placeOf()).toBe(before);
  });

  it('lose one from a day on, and the others close up', async () => {
    const url = `stop/${route.stopIds[1]}?valid_from=${NEXT_WEEK}`;
    expect((await ask('DELETE', url)).statusCode).toBe(200);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Школа', 'Рынок']);
    expect(await namesOn(NEXT_WEEK)).toEqual(['Вокзал', 'Рынок']);
    expect((await ask('DELETE', url)).statusCode).toBe(404);
  });

  it('have one first terminal, and at most one last', async () => {
    const [first, school, market] = route.stopIds;
    const url = 'stops/terminal-stops';
    const terminals = async (date: string) => {
      const url = `${route.routeId}/stops?date=${date}`;
      const { items } = (await ask('GET', url)).json<{ items: RouteStop[] }>();
      return items.map(({ terminal }) => terminal);
    };
    await ask('POST', url, { firstRouteStopId: school, lastRouteStopId: market });
    expect(await terminals(TODAY)).toEqual([null, 'first', 'last', null]);
    await ask('POST', url, { firstRouteStopId: school, lastRouteStopId: null });
    expect(await terminals(TODAY)).toEqual([null, 'first', null, null]);
    expect(await terminals(YESTERDAY)).toEqual(['first', null, 'last', null]);
    const same = await ask('POST', url, { firstRouteStopId: first, lastRouteStopId: first });
    expect([same.statusCode, same.json().field]).toEqual([400, 'lastRouteStopId']);
  });

  it('keep terminals that somebody else has set since the user looked', async () => {
    const [first, school, market] = route.stopIds;
    const url = 'stops/terminal-stops';
    const seen = { firstRouteStopId: first, lastRouteStopId: market };
    const own = { firstRouteStopId: school, lastRouteStopId: market };
    expect((await ask('POST', url, { ...own, seen })).statusCode).toBe(200);
    expect((await ask('POST', url, { ...own, seen })).statusCode).toBe(200);
    const late = await ask('POST', url, {
      ...seen,
      firstRouteStopId: market,
      lastRouteStopId: null,
      seen,
    });
    expect([late.statusCode, late.json().field]).toEqual([409, 'seen.firstRouteStopId']);
  });

  it('keep one that somebody else has renamed since the user wanted to remove it', async () => {
    const url = (seen: string) => `stop/${route.stopIds[1]}?seen_name=${encodeURIComponent(seen)}`;
    const late = await ask('DELETE', url('Лицей'));
    expect([late.statusCode, late.json().field]).toEqual([409, 'seen.name']);
    expect((await ask('DELETE', url('Школа'))).statusCode).toBe(200);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Рынок']);
  });

  it('write one audit row for each command, with what was before', async () => {
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей' });
    expect(await auditRows()).toEqual([
      {
        login: 'operator',
        action: 'update_route_stop',
        before: expect.objectContaining({ id: route.stopIds[1], name: 'Школа' }),
        after: { id: route.stopIds[1], name: 'Лицей', valid_from: TODAY },
      },
    ]);
  });

  it('are not changed over a value that somebody else stored since the user looked', async () => {
    const stop = `stop/${route.stopIds[1]}`;
    const rename = (name: string, saw: string) => ask('POST', stop, { name, seen: { name: saw } });
    expect((await rename('Лицей', 'Школа')).statusCode).toBe(200);
    const later = await rename('Гимназия', 'Школа');
    expect([later.statusCode, later.json()]).toEqual([
      409,
      expect.objectContaining({
        error: 'conflict',
        field: 'seen.name',
        message: expect.stringContaining('Лицей'),
      }),
    ]);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Лицей', 'Рынок']);
    // A repeat after a lost answer: the name already has the wanted value.
    expect((await rename('Лицей', 'Школа')).statusCode).toBe(200);
    expect((await rename('Гимназия', 'Лицей')).statusCode).toBe(200);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Гимназия', 'Рынок']);
    const after = (await auditRows()).map((row) => row.after);
    expect(after).toHaveLength(3);
    expect(after.at(-1)).toEqual({ id: route.stopIds[1], name: 'Гимназия', valid_from: TODAY });
  });

  it.each([
    [{ orderKey: 2 }, { orderKey: 0 }, 'seen.orderKey'],
    [{ latitude: 55.76 }, { latitude: 55.74 }, 'seen.latitude'],
    [{ longitude: 37.61 }, { longitude: 37.62 }, 'seen.longitude'],
  ])('refuse %j of a user who saw %j, with the field', async (wanted, seen, field) => {
    const answer = await ask('POST', `stop/${route.stopIds[1]}`, { ...wanted, seen });
    expect([answer.statusCode, answer.json().field]).toEqual([409, field]);
    expect(await auditRows()).toEqual([]);
  });

  it('refuse another direction than the one that somebody else gave', async () => {
    const [first] = route.stopIds;
    const turn = (routeDirection: string, saw: string) =>
      ask('POST', `stop/${first}`, { routeDirection, seen: { routeDirection: saw } });
    expect((await turn('REVERSE', 'FORWARD')).statusCode).toBe(200);
    expect((await turn('FORWARD', 'REVERSE')).statusCode).toBe(200);
    expect((await turn('REVERSE', 'REVERSE')).json().field).toBe('seen.routeDirection');
  });

  it('change though somebody else changed what this command leaves alone', async () => {
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей' });
    const seen = { name: 'Школа', orderKey: 1, routeDirection: 'FORWARD' };
    const move = { orderKey: 0, routeDirection: 'FORWARD', seen };
    expect((await ask('POST', `stop/${route.stopIds[1]}`, move)).statusCode).toBe(200);
    expect(await namesOn(TODAY)).toEqual(['Лицей', 'Вокзал', 'Рынок']);
  });

  it('are compared with what is valid on the day of the change', async () => {
    const stop = `stop/${route.stopIds[1]}`;
    await ask('POST', stop, { name: 'Лицей', valid_from: NEXT_WEEK });
    const on = (valid_from: string) =>
      ask('POST', stop, { name: 'Гимназия', seen: { name: 'Школа' }, valid_from });
    expect((await on(NEXT_WEEK)).statusCode).toBe(409);
    expect((await on(TODAY)).statusCode).toBe(200);
    expect(await namesOn(NEXT_WEEK)).toEqual(['Вокзал', 'Лицей', 'Рынок']);
  });

  it('go to one of two users who change the same value at once', async () => {
    const names = ['Лицей', 'Гимназия', 'Училище', 'Техникум'];
    const answers = await Promise.all(
      names.map((name) =>
        ask('POST', `stop/${route.stopIds[1]}`, { name, seen: { name: 'Школа' } }),
      ),
    );
    const statuses = answers.map(({ statusCode }) => statusCode);
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409]);
    expect((await namesOn(TODAY))[1]).toBe(names[statuses.indexOf(200)]);
  });

  it('stay as they are when the command does not get its audit row', async () => {
    const { pool } = server.deps.database;
    await pool.query(
      "alter table audit_log add constraint shut check (action <> 'insert_route_stop') not valid",
    );
    const answer = await ask('POST', `${route.routeId}/stop`, bridge);
    await pool.query('alter table audit_log drop constraint shut');
    expect(answer.statusCode).toBe(500);
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Школа', 'Рынок']);
  });

  it('have the laps of today worked out anew, not those of before', async () => {
    const { db, pool } = server.deps.database;
    const { busId } = fleet.firstBus;
    await db
      .updateTable('workplace_settings')
      .set({ group_id: route.routeId })
      .where('workplace_id', '=', busId)
      .execute();
    const jobs = async () =>
      (await pool.query("select key from graphile_worker.jobs where key like 'day:%'")).rows;
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей', valid_from: NEXT_WEEK });
    expect(await jobs()).toEqual([]);
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей', valid_from: '2026-03-01' });
    expect(await jobs()).toEqual([{ key: `day:${busId}:${TODAY}` }]);
  });

  it('have them worked out by the day that the bus has, which may be tomorrow elsewhere', async () => {
    const { db, pool } = server.deps.database;
    const { busId } = fleet.firstBus;
    await db
      .updateTable('workplace_settings')
      .set({ group_id: route.routeId, timezone: 'Asia/Vladivostok' })
      .where('workplace_id', '=', busId)
      .execute();
    await ask('POST', `stop/${route.stopIds[1]}`, { name: 'Лицей', valid_from: '2026-03-11' });
    const { rows } = await pool.query(
      "select 1 from graphile_worker.jobs where key = 'day:' || $1 || ':2026-03-11'",
      [busId],
    );
    expect(rows).toHaveLength(1);
  });

  it('cannot be changed by hand-made requests of a user who may only look', async () => {
    const [first] = route.stopIds;
    for (const answer of [
      await ask('POST', `${route.routeId}/stop`, bridge, 'first'),
      await ask('POST', `stop/${first}`, { name: 'Лицей' }, 'first'),
      await ask('DELETE', `stop/${first}`, undefined, 'first'),
      await ask(
        'POST',
        'stops/terminal-stops',
        { firstRouteStopId: first, lastRouteStopId: null },
        'first',
      ),
    ]) {
      expect([answer.statusCode, answer.json().error]).toEqual([403, 'no_right']);
    }
    expect(await namesOn(TODAY)).toEqual(['Вокзал', 'Школа', 'Рынок']);
    expect(await auditRows()).toEqual([]);
  });

  it.each([
    [{ ...bridge, name: '' }, 'name'],
    [{ ...bridge, name: '   ' }, 'name'],
    [{ ...bridge, name: 'я'.repeat(256) }, 'name'],
    [{ ...bridge, latitude: 0, longitude: 0 }, 'latitude'],
    [{ ...bridge, latitude: 90.1 }, 'latitude'],
    [{ ...bridge, longitude: '37' }, 'longitude'],
    [{ ...bridge, orderKey: -1 }, 'orderKey'],
    [{ ...bridge, orderKey: 1.5 }, 'orderKey'],
    [{ ...bridge, routeDirection: 'SIDEWAYS' }, 'routeDirection'],
    [{ ...bridge, valid_from: '2026-02-30' }, 'valid_from'],
    [{}, 'name'],
  ])('refuse %j with the field', async (body, field) => {
    const answer = await ask('POST', `${route.routeId}/stop`, body);
    expect([answer.statusCode, answer.json().field]).toEqual([400, field]);
  });
});
