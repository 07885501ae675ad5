// Secrets that are shown once: the database has hashes of them, and the secrets themselves nowhere.
import { CLIENT_ID } from '@ridewatch/contract/auth';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let admin: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(() => server.close());

async function post(url: string, payload: object = {}) {
  const { status, body } = await askJson(server, admin, 'POST', url, payload);
  expect(status, url).toBe(200);
  return body;
}

async function renewToken(): Promise<string> {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      ...{ grant_type: 'password', username: 'first', password: PASSWORD },
    }).toString(),
  });
  return answer.json().refresh_token;
}

async function linkToken(): Promise<string> {
  const { id } = await server.deps.database.db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'first')
    .executeTakeFirstOrThrow();
  const { path } = await post(`/api/admin/users/${id}/password-link`);
  return path.split('#')[1];
}

/** The tables of which a column of a row has a text; columns of bytes are compared with the bytes of it, too. */
async function tablesWith(text: string): Promise<string[]> {
  const { db } = server.deps.database;
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`.execute(db);
  const hex = Buffer.from(text).toString('hex');
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql`
      select from ${sql.table(name)} as own
      where strpos(own::text, ${text}) > 0 or strpos(own::text, ${hex}) > 0 limit 1`.execute(db);
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it('finds what a row has, as text and as bytes', async () => {
  expect(await tablesWith('Автобус 10')).toContain('workplaces');
  const { rows } = await sql<{ hash: Buffer }>`
    select secret_hash as hash from unit_credentials limit 1`.execute(server.deps.database.db);
  const bytes = rows[0]?.hash.toString('hex') ?? '';
  expect(await tablesWith(bytes)).toEqual(['unit_credentials']);
});

it.each<[string, () => Promise<string>]>([
  [
    'an API key',
    async () =>
      (
        await post('/api/keys', {
          ...{ client_id: fleet.first, name: 'Табло', scopes: ['buses'] },
        })
      ).secret,
  ],
  [
    'the credential of a unit',
    async () => (await post(`/api/admin/units/${fleet.firstBus.unitId}/credential`)).credential,
  ],
  ['a refresh token', renewToken],
  ['the link for a password', linkToken],
])('no row of the database has the secret of %s', async (_, make) => {
  const secret = await make();
  expect(secret).toMatch(/^(rw[ku]_)?[\w-]{43}$/);
  expect(await tablesWith(secret)).toEqual([]);
});
