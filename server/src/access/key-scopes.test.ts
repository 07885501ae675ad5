// The scopes of API keys, call by call: the table is written by hand, so that a call which changes its scope, or gets
// one, shows here.
import { ApiScope } from '@ridewatch/contract/api-scope';
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures } from '../features.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { insertTestMerge } from '../test/merge.ts';
import { askJson } from '../test/requests.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

const DAY = '2026-11-20';
const DATES = `dateFrom=${DAY}&dateTo=${DAY}`;
const RANGE = `from=${DAY}&to=${DAY}`;

/** The paths that each scope opens, as `ApiScope` tells them. */
const opened: Readonly<Record<ApiScope, readonly string[]>> = {
  // Buses and routes.
  buses: [
    '/api/bus_list',
    '/api/bus/info/{busId}',
    '/api/workplaces/status/{busId}',
    '/api/groups/client/{customerId}',
    '/api/groups/search?clientIds={customerId}',
    '/api/groups/{groupId}',
    `/api/groups/{groupId}/patterns?date=${DAY}`,
    '/api/groups/{groupId}/stops',
  ],
  // Fragments with counts.
  counts: [
    `/api/period_list/{cameraId}?startdate=${DAY}&enddate=${DAY}`,
    `/api/segments/day-segments?workplaceId={busId}&date=${DAY}`,
    '/api/segments/{segmentId}',
    `/api/stat/day-results?workplaceId={busId}&date=${DAY}`,
  ],
  // Positions and laps.
  positions: [
    '/api/gps?busId={busId}',
    '/api/gps/all',
    '/api/gps/routes',
    `/api/workplaces/gps/{busId}?date=${DAY}`,
    `/api/bus-stop/day-laps?workplaceId={busId}&date=${DAY}`,
    `/api/bus-stop/laps?workplaceId={busId}&date=${DAY}`,
    `/api/bus-stop/search?workplaceId={busId}&date=${DAY}`,
  ],
  // Statistics with their exports.
  statistics: [
    '/api/bus_list/board',
    `/api/bus-stop/stat?${DATES}&groupId={groupId}&busStopClassifierId={placeId}`,
    `/api/stat/passenger-traffic?${DATES}`,
    `/api/stat/day-traffic?${DATES}`,
    `/api/stat/passenger-traffic/export?${RANGE}`,
    `/api/stat/bus-load/export?${RANGE}`,
    `/api/stat/workplaces-report?${RANGE}&workplaceIds={busId}`,
  ],
  // Calculations and prices.
  money: [
    `/api/workplaces/calculation?workplaceId={busId}&date=${DAY}`,
    `/api/workplaces/calculation/parts?workplaceId={busId}&date=${DAY}`,
    `/api/workplaces/calculation/history?workplaceId={busId}&date=${DAY}`,
    '/api/route-cost/group/{groupId}',
    `/api/stat/tariff-calc/export?${RANGE}`,
  ],
  // Video. The signed addresses are tried in api-keys.test.ts.
  video: [
    '/api/concatenated-medias',
    '/api/concatenated-medias/download/{requestId}',
    '/api/download/{segmentId}?processed=1',
  ],
};
/** Calls of the scope `video` that take a signed address alone, which names the key. */
const signedOnly = [
  '/api/segments/preview/{segmentId}',
  '/api/video_feed/{segmentId}',
  '/api/video_feed2/{segmentId}',
  '/api/video_feed2/{segmentId}/{part}',
];
const rows = ApiScope.options.flatMap((scope) => opened[scope].map((path) => ({ scope, path })));

let server: TestServer;
let fleet: TestFleet;
const ids: Record<string, number> = {};
/** A key with a scope alone, and one with all others, by scope. */
const alone: Record<string, string> = {};
const others: Record<string, string> = {};

beforeAll(async () => {
  server = await createTestServer(apiFeatures);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  const { busId, routeId: groupId, cameras } = fleet.firstBus;
  const startMs = Date.parse(`${DAY}T09:00:00Z`);
  server.clock.set(startMs + 3_600_000);
  const stored = { startMs, lengthMs: 20_000, video: Buffer.from('video') };
  const segmentId = await insertStoredFragment(server, fleet.firstBus, stored);
  const { id: placeId } = await db
    .insertInto('stop_classifiers')
    .values({ client_id: fleet.first, name: 'Рынок', latitude: 55.75, longitude: 37.6 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const requestId = await insertTestMerge(db, fleet.firstBus, fleet.first);
  Object.assign(ids, { customerId: fleet.first, cameraId: cameras.door1, busId, groupId });
  Object.assign(ids, { segmentId, placeId, requestId });
  for (const scope of ApiScope.options) {
    const rest = ApiScope.options.filter((one) => one !== scope);
    const nowMs = server.clock.nowMs();
    const keyWith = async (scopes: readonly ApiScope[]) =>
      (await insertTestKey(db, fleet.first, { scopes, nowMs })).secret;
    alone[scope] = await keyWith([scope]);
    others[scope] = await keyWith(rest);
  }
});
afterAll(() => server.close());

const fill = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => `${ids[name]}`);
async function ask(path: string, key: string | undefined) {
  const { app } = server;
  const headers = { authorization: `Bearer ${key}` };
  const answer = await app.inject({ method: 'GET', url: fill(path), headers });
  const isJson = answer.headers['content-type']?.toString().includes('json');
  return { status: answer.statusCode, error: isJson ? answer.json().error : undefined };
}

describe('a call that a key may make', () => {
  it.each(rows)('needs the scope $scope, and no other opens it: $path', async ({ scope, path }) => {
    expect(await ask(path, others[scope])).toEqual({ status: 403, error: 'no_right' });
    const { status, error } = await ask(path, alone[scope]);
    // The request of merged video has no file yet.
    const isOpen = path.includes('{requestId}') ? status === 404 : status === 200;
    expect(isOpen, `${status} ${error}`).toBe(true);
  });

  it('stands in this table', () => {
    const inTable = rows.map(({ scope, path }) => `${scope} ${path.split('?')[0]}`);
    const all: readonly Endpoint[] = endpoints;
    const scoped = all.flatMap(({ scope, path }) => (scope ? [`${scope} ${path}`] : []));
    const signed = signedOnly.map((path) => `video ${path}`);
    expect([...inTable, ...signed].sort()).toEqual(scoped.sort());
  });
});

it('a key without a scope is not made', async () => {
  const admin = await server.signIn('admin');
  const key = { client_id: fleet.first, name: 'Экран', scopes: [] };
  expect(await askJson(server, admin, 'POST', '/api/keys', key)).toMatchObject({
    ...{ status: 400, body: { field: 'scopes' } },
  });
});
