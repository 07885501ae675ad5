// Two users change the same thing at the same moment.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { addBusRoutes } from '../bus-routes/api.ts';
import { addNews } from '../news/api.ts';
import { addRouteStops } from '../routes/stops-api.ts';
import { lockAudit, whileLocked } from '../test/blocked.ts';
import {
  insertTestBus,
  insertTestFleet,
  insertTestUser,
  type TestBus,
  type TestFleet,
} from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { insertTestRoute } from '../test/route.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

const AT_ONCE = 8;
const newBus = () => ({
  ...{ name: `Новый ${Math.random()}`, client_ids: [fleet.first], timezone: 'Europe/Moscow' },
});
const newUser = { login: 'late', role: 'OPERATOR', password: PASSWORD };
let server: TestServer;
let fleet: TestFleet;
let token: string;
/** Objects of the first customer: a route without a bus, two places and a key. */
const own = { route: 0, places: [0, 0], key: 0 };
beforeAll(async () => {
  server = await createTestServer([
    ...[addAuth, addNews, addRouteStops, addBusRoutes, addAdministration],
  ]);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('admin');
  const { db } = server.deps.database;
  own.route = (await insertTestRoute(db, fleet.first, 'Без автобуса')).routeId;
  const place = { client_id: fleet.first, latitude: 55.75, longitude: 37.6 };
  const places = await db
    .insertInto('stop_classifiers')
    .values(['Ясная, 1', 'Ясная, 2'].map((name) => ({ ...place, name })))
    .returning('id')
    .execute();
  own.places = places.map(({ id }) => id);
  own.key = (await insertTestKey(db, fleet.first)).id;
});
afterAll(() => server.close());

async function ask(method: string, url: string, body?: object, by = token) {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${by}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}

/** Lets a change go as far as its audit row, makes a second request, and lets both end. @returns their statuses */
async function askMeanwhile(...requests: readonly Parameters<typeof ask>[]): Promise<number[]> {
  const starts = requests.map((request) => () => ask(...request));
  const answers = await whileLocked(server.deps.database.db, lockAudit, starts);
  return answers.map(({ status }) => status);
}

const repeat = (...request: Parameters<typeof ask>) =>
  Promise.all(Array.from({ length: AT_ONCE }, () => ask(...request)));
const countAudits = async (action: string): Promise<number> =>
  (await server.deps.database.pool.query('select from audit_log where action = $1', [action]))
    .rowCount ?? 0;

describe('two changes at the same moment', () => {
  it('give a stop a place that stays, when its own is being merged', async () => {
    const { routeId } = await insertTestRoute(server.deps.database.db, fleet.first, '8');
    const { items } = (await ask('GET', `/api/admin/classifiers?clientId=${fleet.first}`)).body;
    const idOf = (name: string): number =>
      items.find((place: { name: string }) => place.name === name).id;
    const into = { into: idOf('Вокзал') };
    const stop = { name: 'Школа', latitude: 55.75, longitude: 37.616, orderKey: 1 };
    const statuses = await askMeanwhile(
      ['POST', `/api/admin/classifiers/${idOf('Школа')}/merge`, into],
      ['POST', `/api/groups/${routeId}/stop`, { ...stop, routeDirection: 'FORWARD' }],
    );
    expect(statuses).toEqual([200, 200]);
  });

  it.each<[string, (busId: number, routeId: number) => Parameters<typeof ask>]>([
    ['moved to it', (busId, groupId) => ['PUT', '/api/set-group', { workplaceId: busId, groupId }]],
    [
      'given it from a day on',
      (busId, group_id) => [
        'PUT',
        `/api/admin/buses/${busId}/settings`,
        { group_id, valid_from: '2026-11-21' },
      ],
    ],
    ['made on it', (_, group_id) => ['POST', '/api/admin/buses', { ...newBus(), group_id }]],
  ])('keep no bus on a route that is deleted while the bus is %s', async (_, requestOf) => {
    const { db } = server.deps.database;
    const { busId } = await insertTestBus(db, fleet.first, `Автобус ${Math.random()}`);
    const route = { client_id: fleet.first, name: `Маршрут ${Math.random()}` };
    const { id } = (await ask('POST', '/api/admin/groups', route)).body;
    const put = requestOf(busId, id);
    const remove: Parameters<typeof ask> = ['DELETE', `/api/admin/groups/${id}`];
    expect(await askMeanwhile(remove, put)).toEqual([204, 404]);
    await db.updateTable('route_groups').set({ deleted: false }).where('id', '=', id).execute();
    expect(await askMeanwhile(put, remove)).toEqual([200, 409]);
  });

  it('merge two places into each other once', async () => {
    await insertTestRoute(server.deps.database.db, fleet.first, '81');
    const { items } = (await ask('GET', `/api/admin/classifiers?clientId=${fleet.first}`)).body;
    const [one, other] = items.map((place: { id: number }) => place.id);
    const statuses = await askMeanwhile(
      ['POST', `/api/admin/classifiers/${one}/merge`, { into: other }],
      ['POST', `/api/admin/classifiers/${other}/merge`, { into: one }],
    );
    expect(statuses).toEqual([200, 404]);
  });

  it('leave nothing to read of news that are being deleted', async () => {
    const { body } = await ask('POST', '/api/admin/news', {
      ...{ type: 'NEWS', title: 'Новость', text: 'Текст', active: true },
    });
    const statuses = await askMeanwhile(
      ['DELETE', `/api/admin/news/${body.id}`],
      ['POST', `/api/news/${body.id}/read`],
    );
    expect(statuses).toEqual([204, 404]);
  });

  it('make one unit of an id, and name the id to the others', async () => {
    const unit = { device_id: 'RW-1', client_id: fleet.first };
    const answers = await repeat('POST', '/api/admin/units', unit);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.map(({ status, body }) => [status, body.field])).toEqual(
      Array.from({ length: AT_ONCE - 1 }, () => [409, 'device_id']),
    );
  });

  it.each([
    ['key', 'POST', () => '/api/keys', () => ({ name: 'К', scopes: ['buses'] })],
    ['user', 'POST', () => '/api/admin/users', () => newUser],
    ['bus', 'POST', () => '/api/admin/buses', () => ({ ...newBus(), client_ids: [fleet.first] })],
    ['route', 'POST', () => '/api/admin/groups', () => ({ name: `Новый ${Math.random()}` })],
    ['unit', 'POST', () => '/api/admin/units', () => ({ device_id: `u-${Math.random()}` })],
    [
      'change of a user',
      'PUT',
      (id: number) => `/api/admin/users/${id}`,
      () => ({ can_edit: true }),
    ],
    ['link', 'POST', (id: number) => `/api/admin/users/${id}/password-link`, () => ({})],
    [
      'change of several users',
      'POST',
      () => '/api/admin/users/several',
      (id: number) => ({ ids: [id], change: { enabled: false } }),
    ],
    [
      'credential',
      'POST',
      () => `/api/admin/units/${fleet.firstBus.unitId}/credential`,
      () => ({}),
    ],
    [
      'end of credentials',
      'DELETE',
      () => `/api/admin/units/${fleet.firstBus.unitId}/credential`,
      () => ({}),
    ],
    [
      'camera',
      'POST',
      () => '/api/admin/cameras',
      () => ({ bus_id: fleet.firstBus.busId, name: 'К', stream_id: 'door8' }),
    ],
    [
      'other customer of a bus',
      'PUT',
      () => `/api/admin/buses/${fleet.firstBus.busId}`,
      () => ({ client_ids: [fleet.integrator] }),
    ],
    [
      'move of a unit',
      'PUT',
      () => `/api/admin/units/${fleet.firstBus.unitId}`,
      () => ({ bus_id: null }),
    ],
    [
      'other customer of several buses',
      'POST',
      () => '/api/admin/buses/several',
      () => ({ ids: [fleet.firstBus.busId], change: { client_ids: [fleet.integrator] } }),
    ],
    [
      'change of several units',
      'POST',
      () => '/api/admin/units/several',
      () => ({ ids: [fleet.firstBus.unitId], change: { enabled: false } }),
    ],
    [
      'change of several cameras',
      'POST',
      () => '/api/admin/cameras/several',
      () => ({ ids: [fleet.firstBus.cameras.door1], change: { enabled: false } }),
    ],
    [
      'other settings of a bus',
      'PUT',
      () => `/api/admin/buses/${fleet.firstBus.busId}/settings`,
      () => ({ timezone: 'Asia/Omsk', valid_from: '2026-11-21' }),
    ],
    [
      'change of a camera',
      'PUT',
      () => `/api/admin/cameras/${fleet.firstBus.cameras.door1}`,
      () => ({ name: 'Задняя' }),
    ],
    ['deleted route', 'DELETE', () => `/api/admin/groups/${own.route}`, () => ({})],
    ['end of a key', 'DELETE', () => `/api/keys/${own.key}`, () => ({})],
    [
      'change of a place',
      'PUT',
      () => `/api/admin/classifiers/${own.places[0]}`,
      () => ({ name: 'Двор' }),
    ],
    [
      'merge of places',
      'POST',
      () => `/api/admin/classifiers/${own.places[0]}/merge`,
      () => ({ into: own.places[1] }),
    ],
  ])(
    'leave no %s by an integrator that is losing the customer',
    async (_, method, urlOf, bodyOf) => {
      const { db } = server.deps.database;
      const integrator = await server.signIn('integrator');
      const userId = await insertTestUser(db, `own ${Math.random()}`, 'OPERATOR', fleet.first);
      const isNew =
        method === 'POST' && !/link|buses|several|credential|cameras|merge/.test(urlOf(userId));
      const body = { ...bodyOf(userId), ...(isNew && { client_id: fleet.first }) };
      const make = [method, urlOf(userId), body, integrator] as const;
      const url = `/api/admin/customers/${fleet.first}`;
      const lose = { integrator_ids: [] };
      const statuses = await askMeanwhile(['PUT', url, lose], [...make]);
      // The process still has the rights of the integrator from before the change.
      const later = await ask(...make);
      const back = { integrator_ids: [fleet.integrator] };
      expect((await ask('PUT', url, back)).status).toBe(200);
      server.clock.advance(5000);
      expect([...statuses, later.status]).toEqual([200, 404, 404]);
    },
  );

  it.each<[string, string, (bus: TestBus) => string, object]>([
    ['a new credential', 'POST', ({ unitId }) => `/api/admin/units/${unitId}/credential`, {}],
    ['revoked credentials', 'DELETE', ({ unitId }) => `/api/admin/units/${unitId}/credential`, {}],
    ['a look at batches', 'POST', ({ unitId }) => `/api/admin/units/${unitId}/feed`, {}],
    ['a test', 'PUT', ({ unitId }) => `/api/admin/units/${unitId}/test`, { test: true }],
    ['other fields', 'PUT', ({ busId }) => `/api/admin/buses/${busId}`, { capacity_seated: 7 }],
    ['a camera', 'PUT', ({ cameras }) => `/api/admin/cameras/${cameras.door2}`, { name: 'К' }],
  ])(
    'give a bus that goes to others no %s by its former integrator',
    async (_, method, urlOf, body) => {
      const bus = await insertTestBus(server.deps.database.db, fleet.first, `${Math.random()}`);
      const integrator = await server.signIn('integrator');
      const give = { client_ids: [fleet.second] };
      const statuses = await askMeanwhile(
        ['PUT', `/api/admin/buses/${bus.busId}`, give],
        [method, urlOf(bus), body, integrator],
      );
      expect(statuses).toEqual([200, 404]);
    },
  );

  it('give a bus that goes to others no new camera by its former integrator', async () => {
    const { busId } = await insertTestBus(server.deps.database.db, fleet.first, `${Math.random()}`);
    const camera = { bus_id: busId, name: 'К', stream_id: 'door9' };
    const statuses = await askMeanwhile(
      ['PUT', `/api/admin/buses/${busId}`, { client_ids: [fleet.second] }],
      ['POST', '/api/admin/cameras', camera, await server.signIn('integrator')],
    );
    expect(statuses).toEqual([200, 404]);
  });

  it('leave no new unit in a bus by an integrator that is losing the customer', async () => {
    const { db } = server.deps.database;
    const { busId, unitId } = await insertTestBus(db, fleet.first, `${Math.random()}`);
    await db.updateTable('units').set({ workplace_id: null }).where('id', '=', unitId).execute();
    const integrator = await server.signIn('integrator');
    const url = `/api/admin/customers/${fleet.first}`;
    const statuses = await askMeanwhile(
      ['PUT', url, { integrator_ids: [] }],
      ['POST', '/api/admin/units', { device_id: 'RW-in-bus', bus_id: busId }, integrator],
    );
    await ask('PUT', url, { integrator_ids: [fleet.integrator] });
    server.clock.advance(5000);
    expect(statuses).toEqual([200, 404]);
  });

  it('leave no link for a user who is becoming an administrator', async () => {
    const { db } = server.deps.database;
    const integrator = await server.signIn('integrator');
    const userId = await insertTestUser(db, 'rising', 'OPERATOR', fleet.first);
    const rights = { role: 'ADMIN', client_id: null };
    const statuses = await askMeanwhile(
      ['PUT', `/api/admin/users/${userId}`, rights],
      ['POST', `/api/admin/users/${userId}/password-link`, {}, integrator],
    );
    expect(statuses).toEqual([200, 404]);
  });

  it('leave no key by a user who is losing the right to make it', async () => {
    const { db } = server.deps.database;
    const userId = await insertTestUser(db, 'falling', 'OPERATOR', fleet.first);
    const falling = await server.signIn('falling');
    const key = { name: 'К', scopes: ['buses'], client_id: fleet.first };
    const statuses = await askMeanwhile(
      ['PUT', `/api/admin/users/${userId}`, { role: 'CUSTOMER' }],
      ['POST', '/api/keys', key, falling],
    );
    expect(statuses).toEqual([200, 403]);
  });

  it.each([
    ['a route', '/api/admin/groups', { name: '9' }, 'delete_route'],
    ['news', '/api/admin/news', { type: 'NEWS', title: 'Н', text: 'Т' }, 'delete_news'],
    ['a banner', '/api/admin/messages', { title: 'Б', text: 'Т' }, 'delete_message'],
    ['a key', '/api/keys', { name: 'К', scopes: ['positions'] }, 'revoke_api_key'],
  ])('delete %s once, with one audit row', async (_what, url, body, action) => {
    const needsClient = !/news|messages/.test(url);
    const made = await ask('POST', url, {
      ...body,
      ...(needsClient && { client_id: fleet.first }),
    });
    const before = await countAudits(action);
    const id = made.body.id ?? made.body.key.id;
    const answers = await repeat('DELETE', `${url}/${id}`);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      204,
      ...Array.from({ length: AT_ONCE - 1 }, () => 404),
    ]);
    expect(await countAudits(action)).toBe(before + 1);
  });
});
