// Calls of those who administer objects of customers x every role x own, foreign and missing objects.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { type AdministeredIds, callsOfAdministration } from '../test/administered-calls.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { insertTestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

type Whose = 'first' | 'second' | 'missing';

const MISSING = 999_999;
let server: TestServer;
let ids: Record<Whose, AdministeredIds>;
const tokens: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  const { db, pool } = server.deps.database;
  const fleet = await insertTestFleet(db);
  for (const role of ['admin', 'integrator', 'operator', 'first', 'second']) {
    tokens[role] = await server.signIn(role);
  }
  const idsOf = async (whose: 'first' | 'second'): Promise<AdministeredIds> => {
    const client = fleet[whose];
    const { busId: bus, unitId: unit, cameras } = fleet[`${whose}Bus`];
    const { routeId: route } = await insertTestRoute(db, client, '1');
    const one = async (text: string, value: unknown): Promise<number> =>
      (await pool.query<{ id: number }>(text, [value])).rows[0]?.id ?? 0;
    return {
      ...{ client, bus, unit, route, camera: cameras.door1 },
      user: await one('select id from users where login = $1', whose),
      place: await one('select id from stop_classifiers where client_id = $1', client),
    };
  };
  const nothing = { client: MISSING, bus: MISSING, unit: MISSING, route: MISSING };
  ids = {
    first: await idsOf('first'),
    second: await idsOf('second'),
    missing: { ...nothing, camera: MISSING, user: MISSING, place: MISSING },
  };
});
afterAll(() => server.close());

const calls = Object.entries(callsOfAdministration((whose: Whose) => ids[whose]));

async function ask(role: string, method: string, asked: string | { url: string; body: object }) {
  const { url, body } = typeof asked === 'string' ? { url: asked, body: undefined } : asked;
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${tokens[role]}` },
    ...(body !== undefined && { payload: body }),
  });
  const said = answer.body === '' ? {} : { ...answer.json<{ error?: string }>(), requestId: '' };
  return { status: answer.statusCode, body: said };
}

describe('a call of administrators and integrators', () => {
  it.each(calls)('%s shows a foreign object as one that does not exist', async (key, callOf) => {
    const [method = ''] = key.split(' ');
    const missing = await ask('first', method, callOf('missing'));
    expect(missing).toMatchObject({ status: 404, body: { error: 'not_found' } });
    for (const role of ['first', 'integrator', 'operator']) {
      expect(await ask(role, method, callOf('second')), role).toEqual(missing);
    }
    expect(await ask('second', method, callOf('first'))).toEqual(missing);
    expect((await ask('admin', method, callOf('missing'))).status).toBe(404);
  });

  it.each(calls)('%s is for them alone', async (key, callOf) => {
    const [method = ''] = key.split(' ');
    const asked = callOf('first');
    for (const role of ['first', 'operator']) {
      expect(await ask(role, method, asked), role).toMatchObject({
        status: 403,
        body: { error: 'no_right' },
      });
    }
    const done = await ask('integrator', method, asked);
    expect([200, 204, 409], JSON.stringify(done.body)).toContain(done.status);
    // An object that the integrator has created is taken, one that it has deleted is gone.
    const again = await ask('admin', method, asked);
    expect([200, 204, 404, 409], JSON.stringify(again.body)).toContain(again.status);
  });

  it('changes nothing for who may not', async () => {
    const rows = await server.deps.database.db
      .selectFrom('audit_log')
      .innerJoin('users', 'users.id', 'user_id')
      .select(['login', 'action'])
      .where('action', '<>', 'sign_in')
      .execute();
    expect([...new Set(rows.map(({ login }) => login))].sort()).toEqual(['admin', 'integrator']);
  });
});

describe('a call of administrators', () => {
  it.each([
    ['POST', '/api/segments/recalculate/1'],
    ['GET', '/api/segments/recalculate/x'],
    ['PUT', '/api/set-group'],
    ['PUT', '/api/groups/workplace'],
    ['DELETE', '/api/groups/workplace'],
    ['POST', '/api/fleet'],
    ['PUT', '/api/retention/x'],
    ['GET', '/api/retention/x'],
  ])('%s %s is for them alone', async (method, url) => {
    for (const role of ['integrator', 'operator', 'first', 'second']) {
      expect(await ask(role, method, { url, body: {} }), role).toMatchObject({
        status: 403,
        body: { error: 'no_right' },
      });
    }
    expect((await ask('admin', method, { url, body: {} })).status).toBe(400);
  });
});
