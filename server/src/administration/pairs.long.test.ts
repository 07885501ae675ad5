// Every two commands of administration about the same objects at the same moment: none answers with a fault of the server,
// and nothing that a command refuses by itself is there after both.
import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import { dayOf } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusRoutes } from '../bus-routes/api.ts';
import { addRoutes } from '../routes/api.ts';
import { addRouteCosts } from '../routes/costs-api.ts';
import { addRoutePatterns } from '../routes/patterns-api.ts';
import { addRouteStops } from '../routes/stops-api.ts';
import { insertTestBus, insertTestClient, insertTestFleet, insertTestUser } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { askJson } from '../test/requests.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

/** Each pair is tried so often. */
const TRIES = 2;
const DAY = '2026-11-20';
let server: TestServer;
let integrator: number;
/** Tokens by login. Commands of one administrator take turns. */
const tokens: Record<string, string> = {};
beforeAll(async () => {
  server = await createTestServer([
    ...[addAuth, addBusRoutes, addRoutes, addRouteStops, addRouteCosts, addRoutePatterns],
    addAdministration,
  ]);
  const { db } = server.deps.database;
  ({ integrator } = await insertTestFleet(db));
  await insertTestUser(db, 'other admin', 'ADMIN', null);
  await insertTestUser(db, 'colleague', 'INTEGRATOR', integrator);
});
// The clock goes on with each world, and a token holds for minutes.
beforeEach(async () => {
  for (const login of ['admin', 'other admin', 'integrator', 'colleague']) {
    tokens[login] = await server.signIn(login);
  }
  // Hundreds of worlds come in seconds: a plan by the statistics of few rows would take longer than a table may wait.
  await sql`analyze`.execute(server.deps.database.db);
});
afterAll(() => server.close());

/** The rows that the commands change: a bus of a customer with its unit, a route without a bus, two places, and others. */
interface World {
  readonly name: string;
  readonly client: number;
  readonly otherClient: number;
  readonly bus: number;
  readonly unit: number;
  readonly camera: number;
  readonly route: number;
  readonly stops: TestRoute['stopIds'];
  readonly otherBus: number;
  readonly spareUnit: number;
  readonly user: number;
  readonly login: string;
  readonly places: readonly [number, number];
  readonly key: number;
}

let worlds = 0;
async function makeWorld(): Promise<World> {
  const { db } = server.deps.database;
  worlds += 1;
  const name = `Мир ${worlds}`;
  const login = `user ${worlds}`;
  const client = await insertTestClient(db, name);
  const otherClient = await insertTestClient(db, `${name}, другой`);
  const own = [client, otherClient].map((id) => ({ integrator_id: integrator, client_id: id }));
  await db.insertInto('integrator_clients').values(own).execute();
  // Rights are kept for 5 s.
  server.clock.advance(5000);
  const bus = await insertTestBus(db, client, name);
  const otherBus = await insertTestBus(db, client, `${name}, второй`);
  await sql`update units set workplace_id = null, owner_id = ${client}
    where id = ${otherBus.unitId}`.execute(db);
  const route = await insertTestRoute(db, client, name);
  const { rows } = await sql<{ id: number }>`select id from stop_classifiers
    where client_id = ${client} and name in ('Вокзал', 'Школа') order by name`.execute(db);
  return {
    ...{ name, client, otherClient, bus: bus.busId, unit: bus.unitId, camera: bus.cameras.door1 },
    ...{ route: route.routeId, stops: route.stopIds },
    ...{ otherBus: otherBus.busId, spareUnit: otherBus.unitId },
    ...{ login, user: await insertTestUser(db, login, 'OPERATOR', client) },
    places: [rows[0]?.id ?? 0, rows[1]?.id ?? 0],
    key: (await insertTestKey(db, client)).id,
  };
}

type Request = readonly [method: string, url: string, body?: object];
const put = (url: string, body: object): Request => ['PUT', url, body];
const post = (url: string, body: object): Request => ['POST', url, body];
const remove = (url: string): Request => ['DELETE', url];

/** The only one of the route. */
const removePrice = ({ route, stops: [from_stop_id, , to_stop_id] }: World): Request =>
  put('/api/route-cost', { group_id: route, items: [{ from_stop_id, to_stop_id, cost: null }] });

const commands: Readonly<Record<string, (world: World) => Request>> = {
  'put the bus on the route': ({ bus, route }) =>
    put('/api/set-group', { workplaceId: bus, groupId: route }),
  'set the route of the bus from a day on': ({ bus, route }) =>
    put(`/api/admin/buses/${bus}/settings`, { group_id: route, valid_from: DAY }),
  'put several buses on the route': ({ bus, otherBus, route }) =>
    post('/api/admin/buses/several', {
      ids: [bus, otherBus],
      change: { group_id: route, valid_from: DAY },
    }),
  'make a bus on the route': ({ name, client, route }) =>
    post('/api/admin/buses', {
      ...{ name: `${name} ${Math.random()}`, client_ids: [client] },
      ...{ timezone: 'Europe/Moscow', group_id: route },
    }),
  'delete the route': ({ route }) => remove(`/api/admin/groups/${route}`),
  'give the bus to another customer': ({ bus, otherClient }) =>
    put(`/api/admin/buses/${bus}`, { client_ids: [otherClient] }),
  'take the bus off its route': ({ bus }) =>
    put('/api/set-group', { workplaceId: bus, groupId: UNGROUPED }),
  'retire the bus': ({ bus }) => put(`/api/admin/buses/${bus}`, { retired: true }),
  'merge a place into another': ({ places: [one, other] }) =>
    post(`/api/admin/classifiers/${one}/merge`, { into: other }),
  'merge the other place into it': ({ places: [one, other] }) =>
    post(`/api/admin/classifiers/${other}/merge`, { into: one }),
  'rename a place': ({ places: [one] }) =>
    put(`/api/admin/classifiers/${one}`, { name: 'Площадь' }),
  'add a stop': ({ route }) =>
    post(`/api/groups/${route}/stop`, {
      ...{ name: 'Школа', latitude: 55.75, longitude: 37.617 },
      ...{ orderKey: 1, routeDirection: 'FORWARD' },
    }),
  'remove a stop': ({ stops }) => remove(`/api/groups/stop/${stops[1]}`),
  'remove a price': removePrice,
  'move the unit': ({ unit, otherBus }) => put(`/api/admin/units/${unit}`, { bus_id: otherBus }),
  'move the spare unit': ({ spareUnit, otherBus }) =>
    put(`/api/admin/units/${spareUnit}`, { bus_id: otherBus }),
  'give the unit a credential': ({ unit }) => post(`/api/admin/units/${unit}/credential`, {}),
  'put the unit to the test': ({ unit }) => put(`/api/admin/units/${unit}/test`, { test: true }),
  'add a camera': ({ bus }) =>
    post('/api/admin/cameras', { bus_id: bus, name: 'Ещё', stream_id: `door ${Math.random()}` }),
  'rename a camera': ({ camera }) => put(`/api/admin/cameras/${camera}`, { name: 'Задняя' }),
  'make a route': ({ name, client }) =>
    post('/api/admin/groups', { client_id: client, name: `${name} ${Math.random()}` }),
  'make a key': ({ client }) =>
    post('/api/keys', { client_id: client, name: 'К', scopes: ['buses'], last_day: null }),
  'end a key': ({ key }) => remove(`/api/keys/${key}`),
  'load a table of both buses': ({ name }) =>
    post('/api/admin/import', {
      ...{ kind: 'buses', file: 'парк.xlsx', heading: 1, columns: ['name', 'description'] },
      rows: [
        [name, `${Math.random()}`],
        [`${name}, второй`, `${Math.random()}`],
      ],
    }),
  'load a table with the user': ({ name, login }) =>
    post('/api/admin/import', {
      ...{ kind: 'users', file: 'люди.xlsx', heading: 1 },
      columns: ['login', 'role', 'client', 'can_edit'],
      rows: [
        [`new ${login}`, 'оператор', name, ''],
        [login, 'оператор', '', 'да'],
      ],
    }),
  'let the other customer look after it': ({ client, otherClient }) =>
    put(`/api/admin/customers/${client}`, { integrator_ids: [otherClient] }),
  'let it look after the other customer': ({ client, otherClient }) =>
    put(`/api/admin/customers/${otherClient}`, { integrator_ids: [client] }),
  'move the user': ({ user, otherClient }) =>
    put(`/api/admin/users/${user}`, { client_id: otherClient }),
  'switch the user off': ({ user }) =>
    post('/api/admin/users/several', { ids: [user], change: { enabled: false } }),
};
const names = Object.keys(commands);

/** @returns the status of the answer */
async function ask([method, url, body]: Request, token = ''): Promise<number> {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return answer.statusCode;
}

/** Lists what no command may leave, in words. */
async function faultsIn({ client, otherClient }: World): Promise<string[]> {
  const { rows } = await sql<{ fault: string }>`
    with used as (
      select workplace_id as bus, route.id, route.deleted, route.client_id, valid_from
      from workplace_settings join route_groups as route on route.id = group_id
      join workplaces on workplaces.id = workplace_id
      where retired_at is null and route.client_id in (${client}, ${otherClient})
        -- Days before today keep the routes that the bus drove then.
        and not exists (select from workplace_settings as later
          where later.workplace_id = workplace_settings.workplace_id
            and later.valid_from > workplace_settings.valid_from
            and later.valid_from <= ${dayOf(server.clock.nowMs(), 'Europe/Moscow')}::date))
    select 'a bus is on a deleted route' as fault from used where deleted
    union all
    select 'a bus is on a route of none of its customers' from used
    where valid_from > '2010-01-01' and not exists (select from workplace_clients as own
      where own.workplace_id = bus and own.client_id = used.client_id)
    union all
    select 'two customers look after each other' from integrator_clients as one
    join integrator_clients as other on other.client_id = one.integrator_id
      and other.integrator_id = one.client_id
    union all
    select 'a stop has a place that is gone' from route_stop_versions as stop
    where classifier_id is not null
      and not exists (select from stop_classifiers as place where place.id = stop.classifier_id)`.execute(
    server.deps.database.db,
  );
  return rows.map(({ fault }) => fault);
}

describe('a command by itself', () => {
  it('to remove a price leaves none', async () => {
    const world = await makeWorld();
    const table = `/api/route-cost/group/${world.route}`;
    const read = async () => (await askJson(server, tokens.admin, 'GET', table)).body.items;
    expect(await read()).toHaveLength(1);
    await ask(removePrice(world), tokens.admin);
    expect(await read()).toEqual([]);
  });

  it.each(Object.entries(commands))('to %s is done', async (_, requestOf) => {
    const status = await ask(requestOf(await makeWorld()), tokens.admin);
    expect(status).toBeLessThan(300);
  });
});

describe.each([
  ['administrators', 'admin', 'other admin'],
  ['colleagues of an integrator', 'integrator', 'colleague'],
  ['an integrator and an administrator', 'integrator', 'admin'],
])('two commands at once of %s', (_, ...logins) => {
  it.each(names)(
    'with %s leave nothing that one of them refuses',
    { timeout: 120_000 },
    async (first) => {
      const faults: string[] = [];
      for (const second of names.slice(names.indexOf(first))) {
        for (let attempt = 0; attempt < TRIES; attempt += 1) {
          const world = await makeWorld();
          const asked = logins.map((login, at) => {
            const request = commands[at === 0 ? first : second]?.(world);
            return request === undefined ? 0 : ask(request, tokens[login]);
          });
          const answers = await Promise.all(asked);
          const broken = answers.filter((status) => status >= 500);
          const found = [...broken, ...(await faultsIn(world))];
          faults.push(...found.map((fault) => `${second}: ${fault}`));
        }
      }
      expect(faults).toEqual([]);
    },
  );
});
