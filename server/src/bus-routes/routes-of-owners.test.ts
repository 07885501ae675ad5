// A bus drives on a day only routes of customers who own that day: on the day on which it passes to another customer,
// those of the former one.
import { addDays, dayOf } from '@ridewatch/contract/day';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { addAuth } from '../auth/api.ts';
import { bumpDays } from '../days/bus-days.ts';
import { addRoutes } from '../routes/api.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBusRoutes } from './api.ts';

const ZONE = 'Pacific/Kiritimati';
let server: TestServer;
let fleet: TestFleet;
let token: string;
/** Routes of the former and of the next customer. */
let routes: { readonly former: number; readonly next: number };

beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration, addBusRoutes, addRoutes]);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db, ZONE);
  routes = { former: fleet.firstBus.routeId, next: fleet.secondBus.routeId };
});
afterAll(() => server.close());

let bus: TestBus;
let buses = 0;
let today: string;
let tomorrow: string;
beforeEach(async () => {
  token = await server.signIn('admin');
  buses += 1;
  bus = await insertTestBus(server.deps.database.db, fleet.first, `Переходит ${buses}`, ZONE);
  today = dayOf(server.clock.nowMs(), ZONE);
  tomorrow = addDays(today, 1);
});

async function ask(method: 'GET' | 'PUT' | 'POST', url: string, payload?: object) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}
const urlOf = () => `/api/admin/buses/${bus.busId}`;
async function passOn({ hasData = true } = {}): Promise<void> {
  if (hasData) await bumpDays(server.deps.database.db, bus.busId, [addDays(today, -1)]);
  const answer = await ask('PUT', urlOf(), { client_ids: [fleet.second] });
  expect(answer).toMatchObject({ status: 200 });
}
const setGroup = (groupId: number) =>
  ask('PUT', '/api/set-group', { workplaceId: bus.busId, groupId });
const setFrom = (valid_from: string, group_id: number | null) =>
  ask('PUT', `${urlOf()}/settings`, { valid_from, group_id });
/** The routes from their days on, the latest first. */
const driven = async () =>
  (await ask('GET', urlOf())).body.settings.map(
    ({ valid_from, group }: { valid_from: string; group: { id: number } | null }) => [
      valid_from,
      group?.id ?? null,
    ],
  );

describe('a bus on the day on which it passes to another customer', () => {
  it('drives no route of the next customer before that one’s first day, no matter who asks, and how', async () => {
    await passOn();
    const before = await driven();
    const wanted = { workplaceId: bus.busId, groupId: routes.next, valid_from: today };
    const refusals = [
      [await setGroup(routes.next), 'groupId'],
      [await ask('PUT', '/api/groups/workplace', wanted), 'valid_from'],
      [await setFrom(today, routes.next), 'valid_from'],
      [await setFrom(addDays(today, -3), routes.next), 'valid_from'],
    ] as const;
    const message = `The bus is the route's customer's from ${tomorrow} on.`;
    for (const [answer, field] of refusals) {
      const body = { error: 'invalid_request', field, message };
      expect(answer).toMatchObject({ status: 400, body });
    }
    const change = { group_id: routes.next, valid_from: today };
    const several = { ids: [bus.busId], preview: true, change };
    const { body } = await ask('POST', '/api/admin/buses/several', several);
    expect(body.refused).toMatchObject([{ id: bus.busId, field: 'valid_from' }]);
    expect(await driven()).toEqual(before);
  });

  it('can be put on a route of the next customer from that one’s first day on', async () => {
    await passOn();
    expect(await setFrom(tomorrow, routes.next)).toMatchObject({ status: 200 });
    expect(await driven()).toEqual([
      [tomorrow, routes.next],
      ['2010-01-01', bus.routeId],
    ]);
    server.clock.advance(24 * 3_600_000);
    token = await server.signIn('admin');
    expect(await setGroup(routes.next)).toMatchObject({ status: 200 });
  });

  it('can still be put on another route of the former customer, which ends with the day', async () => {
    expect(await setFrom('2010-01-01', null)).toMatchObject({ status: 200 });
    await passOn();
    expect(await setGroup(routes.former)).toMatchObject({ status: 200 });
    expect(await driven()).toEqual([
      [tomorrow, null],
      [today, routes.former],
      ['2010-01-01', null],
    ]);
    expect(await setFrom(tomorrow, routes.former)).toMatchObject({ status: 409 });
  });

  it('drives routes of its customer at once if it has never had data', async () => {
    await passOn({ hasData: false });
    expect(await setGroup(routes.next)).toMatchObject({ status: 200 });
    expect(await setGroup(routes.former)).toMatchObject({ status: 404 });
  });
});
