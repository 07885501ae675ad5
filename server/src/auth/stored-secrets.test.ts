// Secrets that are shown once: the database has hashes of them, and the secrets themselves nowhere.
import { CLIENT_ID } from '@ridewatch/contract/auth';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { callTables } from '../test/tables.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';
import { makeSetupLink } from './setup-links.ts';
import { codeOf, stepOf } from './totp.ts';

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

/** Sets up the second factor of a user. @returns a recovery code */
async function recoveryCode(): Promise<string> {
  const path = '/api/auth/second-factor';
  const token = await server.signIn('first');
  await askJson(server, token, 'POST', path, { password: PASSWORD });
  const { secret } = await server.deps.database.db
    .selectFrom('second_factors')
    .select('secret')
    .executeTakeFirstOrThrow();
  const code = codeOf(secret, stepOf(server.clock.nowMs()));
  const { status, body } = await askJson(server, token, 'PUT', path, { code });
  expect(status).toBe(200);
  return body.recovery_codes[9];
}

const loadTable = (kind: string, columns: string[], row: string[]) =>
  callTables(server, { admin }).load({ kind, columns, rows: [row] });

/** The tables of which a column of a row has a text; columns of bytes are compared with the bytes of it, too. */
async function tablesWith(text: string, { deps }: TestServer = server): Promise<string[]> {
  const { db } = deps.database;
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
  [
    'the link of a user whom a table made',
    async () => {
      const { links } = await loadTable(
        'users',
        ['login', 'role', 'client'],
        [...['loaded', 'customer', 'Первый']],
      );
      return links[0].path.split('#')[1];
    },
  ],
  [
    'the credential of a unit that a table made',
    async () => {
      const { credentials } = await loadTable('units', ['device_id', 'client'], ['RW-1', 'Первый']);
      return credentials[0].credential;
    },
  ],
])('no row of the database has the secret of %s', async (_, make) => {
  const secret = await make();
  expect(secret).toMatch(/^(rw[ku]_)?[\w-]{43}$/);
  expect(await tablesWith(secret)).toEqual([]);
});

it('no row of the database has a recovery code, however it is written', async () => {
  const shown = await recoveryCode();
  const bare = shown.replaceAll('-', '');
  expect(bare).toMatch(/^[a-z2-7]{16}$/);
  for (const form of [shown, bare, shown.toUpperCase(), bare.toUpperCase()]) {
    expect([form, await tablesWith(form)]).toEqual([form, []]);
  }
});

it('no row of the database has the link that makes the first administrator', async () => {
  const fresh = await createTestServer([addAuth]);
  try {
    const { database } = fresh.deps;
    const token = (await makeSetupLink(database.db, fresh.clock.nowMs()))?.split('#')[1] ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await database.db.selectFrom('setup_links').select('id').execute()).toHaveLength(1);
    expect(await tablesWith(token, fresh)).toEqual([]);
  } finally {
    await fresh.close();
  }
});
