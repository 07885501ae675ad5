// The lists on the day on which a bus passes to another customer: the day is still that of the former one.
import type { AdminBus } from '@ridewatch/contract/admin-buses';
import type { BusInfo, BusList } from '@ridewatch/contract/buses';
import { addDays, dayOf } from '@ridewatch/contract/day';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { addAuth } from '../auth/api.ts';
import { bumpDays } from '../days/bus-days.ts';
import { insertTestBus, insertTestFleet, type TestBus, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBuses } from './api.ts';

// The day that its bus has is not the day of Moscow.
const ZONE = 'Pacific/Kiritimati';
let server: TestServer;
let fleet: TestFleet;
let bus: TestBus;
let today: string;
let tomorrow: string;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration, addBuses]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

let buses = 0;
/** A bus of the first customer that has data. */
beforeEach(async () => {
  await signIn();
  const { db } = server.deps.database;
  buses += 1;
  bus = await insertTestBus(db, fleet.first, `Переходит ${buses}`, ZONE);
  today = dayOf(server.clock.nowMs(), ZONE);
  tomorrow = addDays(today, 1);
  await bumpDays(db, bus.busId, [addDays(today, -1)]);
});

async function signIn(): Promise<void> {
  for (const login of ['admin', 'first', 'second', 'integrator'])
    tokens.set(login, await server.signIn(login));
}
const ask = (login: string, url: string, method: 'GET' | 'PUT' = 'GET', payload?: object) =>
  server.app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${tokens.get(login)}` } },
    ...(payload && { payload }),
  });
async function moveTo(...client_ids: number[]) {
  const answer = await ask('admin', `/api/admin/buses/${bus.busId}`, 'PUT', { client_ids });
  expect(answer.statusCode, answer.body).toBe(200);
  // Older lists are kept no longer than this.
  server.clock.advance(10_000);
}
async function listed(login: string) {
  const list = (await ask(login, '/api/bus_list')).json<BusList>();
  const found = list.items.find(({ id }) => id === bus.busId);
  return found && [found.clients, found.passes];
}
async function administered(login: string, query = '') {
  const answer = await ask(login, `/api/admin/buses?perPage=100${query}`);
  const found = answer.json<{ items: AdminBus[] }>().items.find(({ id }) => id === bus.busId);
  return found && [found.clients.map(({ id }) => id), found.passes];
}
const nameOf = (name: string) => `${name} ${name}-фамилия`;

describe('the bus list on the day on which a bus passes to another customer', () => {
  it('says who has had the bus until now, and the first day of the next one', async () => {
    expect(await listed('admin')).toEqual([[fleet.first], null]);
    await moveTo(fleet.second);
    const passes = { from: tomorrow, until_then: [fleet.first] };
    expect(await listed('admin')).toEqual([[fleet.second], passes]);
  });

  it('tells the next one its first day, and nothing of the former one', async () => {
    await moveTo(fleet.second);
    expect(await listed('second')).toEqual([[fleet.second], { from: tomorrow, until_then: [] }]);
  });

  it('lacks the bus for the former one, which sees its day on the page of the bus', async () => {
    await moveTo(fleet.second);
    expect(await listed('first')).toBeUndefined();
    const { last_own_day, clients } = (
      await ask('first', `/api/bus/info/${bus.busId}`)
    ).json<BusInfo>();
    expect([last_own_day, clients]).toEqual([today, []]);
  });

  it('says nothing any more from the next day of the bus on', async () => {
    await moveTo(fleet.second);
    server.clock.advance(24 * 3_600_000);
    await signIn();
    expect(await listed('admin')).toEqual([[fleet.second], null]);
    expect(await listed('second')).toEqual([[fleet.second], null]);
  });

  it('says nothing of a bus that comes back the same day, or has never had data', async () => {
    await moveTo(fleet.second);
    await moveTo(fleet.first);
    expect(await listed('admin')).toEqual([[fleet.first], null]);
    bus = await insertTestBus(server.deps.database.db, fleet.first, 'Без данных', ZONE);
    await moveTo(fleet.second);
    expect(await listed('admin')).toEqual([[fleet.second], null]);
  });

  it('says it of a customer that joins or leaves, to those who may know it', async () => {
    await moveTo(fleet.first, fleet.second);
    const joined = { from: tomorrow, until_then: [fleet.first] };
    expect(await listed('admin')).toEqual([[fleet.first, fleet.second], joined]);
    expect(await listed('first')).toEqual([[fleet.first], null]);
    server.clock.advance(48 * 3_600_000);
    await signIn();
    await moveTo(fleet.first);
    const left = { from: addDays(tomorrow, 2), until_then: [fleet.first, fleet.second] };
    expect(await listed('admin')).toEqual([[fleet.first], left]);
    expect(await listed('first')).toEqual([[fleet.first], null]);
  });
});

describe('the buses of the administration on that day', () => {
  it('say whose the day still is, and are found and sorted under both customers', async () => {
    await moveTo(fleet.second);
    const former = { id: fleet.first, name: nameOf('Первый') };
    const shown = [[fleet.second], { from: tomorrow, until_then: [former] }];
    expect(await administered('admin')).toEqual(shown);
    expect(await administered('admin', `&clientId=${fleet.first}`)).toEqual(shown);
    expect(await administered('admin', `&clientId=${fleet.second}`)).toEqual(shown);
    expect(await administered('admin', `&clientId=${fleet.integrator}`)).toBeUndefined();
    const sorted = await ask('admin', '/api/admin/buses?perPage=100&sortBy=client');
    const { items } = sorted.json<{ items: AdminBus[] }>();
    const shownFirst = items.map(({ clients, passes }) => (passes?.until_then ?? clients)[0]?.name);
    expect(shownFirst).toEqual(shownFirst.toSorted());
  });

  it('are found under both with their units and cameras, until the day is over', async () => {
    const idsOf = async (kind: string, clientId: number) => {
      const answer = await ask('admin', `/api/admin/${kind}?perPage=200&clientId=${clientId}`);
      return answer.json<{ items: { id: number }[] }>().items.map(({ id }) => id);
    };
    await moveTo(fleet.second);
    for (const client of [fleet.first, fleet.second]) {
      expect(await idsOf('units', client)).toContain(bus.unitId);
      expect(await idsOf('cameras', client)).toContain(bus.cameras.door1);
    }
    server.clock.advance(24 * 3_600_000);
    await signIn();
    expect(await idsOf('units', fleet.first)).not.toContain(bus.unitId);
    expect(await idsOf('units', fleet.second)).toContain(bus.unitId);
  });

  it('are the next one’s alone once the day is over', async () => {
    await moveTo(fleet.second);
    server.clock.advance(24 * 3_600_000);
    await signIn();
    expect(await administered('admin')).toEqual([[fleet.second], null]);
    expect(await administered('admin', `&clientId=${fleet.first}`)).toBeUndefined();
  });

  it('lack it for an integrator of the former customer alone', async () => {
    await moveTo(fleet.second);
    expect(await administered('integrator')).toBeUndefined();
  });
});
