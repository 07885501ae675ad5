// The largest tables: all of their rows are created, then all of them changed.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../../auth/api.ts';
import { insertTestFleet } from '../../test/fleet.ts';
import { callTables } from '../../test/tables.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { addAdministration } from '../api.ts';

let server: TestServer;
let calls: ReturnType<typeof callTables>;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  await insertTestFleet(server.deps.database.db);
  calls = callTables(server, { admin: await server.signIn('admin') });
});
afterAll(() => server.close());

it('5,000 buses with units are one table', async () => {
  const table = (seats: string) => ({
    kind: 'buses',
    columns: ['name', 'client', 'group', 'capacity_seated', 'device_id'],
    rows: Array.from({ length: 5000 }, (_, at) => [`Т ${at}`, 'Первый', 'т', seats, `T-${at}`]),
  });
  const done = await calls.load(table('30'));
  expect([done.created, done.credentials.length]).toEqual([5000, 5000]);
  expect(await calls.load(table('31'))).toMatchObject({ created: 0, changed: 5000 });
  expect(await calls.load(table('31'))).toMatchObject({ created: 0, changed: 0 });
}, 240_000);

it('2,000 users with links are one table', async () => {
  const table = (mayEdit: string) => ({
    kind: 'users',
    columns: ['login', 'role', 'client', 'can_edit'],
    rows: Array.from({ length: 2000 }, (_, at) => [`u-${at}`, 'customer', 'Первый', mayEdit]),
  });
  const done = await calls.load(table('да'));
  expect([done.created, done.links.length]).toEqual([2000, 2000]);
  expect(await calls.load(table('нет'))).toMatchObject({ created: 0, changed: 2000 });
}, 240_000);
