// Customers that are created and changed at the same moment: each command waits for the other, and both are done.
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { waitForBlocked } from '../test/blocked.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('admin');
});
afterAll(() => server.close());

async function ask(method: 'POST' | 'PUT', url: string, payload: object): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ method, url, headers, payload });
  return answer.statusCode;
}

const table = (name: string) => ({
  ...{ kind: 'customers', file: 'клиенты.xlsx', heading: 1, columns: ['name', 'status'] },
  rows: [
    ['Интегратор', 'пробный'],
    [name, ''],
  ],
});

it.each<[string, string, string, (name: string) => object]>([
  [
    'its form creates',
    'Ф 1',
    '/api/admin/customers',
    (name) => ({ name, integrator_ids: [fleet.integrator] }),
  ],
  ['a table creates', 'Т 1', '/api/admin/import', table],
])('a customer that %s and its integrator change at once', async (_, name, url, bodyOf) => {
  const { db } = server.deps.database;
  const tx = await db.startTransaction().execute();
  const asked: Promise<number>[] = [];
  try {
    // Another command that creates this customer stops the first one halfway.
    await sql`insert into clients (name, surname, created_at) values (${name}, '', now())`.execute(
      tx,
    );
    asked.push(ask('POST', url, bodyOf(name)));
    await waitForBlocked(db, 1);
    const body = { integrator_ids: [fleet.second] };
    asked.push(ask('PUT', `/api/admin/customers/${fleet.integrator}`, body));
    await waitForBlocked(db, 2);
  } finally {
    await tx.rollback().execute();
  }
  expect(await Promise.all(asked)).toEqual([200, 200]);
  const { rows } = await sql`select from clients where name = ${name}`.execute(db);
  expect(rows).toHaveLength(1);
});
