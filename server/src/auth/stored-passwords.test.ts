// However a password comes in, the database has its argon2id hash.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';
import { makeSetupLink } from './setup-links.ts';

const NEW_PASSWORD = 'a password of somebody';

let server: TestServer;
let fresh: TestServer;
let fleet: TestFleet;
let admin: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fresh = await createTestServer([addAuth]);
  fleet = await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
});
afterAll(async () => {
  await server?.close();
  await fresh?.close();
});

async function hashOf({ deps }: TestServer, login: string): Promise<string> {
  const { password_hash } = await deps.database.db
    .selectFrom('users')
    .select('password_hash')
    .where('login', '=', login)
    .executeTakeFirstOrThrow();
  return password_hash;
}

it.each<[string, () => Promise<[TestServer, login: string]>]>([
  [
    'the first administrator types behind the link of a new installation',
    async () => {
      const { db } = fresh.deps.database;
      const link = (await makeSetupLink(db, fresh.clock.nowMs())) ?? '';
      const token = link.split('#')[1];
      const body = { token, login: 'chief', password: NEW_PASSWORD };
      const { status } = await askJson(fresh, undefined, 'PUT', '/api/auth/setup-link', body);
      expect(status).toBe(204);
      return [fresh, 'chief'];
    },
  ],
  [
    'an administrator gives a new user',
    async () => {
      const { status } = await askJson(server, admin, 'POST', '/api/admin/users', {
        ...{ login: 'newcomer', password: NEW_PASSWORD, role: 'OPERATOR', client_id: fleet.first },
      });
      expect(status).toBe(200);
      return [server, 'newcomer'];
    },
  ],
  [
    'a user sets by a link',
    async () => {
      const id = await insertTestUser(
        server.deps.database.db,
        'forgetful',
        'OPERATOR',
        fleet.first,
      );
      const made = await askJson(server, admin, 'POST', `/api/admin/users/${id}/password-link`, {});
      const token = made.body.path.split('#')[1];
      const body = { token, new_password: NEW_PASSWORD };
      const { status } = await askJson(server, undefined, 'PUT', '/api/auth/password-link', body);
      expect(status).toBe(204);
      return [server, 'forgetful'];
    },
  ],
  [
    'a user changes in the account',
    async () => {
      const access = await server.signIn('first');
      const { status } = await askJson(server, access, 'PUT', '/api/auth/password', {
        ...{ old_password: PASSWORD, new_password: NEW_PASSWORD },
      });
      expect(status).toBe(204);
      return [server, 'first'];
    },
  ],
])('a password that %s is stored as an argon2id hash', async (_, set) => {
  const [where, login] = await set();
  const hash = await hashOf(where, login);
  // The least that OWASP names: 19 MiB of memory, two passes, one lane.
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(hash).not.toContain(NEW_PASSWORD);
  expect(await where.signIn(login, NEW_PASSWORD)).not.toBe('');
});

it('two users with one password have different hashes', async () => {
  const make = (login: string) =>
    askJson(server, admin, 'POST', '/api/admin/users', {
      ...{ login, password: NEW_PASSWORD, role: 'OPERATOR', client_id: fleet.first },
    });
  for (const login of ['one', 'another']) expect((await make(login)).status).toBe(200);
  expect(await hashOf(server, 'one')).not.toBe(await hashOf(server, 'another'));
});
