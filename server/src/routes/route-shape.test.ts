import type { ErrorBody } from '@ridewatch/contract/errors';
import type { RouteFileAnswer, RouteStop } from '@ridewatch/contract/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addRouteFiles } from './files/api.ts';
import { addRouteStops } from './stops-api.ts';

let server: TestServer;
let fleet: TestFleet;
let route: TestRoute;
let token: string;

beforeAll(async () => {
  server = await createTestServer([addAuth, addRouteStops, addRouteFiles]);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('operator');
});
afterAll(() => server.close());
beforeEach(async () => {
  route = await insertTestRoute(server.deps.database.db, fleet.first, `${Math.random()}`);
});

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, language = 'en') =>
  server.app.inject({
    method,
    url: `/api/groups/${url}`,
    headers: { authorization: `Bearer ${token}`, 'accept-language': language },
    ...(body === undefined ? {} : { body }),
  });

async function send(method: 'POST' | 'PUT', fields: Record<string, string>, table: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set('file', new File([table], 'route.csv'));
  const request = new Request('http://localhost/', { method, body: form });
  return server.app.inject({
    method,
    url: '/api/groups/from-file',
    payload: Buffer.from(await request.arrayBuffer()),
    headers: {
      authorization: `Bearer ${token}`,
      'accept-language': 'en',
      'content-type': request.headers.get('content-type') ?? '',
    },
  });
}

const namesOf = async (): Promise<string[]> =>
  (await ask('GET', `${route.routeId}/stops`))
    .json<{ items: RouteStop[] }>()
    .items.map(({ name }) => name);

/** A stop whose latitude and longitude were swapped. */
const swapped = {
  name: 'Мост',
  latitude: 37.608,
  longitude: 55.75,
  orderKey: 1,
  routeDirection: 'FORWARD',
};
const TABLE = 'name,latitude,longitude';
const SWAPPED_FILE = `${TABLE}\nA,55.75,37.60\nB,37.61,55.75\nC,55.75,37.62`;

describe('stops that lie over 200 km from their neighbour', () => {
  it('are refused with their names, in the language of who asks, until they are said to be right', async () => {
    const asked = await ask('POST', `${route.routeId}/stop`, swapped);
    expect(asked.statusCode).toBe(409);
    expect(asked.json<ErrorBody>()).toMatchObject({ error: 'conflict', field: 'confirm_far' });
    expect(asked.json<ErrorBody>().message).toMatch(/^From “Вокзал” to “Мост” it is 2\d{3} km/);
    const russian = await ask('POST', `${route.routeId}/stop`, swapped, 'ru-RU');
    expect(russian.json<ErrorBody>().message).toMatch(/^От «Вокзал» до «Мост» 2\d{3} км/);
    expect(await namesOf()).toEqual(['Вокзал', 'Школа', 'Рынок', 'Школа']);
    const sure = await ask('POST', `${route.routeId}/stop`, { ...swapped, confirm_far: true });
    expect(sure.statusCode).toBe(200);
    expect(await namesOf()).toEqual(['Вокзал', 'Мост', 'Школа', 'Рынок', 'Школа']);
  });

  it('are asked about when a stop is moved or turned there, and not again for other changes', async () => {
    const [, school] = route.stopIds;
    const place = { latitude: 37.6, longitude: 55.75 };
    expect((await ask('POST', `stop/${school}`, place)).statusCode).toBe(409);
    const sure = await ask('POST', `stop/${school}`, { ...place, confirm_far: true });
    expect(sure.statusCode).toBe(200);
    expect((await ask('POST', `stop/${school}`, { name: 'Школа 2' })).statusCode).toBe(200);
    const terminals = { firstRouteStopId: route.stopIds[0], lastRouteStopId: school };
    expect((await ask('POST', 'stops/terminal-stops', terminals)).statusCode).toBe(200);
  });

  it('are asked about when the stop between them is taken away', async () => {
    const far = (name: string, latitude: number, orderKey: number) =>
      ask('POST', `${route.routeId}/stop`, {
        name,
        latitude,
        longitude: 37.63,
        orderKey,
        routeDirection: 'FORWARD',
      });
    // A route of one direction has no turn.
    expect((await ask('DELETE', `stop/${route.stopIds[3]}`)).statusCode).toBe(200);
    expect((await far('150 km', 57.1, 3)).statusCode).toBe(200);
    const end = (await far('300 km', 58.4, 4)).json<{ items: RouteStop[] }>();
    const middle = end.items.find(({ name }) => name === '150 km')?.id;
    expect((await ask('DELETE', `stop/${middle}`)).statusCode).toBe(409);
    expect((await ask('DELETE', `stop/${middle}?confirm_far=true`)).statusCode).toBe(200);
  });

  it('are asked about where the bus turns, too', async () => {
    expect((await ask('DELETE', `stop/${route.stopIds[3]}`)).statusCode).toBe(200);
    const back = { ...swapped, orderKey: 0, routeDirection: 'REVERSE' };
    const asked = await ask('POST', `${route.routeId}/stop`, back);
    expect([asked.statusCode, asked.json<ErrorBody>().message]).toEqual([
      409,
      expect.stringMatching(/^From “Рынок” to “Мост” it is 2\d{3} km/),
    ]);
    const sure = await ask('POST', `${route.routeId}/stop`, { ...back, confirm_far: true });
    expect(sure.statusCode).toBe(200);
  });

  it('are noted when a file is read, and asked about when it is saved', async () => {
    const fields = { clientId: String(fleet.first), name: 'far' };
    const read = await send('POST', { ...fields, preview: 'true' }, SWAPPED_FILE);
    const { notes } = read.json<RouteFileAnswer>().proposal;
    expect(notes).toContainEqual(expect.stringMatching(/^From “A” to “B” it is 2\d{3} km/));
    expect((await send('POST', fields, SWAPPED_FILE)).statusCode).toBe(409);
    const renew = { groupId: String(route.routeId) };
    expect((await send('PUT', renew, SWAPPED_FILE)).statusCode).toBe(409);
    expect(await namesOf()).toHaveLength(4);
    expect((await send('PUT', { ...renew, confirm_far: 'true' }, SWAPPED_FILE)).statusCode).toBe(
      200,
    );
    expect((await send('POST', { ...fields, confirm_far: 'true' }, SWAPPED_FILE)).statusCode).toBe(
      200,
    );
  });
});

describe('neighbouring stops at one place', () => {
  it('are taken, and named in every answer', async () => {
    const [first] = route.stopIds;
    const same = { ...swapped, latitude: 55.75, longitude: 37.600_005 };
    const answer = await ask('POST', `${route.routeId}/stop`, same);
    expect(answer.statusCode).toBe(200);
    const { items, near_stops } = answer.json<{ items: RouteStop[]; near_stops: object[] }>();
    expect(near_stops).toEqual([{ from: first, to: items[1]?.id }]);
    const again = await ask('GET', `${route.routeId}/stops`);
    expect(again.json<{ near_stops: object[] }>().near_stops).toEqual(near_stops);
  });

  it('are noted when a file is read', async () => {
    const table = `${TABLE}\nA,55.75,37.60\nB,55.75,37.60\nC,55.75,37.62`;
    const fields = { clientId: String(fleet.first), name: 'near' };
    const saved = await send('POST', fields, table);
    expect(saved.statusCode).toBe(200);
    expect(saved.json<RouteFileAnswer>().proposal.notes).toContain('“A” and “B” are at one place.');
  });
});

describe('a route of length 0', () => {
  it('is refused from a file, and says so', async () => {
    const table = `${TABLE}\nA,55.75,37.60\nB,55.75,37.60\nC,55.75,37.60`;
    const fields = { clientId: String(fleet.first), name: 'nowhere' };
    const answer = await send('POST', fields, table);
    expect([answer.statusCode, answer.json<ErrorBody>().message]).toEqual([
      400,
      expect.stringContaining('the route has no length'),
    ]);
  });

  it('does not come of stops that are put at one place; it may be taken apart to its last stop', async () => {
    const { db } = server.deps.database;
    const none = { track: '[]' };
    await db.updateTable('route_tracks').set(none).where('group_id', '=', route.routeId).execute();
    const [first, school, market, back] = route.stopIds;
    expect((await ask('DELETE', `stop/${back}`)).statusCode).toBe(200);
    expect((await ask('DELETE', `stop/${school}`)).statusCode).toBe(200);
    const place = { latitude: 55.75, longitude: 37.6 };
    const refused = await ask('POST', `stop/${market}`, place);
    expect([refused.statusCode, refused.json<ErrorBody>().field]).toEqual([400, 'latitude']);
    expect((await ask('DELETE', `stop/${first}`)).statusCode).toBe(200);
  });
});
