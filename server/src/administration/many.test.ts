// A fleet of 5,000 buses: a page of the list is one statement, and so is every search in it.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

const BUSES = 5000;
let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  const { db, pool } = server.deps.database;
  fleet = await insertTestFleet(db);
  await pool.query(
    `with made as (
      insert into workplaces (name, created_at) select 'Автобус ' || n, now()
      from generate_series(100, $1::int + 99) as n returning id
    ), owned as (
      insert into workplace_clients (workplace_id, client_id) select id, $2 from made
    ), valid as (
      insert into workplace_settings (workplace_id, valid_from, group_id)
      select id, day, $3 from made cross join (values (date '2010-01-01'), ('2026-01-01')) as days (day)
    ), fitted as (
      insert into units (device_id, workplace_id, created_at) select 'RW-' || id, id, now() from made
    )
    insert into cameras (workplace_id, name, stream_id, door)
    select id, 'Дверь ' || door, 'door' || door, door from made cross join generate_series(1, 4) as door`,
    [BUSES, fleet.first, fleet.firstBus.routeId],
  );
  await pool.query('analyze');
  token = await server.signIn('admin');
});
afterAll(() => server.close());

it.each([
  ['the first page', 'perPage=100', 100, BUSES + 2],
  ['all of them', 'perPage=5000', 5000, BUSES + 2],
  ['a search by camera, unit or name', 'search=RW-&sortBy=client&page=3', 10, BUSES],
  ['those of a route', 'groupId=ROUTE&sortBy=group&sortType=DESC', 10, BUSES + 1],
])('lists %s of 5,000 buses in one statement', async (_, query, count, total) => {
  const { pool } = server.deps.database;
  const url = `/api/admin/buses?${query.replace('ROUTE', `${fleet.firstBus.routeId}`)}`;
  const ask = () => server.app.inject({ url, headers: { authorization: `Bearer ${token}` } });
  await ask();
  const connect = vi.spyOn(pool, 'connect');
  const { body } = await ask();
  // A route is looked up for the user's right to see it.
  expect(connect.mock.calls.length).toBe(query.includes('ROUTE') ? 2 : 1);
  connect.mockRestore();
  const { items, total: found } = JSON.parse(body);
  expect([items.length, found]).toEqual([count, total]);
});
