import { ROUTE_COSTS_PATH } from '@ridewatch/contract/paths';
import type { RoutePattern } from '@ridewatch/contract/route-patterns';
import type { RouteStop } from '@ridewatch/contract/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addRouteCosts } from './costs-api.ts';
import { addRoutePatterns } from './patterns-api.ts';
import { addRouteStops } from './stops-api.ts';

const NOW_MS = Date.parse('2026-03-10T20:00:00Z');
const [YESTERDAY, TODAY, NEXT_WEEK] = ['2026-03-09', '2026-03-10', '2026-03-17'];
let server: TestServer;
let fleet: TestFleet;
let route: TestRoute;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addRouteStops, addRoutePatterns, addRouteCosts]);
  server.clock.set(NOW_MS);
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['operator', 'first', 'second']) {
    tokens.set(login, await server.signIn(login));
  }
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

interface Patterns {
  readonly items: readonly RoutePattern[];
  readonly stops: readonly RouteStop[];
}

const patternsOn = async (date = TODAY) =>
  (await ask('GET', `${route.routeId}/patterns?date=${date}`)).json<Patterns>();

/** Names of the patterns on a day, the default first, with the names of their stops. */
async function shownOn(date = TODAY) {
  const { items, stops } = await patternsOn(date);
  const nameOf = new Map(
    stops.map(({ id, name, routeDirection }) => [id, `${name} ${routeDirection[0]}`]),
  );
  return items.map((one) => `${one.name}: ${one.stop_ids.map((id) => nameOf.get(id)).join(', ')}`);
}

/** Adds the short run to the second stop and back. @returns its id */
async function addShort(name = 'Короткий', valid_from = TODAY): Promise<number> {
  const [first, second, , back] = route.stopIds;
  const body = { name, stop_ids: [first, second, back], valid_from };
  const answer = await ask('POST', `${route.routeId}/pattern`, body);
  expect(answer.statusCode).toBe(200);
  return answer.json<Patterns>().items.find((one) => one.name === name)?.id as number;
}

const FULL = 'Вокзал F, Школа F, Рынок F, Школа R';

describe('the patterns of a route', () => {
  it('are one, its stops, until somebody adds another', async () => {
    expect(await patternsOn()).toMatchObject({
      items: [{ id: null, name: 'Вокзал – Рынок', default: true, stop_ids: route.stopIds }],
    });
    const id = await addShort();
    const { items } = await patternsOn();
    expect(items).toMatchObject([
      { name: 'Вокзал – Рынок', default: true },
      { id, name: 'Короткий', default: false, own_track: false },
    ]);
    expect(items[0]?.id).toBeGreaterThan(0);
    expect(await shownOn()).toEqual([
      `Вокзал – Рынок: ${FULL}`,
      'Короткий: Вокзал F, Школа F, Школа R',
    ]);
  });

  it('are valid from a day on', async () => {
    await addShort('Короткий', TODAY);
    expect(await shownOn(YESTERDAY)).toHaveLength(1);
    expect(await shownOn(NEXT_WEEK)).toHaveLength(2);
  });

  it('get another name and other stops from a day on', async () => {
    const id = await addShort();
    const [first, second] = route.stopIds;
    const name = { name: 'До школы', valid_from: NEXT_WEEK };
    expect((await ask('POST', `pattern/${id}`, name)).statusCode).toBe(200);
    const stops = { stop_ids: [second, first], valid_from: NEXT_WEEK };
    expect((await ask('POST', `pattern/${id}`, stops)).statusCode).toBe(200);
    expect((await shownOn())[1]).toBe('Короткий: Вокзал F, Школа F, Школа R');
    expect((await shownOn(NEXT_WEEK))[1]).toBe('До школы: Школа F, Вокзал F');
  });

  it('have the name that the user saw, else the change is a conflict', async () => {
    const id = await addShort();
    const late = { name: 'Мой', seen: { name: 'Другой' } };
    const answer = await ask('POST', `pattern/${id}`, late);
    expect([answer.statusCode, answer.json().field]).toEqual([409, 'seen.name']);
    const seen = { name: 'Мой', seen: { name: 'Короткий' } };
    expect((await ask('POST', `pattern/${id}`, seen)).statusCode).toBe(200);
  });

  it('lose a stop that leaves the route', async () => {
    await addShort();
    await ask('DELETE', `stop/${route.stopIds[1]}`);
    expect(await shownOn()).toEqual([
      'Вокзал – Рынок: Вокзал F, Рынок F, Школа R',
      'Короткий: Вокзал F, Школа R',
    ]);
  });

  it('leave a stop that none of them has any more, until somebody removes it', async () => {
    const [first, second, third, back] = route.stopIds;
    const add = { name: 'Дальний', stop_ids: [first, third, back] };
    const added = (await ask('POST', `${route.routeId}/pattern`, add)).json<Patterns>();
    const id = added.items.find(({ name }) => name === 'Дальний')?.id;
    await ask('POST', `pattern/${id}`, { default: true });
    const old = (await patternsOn()).items.find((one) => !one.default)?.id;
    await ask('DELETE', `pattern/${old}`);
    expect((await patternsOn()).stops.map((stop) => stop.id)).toContain(second);
    expect((await ask('DELETE', `stop/${second}`)).statusCode).toBe(200);
    expect((await patternsOn()).stops.map((stop) => stop.id)).not.toContain(second);
    expect(await shownOn()).toEqual(['Дальний: Вокзал F, Рынок F, Школа R']);
    expect((await patternsOn(YESTERDAY)).stops.map((stop) => stop.id)).toContain(second);
  });

  it('are refused with a name that differs from another one in case only', async () => {
    const id = await addShort();
    const [first, , third] = route.stopIds;
    const body = { name: 'КОРОТКИЙ', stop_ids: [first, third] };
    const added = await ask('POST', `${route.routeId}/pattern`, body);
    expect([added.statusCode, added.json().field]).toEqual([409, 'name']);
    expect((await ask('POST', `pattern/${id}`, { name: 'КОРОТКИЙ' })).statusCode).toBe(200);
  });

  it('end from a day on, except the default one', async () => {
    const id = await addShort('Короткий', YESTERDAY);
    const { items } = await patternsOn();
    expect((await ask('DELETE', `pattern/${items[0]?.id}`)).statusCode).toBe(409);
    expect((await ask('DELETE', `pattern/${id}?valid_from=${TODAY}`)).statusCode).toBe(200);
    expect(await shownOn(YESTERDAY)).toHaveLength(2);
    expect(await shownOn()).toEqual([`Вокзал – Рынок: ${FULL}`]);
  });

  it('are refused with stops of another route, twice the same, a known name or equal stops', async () => {
    await addShort();
    const [first, second, third, back] = route.stopIds;
    const other = await insertTestRoute(server.deps.database.db, fleet.first, `${Math.random()}`);
    const add = async (name: string, stop_ids: readonly number[]) => {
      const answer = await ask('POST', `${route.routeId}/pattern`, { name, stop_ids });
      return [answer.statusCode, answer.json().field];
    };
    expect(await add('A', [first, other.stopIds[1]])).toEqual([400, 'stop_ids.1']);
    expect(await add('A', [first, first])).toEqual([400, 'stop_ids.1']);
    expect(await add('A', [first])).toEqual([400, 'stop_ids']);
    expect(await add('Короткий', [first, third])).toEqual([409, 'name']);
    expect(await add('A', [first, second, back])).toEqual([409, 'stop_ids']);
    expect(await add('A', [back, first, second, third])).toEqual([409, 'stop_ids']);
  });

  it('are refused with a name that another one has on a later day', async () => {
    await addShort('Короткий', NEXT_WEEK);
    const [first, , third] = route.stopIds;
    const body = { name: 'Короткий', stop_ids: [first, third], valid_from: TODAY };
    const answer = await ask('POST', `${route.routeId}/pattern`, body);
    expect([answer.statusCode, answer.json().field]).toEqual([409, 'name']);
    expect(answer.json().message).toContain(NEXT_WEEK);
    const id = await addShort('Другой', TODAY);
    const renamed = await ask('POST', `pattern/${id}`, { name: 'Короткий', valid_from: TODAY });
    expect([renamed.statusCode, renamed.json().field]).toEqual([409, 'name']);
    expect(await shownOn(NEXT_WEEK)).toHaveLength(3);
  });

  it('are twenty at most', async () => {
    const { db } = server.deps.database;
    const { id: place } = await db
      .selectFrom('stop_classifiers')
      .select('id')
      .limit(1)
      .executeTakeFirstOrThrow();
    const { rows } = await server.deps.database.pool.query(
      `with made as (insert into route_stops (group_id) select $1 from generate_series(1, 20) returning id)
       insert into route_stop_versions (stop_id, valid_from, classifier_id, name, latitude, longitude,
         order_key, route_direction)
       select id, '2010-01-01', $2, 'Ещё ' || id, 55.75, 37.61 + id % 100 * 0.0001, id, 'FORWARD' from made
       returning stop_id as id`,
      [route.routeId, place],
    );
    for (const [n, { id }] of rows.entries()) {
      const from = { valid_from: n < 10 ? NEXT_WEEK : TODAY };
      const body = { name: `№ ${n}`, stop_ids: [route.stopIds[0], Number(id)], ...from };
      const answer = await ask('POST', `${route.routeId}/pattern`, body);
      expect(answer.statusCode).toBe(n < 19 ? 200 : 409);
    }
    expect(await shownOn()).toHaveLength(10);
    expect(await shownOn(NEXT_WEEK)).toHaveLength(20);
  });
});

describe('the default pattern', () => {
  it('becomes another one from a day on: the calls about stops answer its stops, prices stay', async () => {
    const id = await addShort('Короткий', YESTERDAY);
    const stopNames = async (date: string) =>
      (await ask('GET', `${route.routeId}/stops?date=${date}`))
        .json<{ items: RouteStop[] }>()
        .items.map(({ name, routeDirection }) => `${name} ${routeDirection[0]}`)
        .join(', ');
    const answer = await ask('POST', `pattern/${id}`, { default: true, valid_from: TODAY });
    expect(answer.statusCode).toBe(200);
    expect(await shownOn()).toEqual([
      'Короткий: Вокзал F, Школа F, Школа R',
      `Вокзал – Рынок: ${FULL}`,
    ]);
    expect([await stopNames(YESTERDAY), await stopNames(TODAY)]).toEqual([
      FULL,
      'Вокзал F, Школа F, Школа R',
    ]);
    const { items, stops } = await patternsOn();
    expect(items[0]?.id).toBe(id);
    expect(items[1]?.own_track).toBe(true);
    expect(stops).toHaveLength(4);
    const costs = await server.app.inject({
      url: `${ROUTE_COSTS_PATH}/group/${route.routeId}`,
      headers: { authorization: `Bearer ${tokens.get('operator')}` },
    });
    expect(costs.json().items).toMatchObject([{ to_stop_id: route.stopIds[2], cost: '45.00' }]);
    // Then back again.
    const back = { default: true, valid_from: NEXT_WEEK };
    expect((await ask('POST', `pattern/${items[1]?.id}`, back)).statusCode).toBe(200);
    expect(await stopNames(NEXT_WEEK)).toBe(FULL);
    expect(await stopNames(TODAY)).toBe('Вокзал F, Школа F, Школа R');
  });

  it('is named after its ends until somebody gives it another name', async () => {
    await addShort();
    const [, , market, back] = route.stopIds;
    await ask('POST', `stop/${market}`, { name: 'Ярмарка' });
    expect(await shownOn()).toContain(`Вокзал – Ярмарка: ${FULL.replace('Рынок', 'Ярмарка')}`);
    const id = (await patternsOn()).items[0]?.id;
    await ask('POST', `pattern/${id}`, { name: 'Полный' });
    await ask('DELETE', `stop/${market}`);
    expect((await shownOn())[0]).toMatch(/^Полный: /);
    await ask('POST', `pattern/${id}`, { name: 'Вокзал – Школа' });
    await ask('DELETE', `stop/${back}`);
    await ask('POST', `${route.routeId}/stop`, {
      name: 'Парк',
      latitude: 55.75,
      longitude: 37.64,
      orderKey: 2,
      routeDirection: 'FORWARD',
    });
    expect((await shownOn())[0]).toBe('Вокзал – Парк: Вокзал F, Школа F, Парк F');
  });

  it('does not change on a day before patterns change anyway', async () => {
    const id = await addShort('Короткий', YESTERDAY);
    await ask('POST', `pattern/${id}`, { name: 'До школы', valid_from: NEXT_WEEK });
    const answer = await ask('POST', `pattern/${id}`, { default: true, valid_from: TODAY });
    expect([answer.statusCode, answer.json().field]).toEqual([409, 'valid_from']);
  });

  it('has its own terminals, and those of another one do not come back beside them', async () => {
    const [first, second, third] = route.stopIds;
    const setTerminals = (firstRouteStopId?: number, lastRouteStopId?: number) =>
      ask('POST', 'stops/terminal-stops', { firstRouteStopId, lastRouteStopId, valid_from: TODAY });
    const terminals = async () =>
      (await ask('GET', `${route.routeId}/stops?date=${TODAY}`))
        .json<{ items: RouteStop[] }>()
        .items.flatMap(({ id, terminal }) => (terminal === null ? [] : [[id, terminal]]));
    expect((await setTerminals(first, third)).statusCode).toBe(200);
    const id = await addShort('Короткий', YESTERDAY);
    const long = (await patternsOn()).items[0]?.id;
    await ask('POST', `pattern/${id}`, { default: true, valid_from: TODAY });
    expect((await setTerminals(first, second)).statusCode).toBe(200);
    await ask('POST', `pattern/${long}`, { default: true, valid_from: TODAY });
    expect(await terminals()).toEqual([
      [first, 'first'],
      [second, 'last'],
    ]);
  });

  it('has a stop of other patterns renamed and moved as any stop', async () => {
    const id = await addShort('Короткий', YESTERDAY);
    await ask('POST', `pattern/${id}`, { default: true, valid_from: YESTERDAY });
    const answer = await ask('POST', `stop/${route.stopIds[2]}`, { name: 'Ярмарка' });
    expect(answer.statusCode).toBe(200);
    expect((await shownOn())[1]).toBe('Вокзал – Рынок: Вокзал F, Школа F, Ярмарка F, Школа R');
  });
});

describe('who may see and change patterns', () => {
  it('is who may see and change the route', async () => {
    const id = await addShort();
    const foreign = await Promise.all([
      ask('GET', `${route.routeId}/patterns`, undefined, 'second'),
      ask('POST', `${route.routeId}/pattern`, { name: 'A', stop_ids: [1, 2] }, 'second'),
      ask('POST', `pattern/${id}`, { name: 'A' }, 'second'),
      ask('DELETE', `pattern/${id}`, undefined, 'second'),
    ]);
    expect(foreign.map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404]);
    const readOnly = await Promise.all([
      ask('GET', `${route.routeId}/patterns`, undefined, 'first'),
      ask('POST', `pattern/${id}`, { name: 'A' }, 'first'),
      ask('DELETE', `pattern/${id}`, undefined, 'first'),
    ]);
    expect(readOnly.map(({ statusCode }) => statusCode)).toEqual([200, 403, 403]);
  });

  it('is written down with each change', async () => {
    const id = await addShort();
    await ask('POST', `pattern/${id}`, { name: 'До школы' });
    await ask('DELETE', `pattern/${id}`);
    const { rows } = await server.deps.database.pool.query(
      `select action, before->>'name' as before, after->>'name' as after from audit_log
       where object_type = 'route_group' and object_id = $1 order by id`,
      [String(route.routeId)],
    );
    expect(rows).toEqual([
      { action: 'insert_route_pattern', before: null, after: 'Короткий' },
      { action: 'update_route_pattern', before: 'Короткий', after: 'До школы' },
      { action: 'delete_route_pattern', before: 'До школы', after: null },
    ]);
  });
});
