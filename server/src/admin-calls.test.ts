// Calls for administrators, made by others. An object that they may not see answers 404, as if it did not exist; one
// that they may see answers 403.

import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures } from './features.ts';
import { insertTestFleet, type TestFleet } from './test/fleet.ts';
import { insertTestRoute, type TestRoute } from './test/route.ts';
import { createTestServer, type TestServer } from './test/test-deps.ts';

const MISSING = 999_999;
let server: TestServer;
let fleet: TestFleet;
let routes: Record<'first' | 'second', TestRoute>;
const tokens: Record<string, string> = {};
const users: Record<string, number> = {};

beforeAll(async () => {
  server = await createTestServer(apiFeatures);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  routes = {
    first: await insertTestRoute(db, fleet.first, '1'),
    second: await insertTestRoute(db, fleet.second, '1'),
  };
  for (const { id, login } of await db.selectFrom('users').select(['id', 'login']).execute()) {
    users[login] = id;
  }
  for (const role of ['admin', 'integrator', 'operator', 'first', 'second']) {
    tokens[role] = await server.signIn(role);
  }
});
afterAll(() => server.close());

type Whose = 'first' | 'second' | 'missing';
interface Asked {
  readonly url: string;
  readonly body?: object;
}
const busOf = (whose: Whose) => (whose === 'missing' ? MISSING : fleet[`${whose}Bus`].busId);
const clientOf = (whose: Whose) => (whose === 'missing' ? MISSING : fleet[whose]);
const groupOf = (whose: Whose) => (whose === 'missing' ? MISSING : routes[whose].routeId);
const cameraOf = (whose: Whose) =>
  whose === 'missing' ? MISSING : fleet[`${whose}Bus`].cameras.door1;
const period = { from: '2026-11-20T05:00:00Z', to: '2026-11-20T06:00:00Z' };
const days = { video_days: 30, files_days: null, positions_days: null };

/** Each call, once for every place where it names an object. */
const calls: Readonly<Record<string, (whose: Whose) => readonly Asked[]>> = {
  'GET /api/retention/{clientId}': (whose) => [{ url: `/api/retention/${clientOf(whose)}` }],
  'PUT /api/retention/{clientId}': (whose) => [
    { url: `/api/retention/${clientOf(whose)}`, body: days },
  ],
  'GET /api/admin/customers/{id}': (whose) => [{ url: `/api/admin/customers/${clientOf(whose)}` }],
  'PUT /api/admin/customers/{id}': (whose) => [
    { url: `/api/admin/customers/${clientOf(whose)}`, body: { version: 0, status: 3 } },
  ],
  'POST /api/admin/customers/several': (whose) => [
    {
      url: '/api/admin/customers/several',
      body: { ids: [clientOf(whose)], change: { enabled: false } },
    },
  ],
  'POST /api/retention/several': (whose) => [
    { url: '/api/retention/several', body: { ids: [clientOf(whose)], change: days } },
  ],
  'POST /api/admin/users/{userId}/view': (whose) => [
    { url: `/api/admin/users/${users[whose] ?? MISSING}/view` },
  ],
  'GET /api/segments/recalculate/{cameraId}': (whose) => [
    { url: `/api/segments/recalculate/${cameraOf(whose)}` },
  ],
  'POST /api/segments/recalculate/{cameraId}': (whose) => [
    { url: `/api/segments/recalculate/${cameraOf(whose)}`, body: period },
    {
      url: `/api/segments/recalculate/${cameraOf('first')}`,
      body: { ...period, cameraIds: [cameraOf('first'), cameraOf(whose)] },
    },
  ],
  'PUT /api/set-group': (whose) => [
    { url: '/api/set-group', body: { workplaceId: busOf(whose), groupId: '!ungrouped' } },
    { url: '/api/set-group', body: { workplaceId: busOf('first'), groupId: groupOf(whose) } },
  ],
  'PUT /api/groups/workplace': (whose) => [
    {
      url: '/api/groups/workplace',
      body: { workplaceId: busOf(whose), groupId: groupOf('first') },
    },
    {
      url: '/api/groups/workplace',
      body: { workplaceId: busOf('first'), groupId: groupOf(whose) },
    },
  ],
  'DELETE /api/groups/workplace': (whose) => [
    { url: `/api/groups/workplace?workplaceId=${busOf(whose)}` },
  ],
};
/** Calls that name no object of a customer by its id. */
const nameless = [
  'POST /api/fleet',
  'GET /api/admin/first-steps',
  'GET /api/admin/customers',
  'POST /api/admin/customers',
  'GET /api/admin/audit',
  'GET /api/admin/audit/{auditId}',
  'GET /api/admin/audit/export',
  'GET /api/admin/jobs',
  'GET /api/admin/jobs/{jobId}',
  'POST /api/admin/jobs/{jobId}/retry',
  'GET /api/admin/storage',
  'GET /api/admin/unknown-units',
  ...['GET', 'PUT'].map((method) => `${method} /api/admin/unknown-units/{unknownId}`),
  'POST /api/admin/unknown-units/several',
  'POST /api/admin/unknown-units/{unknownId}/adopt',
  ...['GET', 'POST'].map((method) => `${method} /api/admin/upstreams`),
  ...['GET', 'PUT', 'DELETE'].map((method) => `${method} /api/admin/upstreams/{upstreamId}`),
  'POST /api/admin/upstreams/{upstreamId}/try',
  ...['GET', 'PUT'].map((method) => `${method} /api/admin/upstreams/{upstreamId}/buses`),
  ...['news', 'messages'].flatMap((list) => [
    `GET /api/admin/${list}`,
    `POST /api/admin/${list}`,
    ...['GET', 'PUT', 'DELETE'].map(
      (method) => `${method} /api/admin/${list}/{${list.replace('messages', 'message')}Id}`,
    ),
  ]),
  'GET /api/admin/news/{newsId}/readers',
  ...['news/{newsId}', 'messages/{messageId}'].flatMap((one) =>
    ['PUT', 'DELETE'].map((method) => `${method} /api/admin/${one}/media`),
  ),
];

async function ask(role: string, method: string, { url, body }: Asked) {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${tokens[role]}` },
    ...(body === undefined ? {} : { payload: body }),
  });
  const said = answer.body === '' ? {} : { ...answer.json<{ error?: string }>(), requestId: '' };
  return { status: answer.statusCode, said };
}

describe("an administrator's call", () => {
  it('is written down here, each of them', () => {
    const admins = (endpoints as readonly Endpoint[])
      .filter(({ access }) => access === 'admin')
      .map(({ method, path }) => `${method} ${path}`);
    expect(admins.sort()).toEqual([...Object.keys(calls), ...nameless].sort());
  });

  it.each(Object.entries(calls))(
    '%s shows others a foreign object as one that does not exist, and their own as one they have no right to',
    async (key, askedOf) => {
      const [method = ''] = key.split(' ');
      for (const [index, missing] of askedOf('missing').entries()) {
        for (const role of ['integrator', 'operator', 'first']) {
          const unknown = await ask(role, method, missing);
          expect(unknown, role).toMatchObject({ status: 404, said: { error: 'not_found' } });
          const foreign = askedOf('second')[index];
          const own = askedOf('first')[index];
          if (foreign === undefined || own === undefined) throw new Error('no such call');
          expect(await ask(role, method, foreign), role).toEqual(unknown);
          expect(await ask(role, method, own), role).toMatchObject({
            status: 403,
            said: { error: 'no_right' },
          });
        }
        expect(await ask('admin', method, missing)).toMatchObject({ status: 404 });
      }
    },
  );

  it('changes nothing for who is none', async () => {
    const { db } = server.deps.database;
    const rows = await db.selectFrom('audit_log').select('action').execute();
    expect(rows.filter(({ action }) => action !== 'sign_in')).toEqual([]);
    expect(await db.selectFrom('client_retention').selectAll().execute()).toEqual([]);
  });
});
