import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { addBuses } from '../buses/api.ts';
import { readConfig } from '../core/config.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';
import { createAuthenticators } from './authenticators.ts';
import { codeOf, stepOf } from './totp.ts';

const PATH = '/api/auth/second-factor';
let server: TestServer;
let token: string;

beforeAll(async () => {
  const environment = { SECOND_FACTOR_ROLES: 'ADMIN, INTEGRATOR' };
  server = await createTestServer([addAuth, addAdministration, addBuses], environment);
  await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.advance(16 * 60_000);
  await server.deps.database.db.deleteFrom('recovery_codes').execute();
  await server.deps.database.db.deleteFrom('second_factors').execute();
  token = await server.signIn('integrator');
});

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: object,
  as = token,
) {
  const headers = { authorization: `Bearer ${as}` };
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}
async function setUp(as = token) {
  expect((await ask('POST', PATH, { password: PASSWORD }, as)).status).toBe(200);
  const { secret } = await server.deps.database.db
    .selectFrom('second_factors')
    .select('secret')
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow();
  const code = codeOf(secret, stepOf(server.clock.nowMs()));
  expect((await ask('PUT', PATH, { code }, as)).status).toBe(200);
}
const CLOSED = { status: 403, body: { error: 'second_factor_required' } };

describe('a role that needs a second factor', () => {
  it('opens nothing but its set-up until it is there, and everything at once after', async () => {
    expect((await ask('GET', '/api/auth/me')).body.must_set_up_second_factor).toBe(true);
    expect((await ask('GET', PATH)).body).toMatchObject({ since: null, required: true });
    expect(await ask('GET', '/api/bus_list')).toMatchObject(CLOSED);
    expect(await ask('GET', '/api/admin/users')).toMatchObject(CLOSED);
    await setUp();
    expect((await ask('GET', '/api/bus_list')).status).toBe(200);
    expect((await ask('GET', '/api/auth/me')).body.must_set_up_second_factor).toBe(false);
  });

  it('opens everything at once, too, in a process that did not set it up', async () => {
    const other = await server.another();
    const headers = { authorization: `Bearer ${token}` };
    const read = async () => (await other.inject({ url: '/api/bus_list', headers })).statusCode;
    expect(await read()).toBe(403);
    await setUp();
    expect(await read()).toBe(200);
  });

  it('cannot be turned off by its user', async () => {
    await setUp();
    const proof = { password: PASSWORD, code: '000000' };
    expect(await ask('POST', `${PATH}/remove`, proof)).toMatchObject({ status: 409 });
    expect((await ask('GET', PATH)).body.since).not.toBeNull();
  });

  it('is set up anew after an administrator took a lost one away', async () => {
    await setUp();
    const userId = (await ask('GET', '/api/auth/me')).body.id;
    expect((await ask('GET', '/api/bus_list')).status).toBe(200);
    // The administrator's role needs one, too.
    const admin = await server.signIn('admin');
    const path = `/api/admin/users/${userId}/second-factor`;
    expect(await ask('DELETE', path, undefined, admin)).toMatchObject(CLOSED);
    await setUp(admin);
    expect((await ask('DELETE', path, undefined, admin)).status).toBe(204);
    // The process knows the session for some seconds.
    server.clock.advance(3_000);
    expect(await ask('GET', '/api/bus_list')).toMatchObject(CLOSED);
    expect((await ask('GET', '/api/auth/me')).body.must_set_up_second_factor).toBe(true);
    expect((await ask('GET', PATH)).body).toMatchObject({ since: null, recovery_codes_left: 0 });
    await setUp();
    expect((await ask('GET', '/api/bus_list')).status).toBe(200);
  });

  it('opens no signed address of a video until it is there, and every one at once after', async () => {
    const { db } = server.deps.database;
    const session = await db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.id as sessionId', 'user_id as userId'])
      .where('login', '=', 'integrator')
      .where('revoked_at', 'is', null)
      .executeTakeFirstOrThrow();
    const auth = await createAuthenticators(server.deps);
    await expect(auth.viewerOfHolder(session)).rejects.toThrow(
      'Your role needs two-factor sign-in.',
    );
    // Another process sets it up.
    await setUp();
    expect((await auth.viewerOfHolder(session)).userId).toBe(session.userId);
  });

  it('may sign out before', async () => {
    expect((await ask('POST', '/api/auth/logout')).status).toBe(204);
  });

  it('does not bind other roles', async () => {
    const owner = await server.signIn('first');
    expect((await ask('GET', '/api/bus_list', undefined, owner)).status).toBe(200);
    expect((await ask('GET', PATH, undefined, owner)).body.required).toBe(false);
  });

  it('is named by a configuration that is checked', () => {
    expect(() => readConfig({ SECOND_FACTOR_ROLES: 'ADMIN,BOSS' })).toThrow(
      /^SECOND_FACTOR_ROLES is invalid: must be some of ADMIN, /,
    );
    expect(readConfig({}).secondFactorRoles).toEqual([]);
  });
});
