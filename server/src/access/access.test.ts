// Every call x every role x own, foreign and missing objects. A call of the contract without a row here fails.
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { administeredCalls } from '../test/administered-calls.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { attentionSettings } from '../test/attention.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { insertTestMerge } from '../test/merge.ts';
import { formOf, multipart } from '../test/multipart.ts';
import { callsWithoutObject } from '../test/other-calls.ts';
import { insertTestPreload } from '../test/preload.ts';
import { callsOfReports } from '../test/report-calls.ts';
import { insertTestLap, insertTestRoute, type TestRoute } from '../test/route.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

let server: TestServer;
let fleet: TestFleet;
let segments: { first: number; second: number };
let routes: { first: TestRoute; second: TestRoute };
let laps: { first: number; second: number };
let patterns: { first: number; second: number };
let merges: { first: number; second: number };
let preloads: { first: number; second: number };
let places: { first: number; second: number };
const tokens: Record<string, string> = {};
let keyOfFirst: string;
const MISSING = 999_999;
const ROLES = ['admin', 'integrator', 'operator', 'first', 'second'] as const;

beforeAll(async () => {
  // Both customers have the advanced report.
  const ADVANCED_REPORT_CLIENTS = '1,2,3,4,5,6,7,8,9';
  server = await createTestServer([...ingestFeatures, ...apiFeatures], { ADVANCED_REPORT_CLIENTS });
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  for (const role of ROLES) tokens[role] = await server.signIn(role);
  keyOfFirst = (await insertTestKey(db, fleet.first)).secret;
  segments = await forBoth((whose) => insertAnnouncedFragment(db, fleet[`${whose}Bus`]));
  routes = await forBoth((whose) => insertTestRoute(db, fleet[whose], '1'));
  patterns = await forBoth(async (whose) => {
    const { routeId, stopIds } = routes[whose];
    const body = { name: 'Короткий', stop_ids: stopIds.slice(0, 2) };
    const answer = await ask('POST', `/api/groups/${routeId}/pattern`, tokens.admin, body);
    return answer.body.items[1].id;
  });
  laps = await forBoth((whose) => insertTestLap(db, fleet[`${whose}Bus`].busId));
  merges = await forBoth((whose) => insertTestMerge(db, fleet[`${whose}Bus`], fleet[whose]));
  preloads = await forBoth((whose) => insertTestPreload(db, fleet[`${whose}Bus`]));
  places = await forBoth(async (whose) => {
    const place = await db
      .selectFrom('stop_classifiers')
      .select('id')
      .where('client_id', '=', fleet[whose])
      .executeTakeFirstOrThrow();
    return place.id;
  });
});
afterAll(() => server.close());

/** A call for an object of the first customer, of the second, or for none: its address, and its body if it has one. */
type Whose = 'first' | 'second' | 'missing';
type Asked = string | { readonly url: string; readonly body: object };
const addresses: Readonly<Record<string, (whose: Whose) => Asked>> = {
  'GET /api/bus/info/{busId}': (whose) => `/api/bus/info/${busOf(whose)}`,
  'GET /api/groups/client/{customerId}': (whose) => `/api/groups/client/${clientOf(whose)}`,
  'GET /api/segments/day-segments': (whose) =>
    `/api/segments/day-segments?workplaceId=${busOf(whose)}&date=2026-11-20`,
  'GET /api/period_list/{cameraId}': (whose) =>
    `/api/period_list/${cameraOf(whose)}?startdate=2026-11-20&enddate=2026-11-20`,
  'GET /api/segments/{segmentId}': (whose) =>
    `/api/segments/${whose === 'missing' ? MISSING : segments[whose]}`,
  'PATCH /api/segments/set-downloading/{segmentId}': (whose) =>
    `/api/segments/set-downloading/${whose === 'missing' ? MISSING : segments[whose]}`,
  'POST /api/concatenated-medias/merge': (whose) => ({
    url: '/api/concatenated-medias/merge',
    body: { from: '2026-11-20T05:00:00Z', to: '2026-11-20T05:00:20Z', deviceId: cameraOf(whose) },
  }),
  'PUT /api/segments/keep/{segmentId}': (whose) => ({
    url: `/api/segments/keep/${whose === 'missing' ? MISSING : segments[whose]}`,
    body: { keep: true },
  }),
  'POST /api/concatenated-medias/cancel/{requestId}': (whose) => ({
    url: `/api/concatenated-medias/cancel/${whose === 'missing' ? MISSING : merges[whose]}`,
    body: {},
  }),
  'POST /api/segments/set-downloading': (whose) => ({
    url: '/api/segments/set-downloading',
    body: {
      cameraId: cameraOf(whose),
      startTime: '2026-11-20T05:00:00Z',
      endTime: '2026-11-20T06:00:00Z',
    },
  }),
  'POST /api/segments/set-downloading/cancel/{requestId}': (whose) => ({
    url: `/api/segments/set-downloading/cancel/${whose === 'missing' ? MISSING : preloads[whose]}`,
    body: {},
  }),
  'GET /api/workplaces/status/{busId}': (whose) => `/api/workplaces/status/${busOf(whose)}`,
  'POST /api/workplaces/status/{busId}': (whose) => ({
    url: `/api/workplaces/status/${busOf(whose)}`,
    body: {},
  }),
  'GET /api/live/{cameraId}': (whose) => `/api/live/${cameraOf(whose)}`,
  'POST /api/live/{cameraId}': (whose) => ({ url: `/api/live/${cameraOf(whose)}`, body: {} }),
  'GET /api/bus-stop/day-laps': (whose) => `/api/bus-stop/day-laps?${dayOf(whose)}`,
  'GET /api/bus-stop/laps': (whose) => `/api/bus-stop/laps?${dayOf(whose)}`,
  'GET /api/bus-stop/update/{workplaceId}': (whose) => `/api/bus-stop/update/${busOf(whose)}`,
  'GET /api/bus-stop/search': (whose) => `/api/bus-stop/search?${dayOf(whose)}`,
  'GET /api/gps': (whose) => `/api/gps?busId=${busOf(whose)}`,
  'GET /api/workplaces/gps/{busId}': (whose) =>
    `/api/workplaces/gps/${busOf(whose)}?date=2026-11-20`,
  'GET /api/bus-stop/stat': (whose) =>
    `/api/bus-stop/stat?dateFrom=2026-11-01&dateTo=2026-11-20&busStopClassifierId=${placeOf(whose)}`,
  'GET /api/stat/passenger-traffic': (whose) =>
    `/api/stat/passenger-traffic?dateFrom=2026-11-01&dateTo=2026-11-20&workplaces=${busOf(whose)}`,
  'GET /api/stat/day-traffic': (whose) =>
    `/api/stat/day-traffic?dateFrom=2026-11-01&dateTo=2026-11-20&workplaces=${busOf(whose)}`,
  'GET /api/stat/day-results': (whose) => `/api/stat/day-results?${dayOf(whose)}`,
  'GET /api/stat/passenger-traffic/recalculate-bus': (whose) =>
    `/api/stat/passenger-traffic/recalculate-bus?workplaceId=${busOf(whose)}`,
  'GET /api/workplaces/calculation': (whose) => `/api/workplaces/calculation?${dayOf(whose)}`,
  'PUT /api/workplaces/calculation': (whose) => ({
    url: '/api/workplaces/calculation',
    body: { workplaceId: busOf(whose), date: '2026-11-20', fare: '45' },
  }),
  'POST /api/workplaces/shift': (whose) => ({
    url: '/api/workplaces/shift',
    body: { workplaceId: busOf(whose), date: '2026-11-20', shift_end: null },
  }),
  'GET /api/workplaces/calculation/history': (whose) =>
    `/api/workplaces/calculation/history?${dayOf(whose)}`,
  'GET /api/workplaces/calculation/parts': (whose) =>
    `/api/workplaces/calculation/parts?${dayOf(whose)}`,
  'GET /api/home': (whose) => `/api/home?clientId=${clientOf(whose)}`,
  'GET /api/gps/routes': (whose) => `/api/gps/routes?clientId=${clientOf(whose)}`,
  'GET /api/gps/all': (whose) => `/api/gps/all?clientId=${clientOf(whose)}`,
  'GET /api/attention/settings': (whose) => `/api/attention/settings?clientId=${clientOf(whose)}`,
  'GET /api/groups/{groupId}': (whose) => `/api/groups/${routeOf(whose).routeId}`,
  'GET /api/groups/{groupId}/stops/from-lap': (whose) => {
    const { lapId, workplaceId } = lapOf(whose);
    const query = new URLSearchParams({ lapId: `${lapId}`, workplaceId: `${workplaceId}` });
    return `/api/groups/${routeOf(whose).routeId}/stops/from-lap?${query}`;
  },
  'GET /api/groups/{groupId}/stops': (whose) => `/api/groups/${routeOf(whose).routeId}/stops`,
  'GET /api/groups/{groupId}/patterns': (whose) => `/api/groups/${routeOf(whose).routeId}/patterns`,
  'GET /api/groups/search': (whose) => `/api/groups/search?clientIds=${clientOf(whose)}`,
  'GET /api/route-cost/group/{groupId}': (whose) =>
    `/api/route-cost/group/${routeOf(whose).routeId}`,
  ...callsOfReports((whose) => [busOf(whose), routeOf(whose).routeId]),
};
/** Calls that change a route or a bus's laps: for those who see it and have the edit right. */
const edits: typeof addresses = {
  'POST /api/bus-stop/set-terminal-bus-stop': (whose) => ({
    url: '/api/bus-stop/set-terminal-bus-stop',
    body: { workplaceId: busOf(whose), busStopId: null },
  }),
  'POST /api/bus-stop/update/{workplaceId}': (whose) => ({
    url: `/api/bus-stop/update/${busOf(whose)}`,
    body: { dateFrom: '2026-01-01', dateTo: '2026-01-01', preview: false },
  }),
  'POST /api/stat/passenger-traffic/recalculate-bus': (whose) => ({
    url: '/api/stat/passenger-traffic/recalculate-bus',
    body: { workplaceId: busOf(whose), dateFrom: '2026-01-01', dateTo: '2026-01-01' },
  }),
  'DELETE /api/stat/passenger-traffic/recalculate-bus': (whose) =>
    `/api/stat/passenger-traffic/recalculate-bus?workplaceId=${busOf(whose)}`,
  'DELETE /api/bus-stop/update/{workplaceId}': (whose) => `/api/bus-stop/update/${busOf(whose)}`,
  'POST /api/workplaces/calculation/recalculate': (whose) => ({
    url: '/api/workplaces/calculation/recalculate',
    body: { workplace_id: busOf(whose), date: '2026-11-20' },
  }),
  'PUT /api/workplaces/calculation/group': (whose) => ({
    url: '/api/workplaces/calculation/group',
    body: {
      ...{ group_id: routeOf(whose).routeId, date_from: '2026-11-20' },
      ...{ fare: '45', preview: false },
    },
  }),
  'PUT /api/groups/{groupId}': (whose) => ({
    url: `/api/groups/${routeOf(whose).routeId}`,
    body: { name: 'Новое' },
  }),
  'POST /api/groups/{groupId}/stop': (whose) => ({
    url: `/api/groups/${routeOf(whose).routeId}/stop`,
    body: { name: 'Мост', latitude: 55, longitude: 37, orderKey: 0, routeDirection: 'FORWARD' },
  }),
  'POST /api/groups/stop/{stopId}': (whose) => ({
    url: `/api/groups/stop/${routeOf(whose).stopIds[1]}`,
    body: { name: 'Лицей' },
  }),
  'DELETE /api/groups/stop/{stopId}': (whose) => `/api/groups/stop/${routeOf(whose).stopIds[3]}`,
  'POST /api/groups/{groupId}/pattern': (whose) => ({
    url: `/api/groups/${routeOf(whose).routeId}/pattern`,
    body: { name: 'Другой', stop_ids: routeOf(whose).stopIds.slice(0, 3) },
  }),
  'POST /api/groups/pattern/{patternId}': (whose) => ({
    url: patternOf(whose),
    body: { name: 'Малый' },
  }),
  'DELETE /api/groups/pattern/{patternId}': (whose) => patternOf(whose),
  'POST /api/groups/stops/terminal-stops': (whose) => ({
    url: '/api/groups/stops/terminal-stops',
    body: { firstRouteStopId: routeOf(whose).stopIds[0], lastRouteStopId: null },
  }),
  'POST /api/groups/stops/from-lap': (whose) => ({
    url: '/api/groups/stops/from-lap',
    body: { groupId: routeOf(whose).routeId, ...lapOf(whose) },
  }),
  'POST /api/groups/{groupId}/track/from-lap': (whose) => ({
    url: `/api/groups/${routeOf(whose).routeId}/track/from-lap`,
    body: lapOf(whose),
  }),
  'POST /api/groups/from-file': (whose) => ({
    url: '/api/groups/from-file',
    body: routeFile({ clientId: clientOf(whose) }),
  }),
  'PUT /api/groups/from-file': (whose) => ({
    url: '/api/groups/from-file',
    body: routeFile({ groupId: routeOf(whose).routeId }),
  }),
  'POST /api/bus-stop/generate': (whose) => ({
    url: '/api/bus-stop/generate',
    body: { workplaceId: busOf(whose), date: '2026-11-20', save: false },
  }),
  'POST /api/segments/update-events/{segmentId}': (whose) => ({
    url: `/api/segments/update-events/${whose === 'missing' ? MISSING : segments[whose]}`,
    body: { entered_manual: { adult: 1, kids: null }, exited_manual: { adult: null, kids: null } },
  }),
  'POST /api/segments/reviewed/{segmentId}': (whose) => ({
    url: `/api/segments/reviewed/${whose === 'missing' ? MISSING : segments[whose]}`,
    body: {},
  }),
  'POST /api/attention/settings/test': (whose) => ({
    url: `/api/attention/settings/test?clientId=${clientOf(whose)}`,
    body: { channel: 'mail' },
  }),
  'PUT /api/attention/settings': (whose) => ({
    url: `/api/attention/settings?clientId=${clientOf(whose)}`,
    body: attentionSettings(),
  }),
  'PUT /api/route-cost': (whose) => ({
    url: '/api/route-cost',
    body: { group_id: routeOf(whose).routeId, items: [] },
  }),
  'POST /api/route-cost': (whose) => ({ url: '/api/route-cost', body: priceOf(whose) }),
  'POST /api/route-cost/{routeCostId}': (whose) => ({
    url: `/api/route-cost/${routeOf(whose).costId}`,
    body: priceOf(whose),
  }),
};
const noRoute: TestRoute = {
  routeId: MISSING,
  stopIds: [MISSING, MISSING, MISSING, MISSING],
  costId: MISSING,
};
const routeOf = (whose: Whose): TestRoute => (whose === 'missing' ? noRoute : routes[whose]);
const patternOf = (whose: Whose): string =>
  `/api/groups/pattern/${whose === 'missing' ? MISSING : patterns[whose]}`;
const priceOf = (whose: Whose) => {
  const { routeId: groupId, stopIds } = routeOf(whose);
  return { group_id: groupId, from_stop_id: stopIds[0], to_stop_id: stopIds[2], cost: '45.00' };
};
const routeFile = (fields: Record<string, number>): FormData => {
  const form = formOf({ ...fields, preview: true });
  form.append('file', new File(['lat,lon\n55.75,37.6\n'], 'stops.csv'));
  return form;
};
const lapOf = (whose: Whose) => ({
  lapId: whose === 'missing' ? MISSING : laps[whose],
  workplaceId: busOf(whose),
});
async function forBoth<T>(make: (whose: 'first' | 'second') => Promise<T>) {
  return { first: await make('first'), second: await make('second') };
}
const keyOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const busOf = (whose: Whose): number =>
  whose === 'missing' ? MISSING : fleet[`${whose}Bus`].busId;
const clientOf = (whose: Whose): number => (whose === 'missing' ? MISSING : fleet[whose]);
const dayOf = (whose: Whose): string => `workplaceId=${busOf(whose)}&date=2026-11-20`;
const placeOf = (whose: Whose): number => (whose === 'missing' ? MISSING : places[whose]);
const cameraOf = (whose: Whose): number =>
  whose === 'missing' ? MISSING : fleet[`${whose}Bus`].cameras.door1;

async function sent(token?: string, payload?: object) {
  const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
  if (payload instanceof FormData) return multipart(payload, bearer);
  return { headers: bearer, ...(payload === undefined ? {} : { payload }) };
}

async function ask(method: string, url: string, token?: string, payload?: object) {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    ...(await sent(token, payload)),
  });
  const body = answer.headers['content-type']?.toString().includes('json') ? answer.json() : {};
  return { status: answer.statusCode, body: { ...body, requestId: '' } };
}

const askFor = (method: string, asked: Asked, token?: string) =>
  typeof asked === 'string' ? ask(method, asked, token) : ask(method, asked.url, token, asked.body);

/** Signed addresses name who asked. */
const withoutHashes = (answer: object) =>
  JSON.parse(JSON.stringify(answer).replace(/hash=[\w-]+/g, 'hash='));

const all = endpoints as readonly Endpoint[];
const owned = Object.entries({ ...addresses, ...edits });

describe('access', () => {
  it('is written down for every call of a user', () => {
    const known = new Set([
      ...owned.map(([key]) => key),
      ...callsWithoutObject,
      ...administeredCalls,
    ]);
    const users = all.filter(({ access }) => access === 'user').map(keyOf);
    expect(users.filter((key) => !known.has(key))).toEqual([]);
  });

  it.each(
    all
      .filter(({ access }) => access !== 'public')
      .map((endpoint) => [keyOf(endpoint), endpoint] as const),
  )('to %s needs a token, and a valid one', async (_key, { method, path }) => {
    const url = path.replace(/\{\w+\}/g, '1');
    const payload = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect((await ask(method, url, undefined, payload)).status).toBe(401);
    expect((await ask(method, url, 'forged', payload)).status).toBe(401);
  });

  it.each(owned)('%s shows a foreign object as one that does not exist', async (key, addressOf) => {
    const [method = 'GET'] = key.split(' ');
    const missing = await askFor(method, addressOf('missing'), tokens.first);
    expect(missing.status).toBe(404);
    for (const [role, foreign] of [
      ['first', 'second'],
      ['second', 'first'],
      ['integrator', 'second'],
      ['operator', 'second'],
    ] as const) {
      expect(await askFor(method, addressOf(foreign), tokens[role]), role).toEqual(missing);
    }
  });

  it.each(Object.entries(addresses).filter(([key]) => key.startsWith('GET')))(
    '%s shows its own to everybody who looks after it',
    async (_key, addressOf) => {
      for (const role of ['admin', 'integrator', 'operator', 'first']) {
        expect((await askFor('GET', addressOf('first'), tokens[role])).status, role).toBe(200);
      }
      expect((await askFor('GET', addressOf('second'), tokens.admin)).status).toBe(200);
    },
  );

  it.each(owned)(
    "%s shows a customer's API key what the customer sees, or nothing",
    async (key, addressOf) => {
      const [method = ''] = key.split(' ');
      const byKey = (whose: Whose) => askFor(method, addressOf(whose), keyOfFirst);
      const own = await byKey('first');
      if (all.find((one) => keyOf(one) === key)?.scope === undefined) {
        expect(own).toMatchObject({ status: 403, body: { error: 'no_right' } });
        expect(await byKey('second')).toEqual(own);
        return;
      }
      const seen = await askFor(method, addressOf('first'), tokens.first);
      expect(withoutHashes(own)).toEqual(withoutHashes(seen));
      expect(await byKey('second')).toEqual(await byKey('missing'));
      expect((await byKey('second')).status).toBe(404);
    },
  );

  it.each(Object.entries(edits))(
    '%s is for those with the edit right, also when asked by hand',
    async (key, addressOf) => {
      const [method = ''] = key.split(' ');
      const asked = addressOf('first');
      expect(await askFor(method, asked, tokens.first)).toMatchObject({
        status: 403,
        body: { error: 'no_right' },
      });
      for (const role of ['operator', 'integrator', 'admin']) {
        server.clock.advance(10_000); // Test messages are that far apart, ms.
        const { status } = await askFor(method, asked, tokens[role]);
        // The first DELETE removes the object, so the next one gets 404, and the first pattern has its name. The test
        // lap has no data. Cancelling a recalculation that has ended is no error.
        const later = role !== 'operator';
        const cancels = key.endsWith('{workplaceId}') || key.endsWith('recalculate-bus');
        const gone = method === 'DELETE' && later && !cancels;
        const taken = later && key.endsWith('/pattern') ? [409] : [200, 204];
        const done = key.endsWith('from-lap') ? [400] : taken;
        expect([role, gone ? [404] : done]).toEqual([role, expect.arrayContaining([status])]);
      }
    },
  );
});
