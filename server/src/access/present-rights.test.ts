// Commands that leave behind what outlives the rights of the user who gives them. What a process knows of rights may be
// seconds old: such a command is judged by those that the user has.
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures } from '../features.ts';
import { callsOfAdministration } from '../test/administered-calls.ts';
import { attentionSettings } from '../test/attention.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { multipart } from '../test/multipart.ts';
import { insertTestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
/** Objects of the first customer, and a news item and a banner. */
const ids = { client: 0, user: 0, bus: 0, unit: 0, camera: 0, route: 0, place: 0, key: 0 };
const shown = { news: 0, message: 0, unknown: 0, upstream: 0 };
const text = { title: 'Н', text: 'Т' };
const days = { video_days: 30, files_days: null, positions_days: null };

beforeAll(async () => {
  server = await createTestServer(apiFeatures);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  await insertTestUser(db, 'falling', 'ADMIN', null);
  const { busId: bus, unitId: unit, cameras } = fleet.firstBus;
  const { routeId: route } = await insertTestRoute(db, fleet.first, '1');
  const user = await insertTestUser(db, 'driver', 'OPERATOR', fleet.first);
  const { id: key } = await insertTestKey(db, fleet.first);
  const { id: place } = await db
    .selectFrom('stop_classifiers')
    .select('id')
    .where('client_id', '=', fleet.first)
    .executeTakeFirstOrThrow();
  const known = { client: fleet.first, bus, unit, camera: cameras.door1, route, user, key, place };
  Object.assign(ids, known);
  for (const login of ['admin', 'falling', 'integrator']) {
    tokens[login] = await server.signIn(login);
  }
  const make = async (url: string, body: object): Promise<number> =>
    (await ask('admin', 'POST', { url, body })).body.id;
  shown.news = await make('/api/admin/news', { type: 'NEWS', ...text });
  shown.message = await make('/api/admin/messages', text);
  const now = new Date(server.clock.nowMs());
  const unknown = await db
    .insertInto('knocks')
    .values({
      protocol: 'egts',
      protocol_id: '7',
      address: '',
      first_at: now,
      last_at: now,
      records: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  shown.unknown = unknown.id;
  shown.upstream = await make('/api/admin/upstreams', upstream('Регион'));
});
afterAll(() => server.close());

const upstream = (name: string) => ({
  ...{ name, host: 'egts.example', port: 20_332, all_clients: true },
});

type Asked = string | { readonly url: string; readonly body: object };

/** The commands of integrators. An administrator gives them as well. */
const ofIntegrators: Readonly<Record<string, () => Asked>> = {
  ...Object.fromEntries(
    Object.entries(callsOfAdministration(() => ids)).map(([name, callOf]) => [
      name,
      () => callOf(undefined),
    ]),
  ),
  'POST /api/keys': () => ({
    url: '/api/keys',
    body: { client_id: ids.client, name: 'К', scopes: ['buses'], last_day: null },
  }),
  'DELETE /api/keys/{keyId}': () => `/api/keys/${ids.key}`,
  'PUT /api/attention/settings': () => ({
    url: `/api/attention/settings?clientId=${ids.client}`,
    body: attentionSettings(),
  }),
};

const media = () => {
  const form = new FormData();
  form.append('file', new File(['текст'], 'a.txt'));
  return form;
};
const ofNews = (list: 'news' | 'messages', one: string, idOf: () => number) => ({
  [`POST /api/admin/${list}`]: () => ({
    url: `/api/admin/${list}`,
    body: { ...text, ...(list === 'news' && { type: 'NEWS' }) },
  }),
  [`PUT /api/admin/${list}/{${one}}`]: () => ({
    url: `/api/admin/${list}/${idOf()}`,
    body: { title: 'Другая' },
  }),
  [`PUT /api/admin/${list}/{${one}}/media`]: () => ({
    url: `/api/admin/${list}/${idOf()}/media`,
    body: media(),
  }),
  [`DELETE /api/admin/${list}/{${one}}/media`]: () => `/api/admin/${list}/${idOf()}/media`,
  [`DELETE /api/admin/${list}/{${one}}`]: () => `/api/admin/${list}/${idOf()}`,
});
const ofAdministrators: Readonly<Record<string, () => Asked>> = {
  ...ofNews('news', 'newsId', () => shown.news),
  ...ofNews('messages', 'messageId', () => shown.message),
  'POST /api/admin/customers': () => ({ url: '/api/admin/customers', body: { name: 'Новый' } }),
  'PUT /api/admin/customers/{id}': () => ({
    url: `/api/admin/customers/${ids.client}`,
    body: { integrator_ids: [fleet.integrator, fleet.second] },
  }),
  'POST /api/admin/customers/several': () => ({
    url: '/api/admin/customers/several',
    body: { ids: [ids.client], change: { enabled: true } },
  }),
  'PUT /api/retention/{clientId}': () => ({ url: `/api/retention/${ids.client}`, body: days }),
  'POST /api/retention/several': () => ({
    url: '/api/retention/several',
    body: { ids: [ids.client], change: days },
  }),
  'POST /api/admin/users/{userId}/view': () => `/api/admin/users/${ids.user}/view`,
  'PUT /api/admin/unknown-units/{unknownId}': () => ({
    url: `/api/admin/unknown-units/${shown.unknown}`,
    body: { ignored: true },
  }),
  'POST /api/admin/unknown-units/several': () => ({
    url: '/api/admin/unknown-units/several',
    body: { ids: [shown.unknown], change: { ignored: true } },
  }),
  'POST /api/admin/unknown-units/{unknownId}/adopt': () =>
    `/api/admin/unknown-units/${shown.unknown}/adopt`,
  'POST /api/admin/upstreams': () => ({ url: '/api/admin/upstreams', body: upstream('Город') }),
  'PUT /api/admin/upstreams/{upstreamId}': () => ({
    url: `/api/admin/upstreams/${shown.upstream}`,
    body: { port: 20_333 },
  }),
  'POST /api/admin/upstreams/{upstreamId}/try': () => `/api/admin/upstreams/${shown.upstream}/try`,
  'PUT /api/admin/upstreams/{upstreamId}/buses': () => ({
    url: `/api/admin/upstreams/${shown.upstream}/buses`,
    body: { buses: [{ id: ids.bus, object_id: 5 }] },
  }),
  'DELETE /api/admin/upstreams/{upstreamId}': () => `/api/admin/upstreams/${shown.upstream}`,
  'POST /api/fleet': () => ({ url: '/api/fleet', body: { customers: [] } }),
  'PUT /api/set-group': () => ({
    url: '/api/set-group',
    body: { workplaceId: ids.bus, groupId: '!ungrouped' },
  }),
  'PUT /api/groups/workplace': () => ({
    url: '/api/groups/workplace',
    body: { workplaceId: ids.bus, groupId: fleet.firstBus.routeId },
  }),
  'DELETE /api/groups/workplace': () => `/api/groups/workplace?workplaceId=${ids.bus}`,
};

/** Commands with tests of their own: those about tables and about records that are kept aside. */
const triedElsewhere = [
  'POST /api/admin/import',
  'POST /api/admin/imports/{importId}/undo',
  'POST /api/admin/units/{unitId}/aside/place',
  'POST /api/admin/units/{unitId}/aside/discard',
];

/** Commands that are judged by what the process knows of rights, which is at most 2.5 s old, and why. */
const byKnownRights: Readonly<Record<string, readonly string[]>> = {
  'of the own account: the session or the password decides': [
    'POST /api/auth/logout',
    'PUT /api/auth/password',
    'DELETE /api/auth/sessions',
    'DELETE /api/auth/sessions/{sessionId}',
    'POST /api/auth/second-factor',
    'PUT /api/auth/second-factor',
    'POST /api/auth/second-factor/recovery-codes',
    'POST /api/auth/second-factor/remove',
    'POST /api/news/messages/{messageId}/close',
    'POST /api/news/{newsId}/read',
    'POST /api/notifications/read',
  ],
  'ask for work, or to end it: who looks at the result is judged again': [
    'POST /api/workplaces/status/{busId}',
    'POST /api/live/{cameraId}',
    'PATCH /api/segments/set-downloading/{segmentId}',
    'POST /api/segments/set-downloading',
    'POST /api/segments/set-downloading/cancel/{requestId}',
    'POST /api/concatenated-medias/merge',
    'POST /api/concatenated-medias/cancel/{requestId}',
    'POST /api/reports',
    'POST /api/reports/estimate',
    'POST /api/reports/{reportId}/cancel',
    'POST /api/segments/recalculate/{cameraId}',
    'POST /api/bus-stop/update/{workplaceId}',
    'DELETE /api/bus-stop/update/{workplaceId}',
    'POST /api/stat/passenger-traffic/recalculate-bus',
    'DELETE /api/stat/passenger-traffic/recalculate-bus',
    'POST /api/workplaces/calculation/recalculate',
    'POST /api/admin/days/retry',
    'POST /api/admin/jobs/{jobId}/retry',
    'POST /api/admin/import/check',
    'POST /api/attention/settings/test',
  ],
  'the work of a day, which others see and can put right': [
    'PUT /api/groups/{groupId}',
    'POST /api/groups/{groupId}/stop',
    'POST /api/groups/stop/{stopId}',
    'DELETE /api/groups/stop/{stopId}',
    'POST /api/groups/stops/terminal-stops',
    'POST /api/groups/{groupId}/pattern',
    'POST /api/groups/pattern/{patternId}',
    'DELETE /api/groups/pattern/{patternId}',
    'POST /api/groups/{groupId}/track/from-lap',
    'POST /api/groups/stops/from-lap',
    'POST /api/bus-stop/generate',
    'POST /api/groups/from-file',
    'PUT /api/groups/from-file',
    'PUT /api/route-cost',
    'POST /api/route-cost',
    'POST /api/route-cost/{routeCostId}',
    'POST /api/bus-stop/set-terminal-bus-stop',
    'PUT /api/workplaces/calculation',
    'POST /api/workplaces/shift',
    'PUT /api/workplaces/calculation/group',
    'POST /api/segments/update-events/{segmentId}',
    'POST /api/segments/reviewed/{segmentId}',
    'PUT /api/segments/keep/{segmentId}',
  ],
};
const known = [...Object.values(byKnownRights).flat(), ...triedElsewhere];
const tried = (commands: Readonly<Record<string, () => Asked>>) =>
  Object.entries(commands).filter(([name]) => !name.startsWith('GET') && !known.includes(name));

async function ask(login: string, method: string, asked: Asked) {
  const { url, body } = typeof asked === 'string' ? { url: asked, body: undefined } : asked;
  const headers = { authorization: `Bearer ${tokens[login]}` };
  const form = body instanceof FormData ? await multipart(body, headers) : undefined;
  const answer = await server.app.inject({
    ...{ method: method as 'GET', url, headers },
    ...(body !== undefined && { payload: body }),
    ...form,
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}

/** Gives a command while the process knows rights that the user has lost, and once more with them. */
async function askWithout(
  login: string,
  name: string,
  askedOf: () => Asked,
  rights: { readonly lose: string; readonly regain: string; readonly values: readonly unknown[] },
) {
  const { pool } = server.deps.database;
  const [method = ''] = name.split(' ');
  expect((await ask(login, 'GET', '/api/auth/me')).status).toBe(200);
  await pool.query(rights.lose, [...rights.values]);
  const refused = await ask(login, method, askedOf());
  await pool.query(rights.regain, [...rights.values]);
  const done = await ask(login, method, askedOf());
  return { refused: refused.status, done: done.status };
}

describe('a command that leaves something behind', () => {
  it('is written down here, each of them', () => {
    const commands = (endpoints as readonly Endpoint[])
      .filter(({ method, access }) => method !== 'GET' && (access === 'user' || access === 'admin'))
      .map(({ method, path }) => `${method} ${path}`);
    const named = [...tried(ofIntegrators), ...tried(ofAdministrators)].map(([name]) => name);
    expect([...named, ...known].sort()).toEqual(commands.sort());
  });

  it.each(tried(ofIntegrators))(
    '%s is refused to an integrator who has lost the customer, though the process does not know it yet',
    async (name, askedOf) => {
      const { refused, done } = await askWithout('integrator', name, askedOf, {
        lose: 'delete from integrator_clients where integrator_id = $1 and client_id = $2',
        regain: 'insert into integrator_clients (integrator_id, client_id) values ($1, $2)',
        values: [fleet.integrator, fleet.first],
      });
      expect(refused).toBe(404);
      expect([200, 204, 409]).toContain(done);
    },
  );

  it.each(tried(ofAdministrators))(
    '%s is refused to an administrator who has become an operator, though the process does not know it yet',
    async (name, askedOf) => {
      const { refused, done } = await askWithout('falling', name, askedOf, {
        lose: "update users set role = 'OPERATOR', client_id = $1 where login = 'falling'",
        regain: `update users set role = 'ADMIN', client_id = null
          where login = 'falling' and client_id = $1`,
        values: [fleet.first],
      });
      expect(refused).toBe(403);
      expect([200, 204]).toContain(done);
    },
  );
});
