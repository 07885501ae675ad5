import type { RouteFileAnswer, RouteStop } from '@ridewatch/contract/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../../test/fleet.ts';
import { formOf, multipart } from '../../test/multipart.ts';
import { insertTestRoute, type TestRoute } from '../../test/route.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { feedTables, feedZip } from '../../test/zip.ts';
import { listCostsOn } from '../costs.ts';
import { insertPattern, listPatternsOn } from '../patterns.ts';
import { addRouteStops } from '../stops-api.ts';
import { addRouteFiles } from './api.ts';

const [YESTERDAY, TODAY] = ['2026-03-09', '2026-03-10'];
const feed = feedZip(feedTables());
let server: TestServer;
let fleet: TestFleet;
let route: TestRoute;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addRouteFiles, addRouteStops]);
  server.clock.set(Date.parse('2026-03-10T20:00:00Z'));
  fleet = await insertTestFleet(server.deps.database.db);
  for (const login of ['operator', 'first']) tokens.set(login, await server.signIn(login));
});
afterAll(() => server.close());
beforeEach(async () => {
  route = await insertTestRoute(server.deps.database.db, fleet.first, `${Math.random()}`);
});

type Fields = Record<string, string | number | boolean>;

async function send(
  method: 'POST' | 'PUT',
  file: string | Uint8Array | null,
  fields: Fields,
  login = 'operator',
) {
  const form = formOf(fields);
  if (file !== null) form.append('file', new File([Buffer.from(file as string)], 'Линия 5.csv'));
  const headers = { authorization: `Bearer ${tokens.get(login)}` };
  const url = '/api/groups/from-file';
  return server.app.inject({ method, url, ...(await multipart(form, headers)) });
}
const create = (file: string | Uint8Array, fields: Fields = {}) =>
  send('POST', file, { clientId: fleet.first, ...fields });
const update = (file: string | Uint8Array, fields: Fields = {}) =>
  send('PUT', file, { groupId: route.routeId, ...fields });

async function stopsOn(groupId: number, date: string): Promise<RouteStop[]> {
  const answer = await server.app.inject({
    url: `/api/groups/${groupId}/stops?date=${date}`,
    headers: { authorization: `Bearer ${tokens.get('operator')}` },
  });
  return answer.json<{ items: RouteStop[] }>().items;
}
const countRoutes = async (): Promise<number> => {
  const { pool } = server.deps.database;
  const { rows } = await pool.query<{ n: number }>('select count(*) as n from route_groups');
  return rows[0]?.n ?? 0;
};

describe('a route made from a file', () => {
  it('is shown first, and nothing is saved', async () => {
    const before = await countRoutes();
    const answer = await create('name,lat,lon\nРынок,55.75,37.6', { preview: true });
    expect([answer.statusCode, answer.json()]).toEqual([
      200,
      {
        group: null,
        replaces: null,
        proposal: {
          format: 'csv',
          name: 'Линия 5',
          track: [],
          stops: [{ name: 'Рынок', latitude: 55.75, longitude: 37.6, routeDirection: 'FORWARD' }],
          choices: [],
          choice: null,
          ways: [],
          jumps: [],
          turn: null,
          patterns: [],
          notes: [
            'The file has no line: buses are followed from stop to stop.',
            'The file has one stop: laps are found once the route has two.',
          ],
        },
      },
    ]);
    expect(await countRoutes()).toBe(before);
  });

  it('has the line and the stops of the choice, its terminals, and an audit row', async () => {
    const name = `7 ${Math.random()}`;
    const fields = { name, choice: '0.0.0+0.1.0', type_calculation: 'CALCULATION' };
    const { group, proposal } = (await create(feed, fields)).json<RouteFileAnswer>();
    expect(group).toMatchObject({ name, client_id: fleet.first, type_calculation: 'CALCULATION' });
    expect([group?.track.length, proposal.track.length]).toEqual([5, 5]);
    const stops = await stopsOn(group?.id ?? 0, TODAY);
    expect(stops.map(({ name: of, orderKey, terminal }) => [of, orderKey, terminal])).toEqual([
      ['Вокзал', 0, 'first'],
      ['Школа, 3', 1, null],
      ['Рынок', 2, 'last'],
      ['Рынок', 0, null],
      ['Школа, 3', 1, null],
      ['Вокзал', 2, null],
    ]);
    const { rows } = await server.deps.database.pool.query(
      "select after from audit_log where action = 'create_route_from_file' and object_id = $1",
      [String(group?.id)],
    );
    expect(rows).toEqual([
      {
        after: expect.objectContaining({
          name,
          format: 'gtfs',
          points: 5,
          stops: 6,
          valid_from: TODAY,
        }),
      },
    ]);
  });

  it('says before it is saved that all its places are one', async () => {
    const noLength = 'All stops and the track are at one place: the route has no length.';
    const file = 'name,lat,lon\nA,55.75,37.6\nB,55.75,37.6\nC,55.75,37.6';
    const notesOf = (answer: Awaited<ReturnType<typeof create>>) =>
      answer.json<RouteFileAnswer>().proposal.notes;
    expect(notesOf(await create(file, { preview: true }))).toContain(noLength);
    const refused = await create(file);
    expect([refused.statusCode, refused.json().message]).toEqual([400, noLength]);
    // A route that keeps its track has the length of that.
    const line = '{"type":"LineString","coordinates":[[37.6,55.75],[37.7,55.75]]}';
    expect((await update(line)).statusCode).toBe(200);
    expect(notesOf(await update(file, { preview: true }))).not.toContain(noLength);
  });

  it('does not take the name of another', async () => {
    const name = `9 ${Math.random()}`;
    expect((await create('lat,lon\n1,1', { name })).statusCode).toBe(200);
    const again = await create('lat,lon\n1,1', { name });
    expect([again.statusCode, again.json().field]).toEqual([409, 'name']);
  });

  it('of a file with several lines needs a choice', async () => {
    const line = (longitude: number) => ({
      type: 'LineString',
      coordinates: [
        [longitude, 55],
        [longitude, 55.1],
      ],
    });
    const file = JSON.stringify({ type: 'GeometryCollection', geometries: [line(37), line(38)] });
    const shown = (await create(file, { preview: true })).json<RouteFileAnswer>();
    expect(shown.proposal.choices).toHaveLength(2);
    const answer = await create(file);
    expect([answer.statusCode, answer.json().field]).toEqual([400, 'choice']);
  });
});

describe('a route renewed from a file', () => {
  it('changes from today on; stops that stay keep their ids, and so their prices', async () => {
    const at = (m: number) => 37.6 + m / 62_580;
    const file = `name,lat,lon\nВокзал,55.75,${at(5)}\nМост,55.75,${at(500)}\nРынок,55.75,${at(2100)}`;
    expect((await update(file)).statusCode).toBe(200);
    const after = await stopsOn(route.routeId, TODAY);
    expect(after.map(({ name }) => name)).toEqual(['Вокзал', 'Мост', 'Рынок']);
    expect([after[0]?.id, after[2]?.id]).toEqual([route.stopIds[0], route.stopIds[2]]);
    expect(after[0]?.longitude).toBe(at(5));
    expect(await stopsOn(route.routeId, YESTERDAY)).toHaveLength(4);
    const costs = await listCostsOn(server.deps.database.db, route.routeId, TODAY);
    expect(costs.map(({ cost }) => cost)).toEqual(['45.00']);
  });

  it('is shown before with what it takes away: stops, and the prices of their rides', async () => {
    const shown = await update('name,lat,lon\nШкола,55.75,37.616', { preview: true });
    const { replaces, proposal, group } = shown.json<RouteFileAnswer>();
    expect(replaces).toEqual({
      track: false,
      stops: true,
      stops_kept: 1,
      stops_added: 0,
      stops_removed: 3,
      prices_removed: 1,
      patterns_removed: [],
    });
    expect(proposal.notes).toContain(
      'The file has one stop: laps are found once the route has two.',
    );
    expect([group, (await stopsOn(route.routeId, TODAY)).length]).toEqual([null, 4]);
    const line = JSON.stringify({
      type: 'LineString',
      coordinates: [
        [37.6, 55],
        [37.7, 55],
      ],
    });
    expect((await update(line, { preview: true })).json<RouteFileAnswer>().replaces).toEqual({
      track: true,
      stops: false,
      stops_kept: 4,
      stops_added: 0,
      stops_removed: 0,
      prices_removed: 0,
      patterns_removed: [],
    });
  });

  it('is shown before with the patterns that end for want of stops', async () => {
    const [first, school] = route.stopIds;
    await server.deps.database.db.transaction().execute((tx) =>
      insertPattern(tx, route.routeId, TODAY, {
        name: 'До школы',
        stopIds: [first, school],
        track: null,
      }),
    );
    const file = 'name,lat,lon\nВокзал,55.75,37.6\nПарк,55.75,37.7';
    const shown = (await update(file, { preview: true })).json<RouteFileAnswer>();
    expect(shown.replaces).toMatchObject({ stops_removed: 3, patterns_removed: ['До школы'] });
    await update(file);
    const patterns = await listPatternsOn(server.deps.database.db, route.routeId, TODAY);
    expect(patterns.map(({ name }) => name)).toEqual(['Вокзал – Парк']);
  });

  it('is shown before with the patterns of later days that end for want of stops', async () => {
    const later = '2099-01-01';
    const [first, school, market] = route.stopIds;
    await server.deps.database.db.transaction().execute(async (tx) => {
      for (const [name, stopIds] of [
        ['До школы', [first, school]],
        ['До рынка', [first, market]],
      ] as const) {
        await insertPattern(tx, route.routeId, later, { name, stopIds, track: null });
      }
    });
    const file = 'name,lat,lon\nВокзал,55.75,37.6\nСквер,55.75,37.615\nРынок,55.75,37.632';
    const shown = (await update(file, { preview: true })).json<RouteFileAnswer>();
    expect(shown.replaces?.patterns_removed).toEqual(['До школы']);
    await update(file);
    const patterns = await listPatternsOn(server.deps.database.db, route.routeId, later);
    expect(patterns.map(({ name }) => name)).toEqual(['Вокзал – Рынок', 'До рынка']);
  });

  it('keeps what the file does not have', async () => {
    const points = await update('name,lat,lon\nA,55.75,37.6\nB,55.75,37.7');
    const { group, proposal } = points.json<RouteFileAnswer>();
    expect(group?.track).toHaveLength(2);
    expect(proposal.notes).toContain('The file has no line: the track stays.');
    const line = {
      type: 'LineString',
      coordinates: [
        [37.6, 55.75],
        [37.7, 55.75],
        [37.8, 55.75],
      ],
    };
    const renewed = (await update(JSON.stringify(line))).json<RouteFileAnswer>();
    expect(renewed.group?.track).toHaveLength(3);
    expect(await stopsOn(route.routeId, TODAY)).toHaveLength(2);
  });

  it('from another day on', async () => {
    await update('name,lat,lon\nA,55.75,37.6', { valid_from: '2026-03-20' });
    expect(await stopsOn(route.routeId, TODAY)).toHaveLength(4);
    expect(await stopsOn(route.routeId, '2026-03-20')).toHaveLength(1);
  });
});

describe('a file', () => {
  it('of a user who may only look is not even read', async () => {
    const before = await countRoutes();
    for (const preview of [true, false]) {
      const made = await send('POST', 'x', { clientId: fleet.first, preview }, 'first');
      const renewed = await send('PUT', 'x', { groupId: route.routeId, preview }, 'first');
      expect([made.statusCode, renewed.statusCode]).toEqual([403, 403]);
    }
    expect(await countRoutes()).toBe(before);
  });

  it('gives a route all the patterns of the feed, which share their stops; again the same ones', async () => {
    const tables = feedTables();
    tables.trips += 'R7,S,t5,1,S1\n';
    tables.stop_times += '\nt5,,,B,1\nt5,,,A,2\n';
    const all = '0.0.0+0.1.0,0.0.1+0.1.1';
    const fields = { name: `7 ${Math.random()}`, choice: all };
    const { group, proposal } = (await create(feedZip(tables), fields)).json<RouteFileAnswer>();
    const routeId = group?.id ?? 0;
    expect(proposal.patterns).toEqual([{ name: 'Вокзал – Школа, 3', stops: 4 }]);
    expect(proposal.stops).toHaveLength(6);
    const { db } = server.deps.database;
    const before = await listPatternsOn(db, routeId, TODAY);
    expect(before.map(({ name, stops }) => [name, stops.length])).toEqual([
      ['Вокзал – Рынок', 6],
      ['Вокзал – Школа, 3', 4],
    ]);
    const ofDefault = before[0]?.stops.map(({ id }) => id);
    expect(ofDefault).toEqual(expect.arrayContaining(before[1]?.stopIds?.slice() ?? [0]));
    expect(before[1]?.track).toHaveLength(5);
    const again = await send('PUT', feedZip(tables), { groupId: routeId, choice: all });
    expect(again.json<RouteFileAnswer>().replaces).toMatchObject({ stops_kept: 6, stops_added: 0 });
    expect(await listPatternsOn(db, routeId, TODAY)).toEqual(before);
    // The pattern stays when the route takes the long way alone, and ends when others come.
    await send('PUT', feedZip(tables), { groupId: routeId, choice: '0.0.0+0.1.0' });
    expect(await listPatternsOn(db, routeId, TODAY)).toEqual(before);
    await send('PUT', feedZip(tables), { groupId: routeId, choice: '0.0.1+0.1.1,0.0.0+0.1.0' });
    const turned = await listPatternsOn(db, routeId, TODAY);
    expect(turned.map(({ name, stops }) => [name, stops.length])).toEqual([
      ['Вокзал – Школа, 3', 4],
      ['Вокзал – Рынок', 6],
    ]);
  });

  it.each([
    ['<gpx', 'The XML has a syntax error'],
    ['', 'The file is empty'],
    [`[${'['.repeat(2_000_000)}`, 'The JSON has a syntax error'],
  ])('that is no route is refused with the reason (%#)', async (file, reason) => {
    const answer = await create(file, { preview: true });
    expect([answer.statusCode, answer.json().field]).toEqual([400, 'file']);
    expect(answer.json().message).toContain(reason);
  });

  it('is spoken of in the language of who sends it', async () => {
    const form = formOf({ clientId: fleet.first, preview: true });
    form.append('file', new File(['<gpx'], 'a.gpx'));
    const headers = {
      authorization: `Bearer ${tokens.get('operator')}`,
      'accept-language': 'ru-RU,ru;q=0.9',
    };
    const answer = await server.app.inject({
      method: 'POST',
      url: '/api/groups/from-file',
      ...(await multipart(form, headers)),
    });
    expect(answer.json().message).toBe('Ошибка в XML, строка 1.');
  });

  it('that is damaged inside is refused', async () => {
    const odd = feed.map((byte, at) => (at > 60 && at < 70 ? 255 - byte : byte));
    const answer = await create(odd, { preview: true });
    expect([answer.statusCode, answer.json().field]).toEqual([400, 'file']);
  });

  it('is needed, and so are the other fields', async () => {
    const fieldOf = async (answer: Awaited<ReturnType<typeof create>>) => {
      expect(answer.statusCode).toBe(400);
      return answer.json().field;
    };
    expect(await fieldOf(await send('POST', null, { clientId: fleet.first }))).toBe('file');
    expect(await fieldOf(await send('POST', null, { clientId: 1, file: 'x' }))).toBe('file');
    expect(await fieldOf(await send('POST', 'x', {}))).toBe('clientId');
    expect(await fieldOf(await send('PUT', 'x', { groupId: 'x' }))).toBe('groupId');
    expect(await fieldOf(await create('x', { preview: 'maybe' }))).toBe('preview');
    expect(await fieldOf(await create('x', { valid_from: '2026-13-01' }))).toBe('valid_from');
    expect(await fieldOf(await create('x', { type_calculation: 'FREE' }))).toBe('type_calculation');
  });

  it('is taken up to 64 MiB, as a form', async () => {
    const headers = { authorization: `Bearer ${tokens.get('operator')}` };
    const ask = (type: string, payload: Buffer | string) =>
      server.app.inject({
        method: 'POST',
        url: '/api/groups/from-file',
        headers: { ...headers, 'content-type': type },
        payload,
      });
    const boundary = 'multipart/form-data; boundary=x';
    expect((await ask(boundary, Buffer.alloc(65 * 1024 * 1024))).statusCode).toBe(413);
    expect((await ask('application/json', '{}')).statusCode).toBe(415);
    for (const odd of ['', '--x', '--x\r\n\r\n', 'nonsense', '--x--']) {
      expect((await ask(boundary, odd)).statusCode).toBe(400);
    }
    expect((await ask('multipart/form-data', '--x--')).statusCode).toBe(400);
  });
});
