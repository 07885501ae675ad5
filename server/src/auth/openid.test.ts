import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { readConfig } from '../core/config.ts';
import { addSettings } from '../settings/api.ts';
import { listBlocked } from '../test/blocked.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { startOpenidProvider, type ToldUser } from '../test/openid-provider.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';
import { unlinkOpenid } from './openid-users.ts';

const PATH = '/api/auth/openid';
let provider: Awaited<ReturnType<typeof startOpenidProvider>>;
let server: TestServer;
let fleet: TestFleet;
let login: string;
let userId: number;
let made = 0;

beforeAll(async () => {
  provider = await startOpenidProvider();
  server = await createTestServer([addAuth, addAdministration, addSettings], {
    ...provider.environment,
    ...{ OIDC_NAME: 'Парк ID', SECOND_FACTOR_ROLES: 'OPERATOR' },
  });
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(async () => {
  await server.close();
  await provider.close();
});
beforeEach(async () => {
  provider.options.isDown = false;
  server.clock.advance(16 * 60_000);
  made += 1;
  login = `who${made}`;
  userId = await insertTestUser(server.deps.database.db, login, 'OPERATOR', fleet.first);
});

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  { payload, as, of = server }: { payload?: object; as?: string; of?: TestServer } = {},
) {
  const headers = as === undefined ? {} : { authorization: `Bearer ${as}` };
  const answer = await of.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}
const begin = async (): Promise<{ address: string; ticket: string }> =>
  (await ask('POST', PATH)).body;
const finish = (ticket: string, query: string) => ask('PUT', PATH, { payload: { ticket, query } });
async function signIn(user: ToldUser) {
  const { address, ticket } = await begin();
  return finish(ticket, provider.signIn(address, user));
}
const me = () => ({ sub: `subject ${made}`, preferred_username: login.toUpperCase() });

describe('sign-in by a provider', () => {
  it('asks the provider with PKCE, state and nonce, and comes back to its page', async () => {
    const { searchParams: asked } = new URL((await begin()).address);
    expect(Object.fromEntries(asked)).toMatchObject({
      ...{ client_id: 'ridewatch', response_type: 'code', code_challenge_method: 'S256' },
      ...{ redirect_uri: 'https://buses.example/openid', scope: 'openid profile email' },
    });
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked.get(name)).toMatch(/^[\w-]{43}$/);
    }
    expect((await ask('GET', '/api/settings')).body.openid).toBe('Парк ID');
  });

  it('opens a session of the user with the login, and needs no second factor of its own', async () => {
    const { status, body } = await signIn(me());
    expect(status).toBe(200);
    expect((await ask('GET', '/api/auth/me', { as: body.access_token })).body).toMatchObject({
      ...{ login, must_set_up_second_factor: false },
    });
  });

  it('knows the user afterwards by who it is there, whatever its name', async () => {
    await signIn(me());
    const { body } = await signIn({ ...me(), preferred_username: 'married' });
    expect((await ask('GET', '/api/auth/me', { as: body.access_token })).body.login).toBe(login);
    expect(await signIn({ sub: 'somebody else', preferred_username: login })).toMatchObject({
      ...{ status: 400, body: { error: 'openid_unknown_user' } },
    });
  });

  it('is unlinked by who administers the user, and shown to them', async () => {
    await signIn(me());
    const as = await server.signIn('admin');
    const read = async () => (await ask('GET', `/api/admin/users/${userId}`, { as })).body.openid;
    expect(await read()).toBe(true);
    const url = `/api/admin/users/${userId}/openid`;
    expect((await ask('DELETE', url, { as })).status).toBe(204);
    expect(await read()).toBe(false);
    expect((await signIn({ ...me(), sub: 'another account' })).status).toBe(200);
    const other = await server.signIn('second');
    expect((await ask('DELETE', url, { as: other })).status).toBe(404);
  });

  it('loses its sessions when the user is unlinked, and those by the password go on', async () => {
    const { body } = await signIn(me());
    const byPassword = await server.signIn(login);
    const as = await server.signIn('admin');
    const statuses = async () => [
      (await ask('GET', '/api/auth/me', { as: body.access_token })).status,
      (await ask('GET', '/api/auth/me', { as: byPassword })).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    expect((await ask('DELETE', `/api/admin/users/${userId}/openid`, { as })).status).toBe(204);
    expect(await statuses()).toEqual([401, 200]);
  });

  it('that is under way while the user is unlinked opens no session', async () => {
    await signIn(me());
    const { address, ticket } = await begin();
    // By the login the user would be linked again.
    const query = provider.signIn(address, { ...me(), preferred_username: 'married' });
    const { db } = server.deps.database;
    const underWay = await db.transaction().execute(async (tx) => {
      await unlinkOpenid(tx, { atMs: server.clock.nowMs() }, userId);
      const begun = finish(ticket, query);
      const blocked = expect.poll(async () => (await listBlocked(db)).length).toBe(1);
      await Promise.race([begun, blocked]);
      return { begun };
    });
    expect(await underWay.begun).toMatchObject({
      ...{ status: 400, body: { error: 'openid_unknown_user' } },
    });
  });

  it('makes no user, and lets nobody in who may not sign in', async () => {
    const stranger = { sub: 'stranger', preferred_username: 'nobody' };
    expect(await signIn(stranger)).toMatchObject({ body: { error: 'openid_unknown_user' } });
    const { db } = server.deps.database;
    await db.updateTable('users').set({ enabled: false }).where('id', '=', userId).execute();
    expect(await signIn(me())).toMatchObject({ status: 401, body: { error: 'user_inactive' } });
  });

  it('takes an answer once, from the browser that asked, within ten minutes', async () => {
    const refused = { status: 400, body: { error: 'openid_failed' } };
    const first = await begin();
    const second = await begin();
    const query = provider.signIn(first.address, me());
    expect(await finish(second.ticket, query)).toMatchObject(refused);
    expect((await finish(first.ticket, query)).status).toBe(200);
    expect(await finish(first.ticket, query)).toMatchObject(refused);
    const { ticket, address } = await begin();
    const late = provider.signIn(address, me());
    server.clock.advance(10 * 60_000 + 1_000);
    expect(await finish(ticket, late)).toMatchObject(refused);
    expect(await finish('no ticket', late)).toMatchObject(refused);
    const token = await server.signIn('admin');
    expect(await finish(token, late)).toMatchObject(refused);
  });

  it('refuses a token with another nonce, and says when the user turned back', async () => {
    const refused = { status: 400, body: { error: 'openid_failed' } };
    expect(await signIn({ ...me(), nonce: 'replayed' })).toMatchObject(refused);
    const { address, ticket } = await begin();
    const state = new URL(address).searchParams.get('state');
    const denied = `error=access_denied&state=${state}`;
    expect(await finish(ticket, denied)).toMatchObject(refused);
  });

  it('says that the provider is away, and works again after', async () => {
    const { address, ticket } = await begin();
    const query = provider.signIn(address, me());
    provider.options.isDown = true;
    expect(await finish(ticket, query)).toMatchObject({ status: 503 });
    // The cached metadata of the provider expire.
    server.clock.advance(3_600_000);
    expect(await ask('POST', PATH)).toMatchObject({ status: 503, body: { error: 'unavailable' } });
    provider.options.isDown = false;
    expect((await ask('POST', PATH)).status).toBe(200);
  });

  it('leaves the ticket and the answer good while the provider is away', async () => {
    const { address, ticket } = await begin();
    const query = provider.signIn(address, me());
    provider.options.isDown = true;
    expect((await finish(ticket, query)).status).toBe(503);
    provider.options.isDown = false;
    expect((await finish(ticket, query)).status).toBe(200);
    expect(await finish(ticket, query)).toMatchObject({ body: { error: 'openid_failed' } });
  });

  it('is in the log', async () => {
    await signIn(me());
    const rows = await server.deps.database.db
      .selectFrom('audit_log')
      .select('action')
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    expect(rows.map(({ action }) => action)).toEqual(['link_openid', 'sign_in']);
  });
});

describe('a login that is a mail address', () => {
  let other: TestServer;
  beforeAll(async () => {
    other = await createTestServer([addAuth], {
      ...provider.environment,
      OIDC_LOGIN_CLAIM: 'email',
    });
    const { first } = await insertTestFleet(other.deps.database.db);
    await insertTestUser(other.deps.database.db, 'who@buses.example', 'OPERATOR', first);
  });
  afterAll(() => other.close());

  it.each([
    [true, 200],
    [false, 400],
    [undefined, 400],
  ])('counts only if the provider has checked it: %s', async (email_verified, status) => {
    const { body } = await ask('POST', PATH, { of: other });
    const user = { sub: 'me', email: 'who@buses.example' };
    const told = email_verified === undefined ? user : { ...user, email_verified };
    const query = provider.signIn(body.address, told);
    const payload = { ticket: body.ticket, query };
    expect((await ask('PUT', PATH, { payload, of: other })).status).toBe(status);
    await other.deps.database.db
      .updateTable('users')
      .set({ openid_issuer: null, openid_subject: null })
      .execute();
  });
});

describe('an installation without a provider', () => {
  it.each([
    [{ OIDC_ISSUER: 'http://elsewhere.example' }, /^OIDC_ISSUER is invalid: must be an https/],
    [{ OIDC_ISSUER: 'https://id.example' }, /^OIDC_CLIENT_ID is needed/],
    [{ OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'a' }, /^PUBLIC_URL is needed/],
  ])('is told what is missing: %o', (environment, sentence) => {
    expect(() => readConfig(environment)).toThrow(sentence);
  });

  it('has no such sign-in', async () => {
    const plain = await createTestServer([addAuth]);
    expect((await ask('POST', PATH, { of: plain })).status).toBe(404);
    await plain.close();
  });
});
