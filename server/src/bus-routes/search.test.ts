import type { BusRoute } from '@ridewatch/contract/bus-routes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addBusRoutes } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens = new Map<string, string>();

beforeAll(async () => {
  server = await createTestServer([addAuth, addBusRoutes]);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  await db.updateTable('route_groups').set({ deleted: true }).execute();
  await db
    .insertInto('route_groups')
    .values([
      { client_id: fleet.first, name: '10' },
      { client_id: fleet.first, name: '2 Экспресс' },
      { client_id: fleet.second, name: '7' },
    ])
    .execute();
  for (const login of ['admin', 'operator']) tokens.set(login, await server.signIn(login));
});
afterAll(() => server.close());

const ask = (query: string, login = 'operator') =>
  server.app.inject({
    url: `/api/groups/search?${query}`,
    headers: { authorization: `Bearer ${tokens.get(login)}` },
  });

describe('a search of routes', () => {
  const search = async (query: string, login = 'operator') =>
    (await ask(query, login)).json<{
      items: BusRoute[];
      number: number;
      total: number;
    }>();
  const namesOf = ({ items }: { items: BusRoute[] }) => items.map(({ name }) => name);

  it('finds those one may see, by name as people sort, a page at a time', async () => {
    expect(namesOf(await search(''))).toEqual(['2 Экспресс', '10']);
    expect(namesOf(await search('', 'admin'))).toEqual(['2 Экспресс', '7', '10']);
    expect(await search('perPage=1&page=1')).toMatchObject({
      items: [{ name: '10' }],
      number: 1,
      total: 2,
    });
  });

  it('finds those of customers, of the customers of a bus, and by a part of the name', async () => {
    expect(namesOf(await search(`clientIds=${fleet.second}`, 'admin'))).toEqual(['7']);
    const both = `clientIds=${fleet.first}&clientIds=${fleet.second}`;
    expect((await search(both, 'admin')).total).toBe(3);
    expect(namesOf(await search(`workplaceId=${fleet.secondBus.busId}`, 'admin'))).toEqual(['7']);
    expect(namesOf(await search('name=%D1%8D%D0%BA%D1%81'))).toEqual(['2 Экспресс']);
    expect(namesOf(await search('name=%25'))).toEqual([]);
  });

  it('is refused whole for one foreign customer or bus', async () => {
    for (const query of [
      `clientIds=${fleet.first}&clientIds=${fleet.second}`,
      'clientIds=999999',
      `workplaceId=${fleet.secondBus.busId}`,
    ]) {
      expect((await ask(query)).statusCode).toBe(404);
    }
  });

  it.each([
    ['perPage=5001', 'perPage'],
    ['perPage=0', 'perPage'],
    ['page=-1', 'page'],
    ['clientIds=x', 'clientIds'],
  ])('refuses %s with the field', async (query, field) => {
    const answer = await ask(query);
    expect([answer.statusCode, answer.json().field]).toEqual([400, field]);
  });
});
