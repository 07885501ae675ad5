import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listBlocked } from '../test/blocked.ts';
import { insertTestClient, insertTestFleet, insertTestUser } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { revokeSessions, setPassword } from './accounts.ts';
import { addAuth } from './api.ts';
import { hashPassword } from './passwords.ts';
import { insertSession } from './session-rows.ts';

const CLIENT = `Basic ${Buffer.from('ridewatch-web:').toString('base64')}`;

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([addAuth]);
  const { db } = server.deps.database;
  const fleet = await insertTestFleet(db);
  await insertTestUser(db, 'blocked', 'CUSTOMER', await insertTestClient(db, 'Должник', 3));
  const archived = await insertTestClient(db, 'Архив', 4);
  await insertTestUser(db, 'archived', 'CUSTOMER', archived);
  await insertTestUser(db, 'their-operator', 'OPERATOR', archived);
  await insertTestUser(db, 'colleague', 'OPERATOR', fleet.first);
});
afterAll(() => server.close());

async function token(form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: {
      authorization: CLIENT,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams(form).toString(),
  });
  return { status: answer.statusCode, headers: answer.headers, body: answer.json() };
}
const withPassword = (username: string, password = PASSWORD) =>
  token({ grant_type: 'password', username, password });
const withRefresh = (refresh_token: string) =>
  token({ grant_type: 'refresh_token', refresh_token });

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  access: string,
  body?: unknown,
  app = server.app,
) {
  const answer = await app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${access}` },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? undefined : answer.json() };
}

describe('signing in', () => {
  it('gives tokens for the right password, in any case of the login', async () => {
    const { status, body } = await withPassword('ADMIN');
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'bearer', expires_in: 900 });
    expect(await ask('GET', '/api/auth/me', body.access_token)).toMatchObject({
      status: 200,
      body: { login: 'admin', role: 'ADMIN', client_id: null, can_edit: true },
    });
  });

  it('tells the user who they are: of a customer, or the customers they administer', async () => {
    const meOf = async (login: string) => {
      const { body } = await withPassword(login);
      return (await ask('GET', '/api/auth/me', body.access_token)).body;
    };
    expect(await meOf('first')).toMatchObject({
      ...{ role: 'CUSTOMER', integrator_clients: [], name: 'Первый', status: 1, enabled: true },
      surname: expect.any(String),
      id: expect.any(Number),
      client_id: expect.any(Number),
    });
    expect(await meOf('integrator')).toMatchObject({
      role: 'INTEGRATOR',
      integrator_clients: [expect.any(Number)],
    });
  });

  it('answers an unknown login like a wrong password', async () => {
    const { body: wrong } = await withPassword('first', 'not the password');
    const { status, body: unknown } = await withPassword('nobody at all', 'not the password');
    expect(status).toBe(400);
    expect({ ...unknown, requestId: '' }).toEqual({ ...wrong, requestId: '' });
  });

  it.each([
    ['blocked', 403, 'user_blocked'],
    ['archived', 401, 'user_inactive'],
    ['their-operator', 401, 'user_inactive'],
  ])(
    'tells %s of the state of the account only after the right password',
    async (login, status, error) => {
      expect(await withPassword(login)).toMatchObject({ status, body: { error } });
      expect(await withPassword(login, 'wrong')).toMatchObject({ status: 400 });
    },
  );

  it.each([
    [
      'a login of 10,000 characters',
      { grant_type: 'password', username: 'x'.repeat(10_000), password: 'p' },
      'username',
    ],
    ['no password', { grant_type: 'password', username: 'first' }, 'password'],
    ['an unknown grant', { grant_type: 'magic' }, 'grant_type'],
    ['nothing', {}, 'grant_type'],
  ])('refuses %s and names the field', async (_name, form, field) => {
    expect(await token(form)).toMatchObject({ status: 400, body: { field } });
  });

  it('takes forms of the fixed client alone', async () => {
    const form = { grant_type: 'password', username: 'first', password: PASSWORD };
    const other = { authorization: `Basic ${Buffer.from('other:').toString('base64')}` };
    expect(await token(form, other)).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    const asJson = await server.app.inject({
      method: 'POST',
      url: '/oauth/token',
      headers: { authorization: CLIENT },
      payload: form,
    });
    expect(asJson.statusCode).toBe(415);
  });

  it('is slowed down after ten failures for a login, until fifteen minutes have passed', async () => {
    for (let failure = 0; failure < 10; failure += 1) await withPassword('second', 'wrong');
    const limited = await withPassword('second');
    expect(limited).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } });
    expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0);
    expect(await withPassword('first')).toMatchObject({ status: 200 });
    server.clock.advance(15 * 60_000 + 1000);
    expect(await withPassword('second')).toMatchObject({ status: 200 });
  });
});

describe('a session', () => {
  it('is renewed by a token that works once, and once more within 30 s', async () => {
    const { body: first } = await withPassword('first');
    const { body: second } = await withRefresh(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    server.clock.advance(29_000);
    expect(await withRefresh(first.refresh_token)).toMatchObject({ status: 200 });
  });

  it('ends as a whole when a used token is shown later', async () => {
    const { body: first } = await withPassword('first');
    const { body: second } = await withRefresh(first.refresh_token);
    server.clock.advance(31_000);
    expect(await withRefresh(first.refresh_token)).toMatchObject({ status: 400 });
    expect(await withRefresh(second.refresh_token)).toMatchObject({ status: 400 });
    expect(await ask('GET', '/api/auth/me', second.access_token)).toMatchObject({ status: 401 });
  });

  it('lasts fifteen minutes without being renewed', async () => {
    const { body } = await withPassword('first');
    server.clock.advance(15 * 60_000 + 1000);
    expect(await ask('GET', '/api/auth/me', body.access_token)).toMatchObject({ status: 401 });
    expect(await withRefresh(body.refresh_token)).toMatchObject({ status: 200 });
  });

  it('that is signed out is over within 5 s in every other process too', async () => {
    const other = await server.another();
    const { body } = await withPassword('first');
    expect(await ask('GET', '/api/auth/me', body.access_token, undefined, other)).toMatchObject({
      status: 200,
    });
    expect(await ask('POST', '/api/auth/logout', body.access_token)).toMatchObject({ status: 204 });
    expect(await ask('GET', '/api/auth/me', body.access_token)).toMatchObject({ status: 401 });
    server.clock.advance(5000);
    expect(await ask('GET', '/api/auth/me', body.access_token, undefined, other)).toMatchObject({
      status: 401,
    });
    expect(await withRefresh(body.refresh_token)).toMatchObject({ status: 400 });
  });

  it('ends within 5 s when its customer is blocked, and says so', async () => {
    const { db } = server.deps.database;
    const { body } = await withPassword('colleague');
    const me = await ask('GET', '/api/auth/me', body.access_token);
    const setStatus = (status: number) =>
      db.updateTable('clients').set({ status }).where('id', '=', me.body.client_id).execute();
    await setStatus(3);
    server.clock.advance(5000);
    expect(await ask('GET', '/api/auth/me', body.access_token)).toMatchObject({
      status: 403,
      body: { error: 'user_blocked' },
    });
    await setStatus(1);
    server.clock.advance(5000);
  });

  it('of a user who is disabled ends with that reason, not as one that has expired', async () => {
    const { db } = server.deps.database;
    const { body } = await withPassword('colleague');
    const { id } = (await ask('GET', '/api/auth/me', body.access_token)).body;
    const setEnabled = (enabled: boolean) =>
      db.updateTable('users').set({ enabled }).where('id', '=', id).execute();
    await setEnabled(false);
    // As an administrator's change does.
    await revokeSessions(db, { userId: id }, 'set_user', server.clock.nowMs());
    server.clock.advance(5000);
    const checked = await ask('GET', '/api/auth/session', body.access_token);
    expect(checked).toMatchObject({ status: 401 });
    expect(await withRefresh(body.refresh_token)).toMatchObject({
      status: 401,
      body: { error: 'user_inactive' },
    });
    await setEnabled(true);
    server.clock.advance(5000);
    expect(await withRefresh(body.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'session_ended' },
    });
  });

  it('that was ended is told from one that has expired, and a stranger learns neither', async () => {
    const { body: here } = await withPassword('integrator');
    const { body: there } = await withPassword('integrator');
    expect((await ask('DELETE', '/api/auth/sessions', here.access_token)).status).toBe(204);
    expect(await withRefresh(there.refresh_token)).toMatchObject({
      status: 400,
      body: { error: 'session_ended' },
    });
    const { body: left } = await withPassword('integrator');
    server.clock.advance(31 * 24 * 3_600_000);
    const { status, body: expired } = await withRefresh(left.refresh_token);
    expect([status, expired.error]).toEqual([400, 'invalid_grant']);
    const { body: guessed } = await withRefresh('a token that nobody has');
    expect({ ...guessed, requestId: '' }).toEqual({ ...expired, requestId: '' });
  });

  it('is listed with the others, and any of them can be ended', async () => {
    const { body: here } = await withPassword('integrator');
    const { body: there } = await withPassword('integrator');
    const { body } = await ask('GET', '/api/auth/sessions', here.access_token);
    const other = body.items.find((item: { current: boolean }) => !item.current);
    expect(body.items.filter((item: { current: boolean }) => item.current)).toHaveLength(1);
    expect(await ask('DELETE', `/api/auth/sessions/${other.id}`, here.access_token)).toMatchObject({
      status: 204,
    });
    expect(await ask('GET', '/api/auth/me', there.access_token)).toMatchObject({ status: 401 });
    expect(await ask('DELETE', `/api/auth/sessions/${other.id}`, here.access_token)).toMatchObject({
      status: 404,
    });
    expect(await ask('DELETE', '/api/auth/sessions', here.access_token)).toMatchObject({
      status: 204,
    });
    expect(await ask('GET', '/api/auth/me', here.access_token)).toMatchObject({ status: 401 });
  });
});

describe('more sessions than the list has', () => {
  /** Opens sessions that are used after all others. */
  const openLater = async (login: string, count: number): Promise<void> => {
    const { db } = server.deps.database;
    const { id: userId } = await db
      .selectFrom('users')
      .select('id')
      .where('login', '=', login)
      .executeTakeFirstOrThrow();
    const session = { userId, address: '10.0.0.1', userAgent: 'curl/8.5.0' };
    const nowMs = server.clock.nowMs() + 1000;
    for (let at = 0; at < count; at += 1) await insertSession(db, { ...session, nowMs });
  };

  it('are counted, and the one in use is always listed', async () => {
    const { body: here } = await withPassword('integrator');
    await openLater('integrator', 120);
    const { body } = await ask('GET', '/api/auth/sessions', here.access_token);
    expect([body.items.length, body.total]).toEqual([100, 121]);
    expect(body.items[0]).toMatchObject({ current: true });
  });

  it('all end when their user signs out everywhere', async () => {
    const { body: here } = await withPassword('integrator');
    await openLater('integrator', 120);
    expect((await ask('DELETE', '/api/auth/sessions', here.access_token)).status).toBe(204);
    const { body: again } = await withPassword('integrator');
    const { body } = await ask('GET', '/api/auth/sessions', again.access_token);
    expect([body.items.length, body.total]).toEqual([1, 1]);
  });
});

describe('changing the password', () => {
  const change = (access: string, old_password: string, new_password: string) =>
    ask('PUT', '/api/auth/password', access, { old_password, new_password });

  it('needs the old one and a new one of ten characters, and ends the other sessions', async () => {
    const { body: here } = await withPassword('operator');
    const { body: there } = await withPassword('operator');
    expect(await change(here.access_token, 'wrong', 'a new long password')).toMatchObject({
      status: 400,
      body: { error: 'wrong_password', field: 'old_password' },
    });
    expect(await change(here.access_token, PASSWORD, 'too short')).toMatchObject({
      status: 400,
      body: { error: 'weak_password', field: 'new_password' },
    });
    expect(await change(here.access_token, PASSWORD, 'a new long password')).toMatchObject({
      status: 204,
    });
    expect(await ask('GET', '/api/auth/me', here.access_token)).toMatchObject({ status: 200 });
    expect(await ask('GET', '/api/auth/me', there.access_token)).toMatchObject({ status: 401 });
    expect(await withPassword('operator')).toMatchObject({ status: 400 });
    expect(await withPassword('operator', 'a new long password')).toMatchObject({ status: 200 });
  });

  it.each([
    ['a sign-in', (login: string) => withPassword(login), 'invalid_grant'],
    [
      'another change',
      (_login: string, access: string) => change(access, PASSWORD, 'the password of a thief'),
      'wrong_password',
    ],
  ])('refuses %s with the old one that was under way', async (_name, begin, error) => {
    const { db } = server.deps.database;
    const login = `robbed of ${error}`;
    const userId = await insertTestUser(db, login, 'ADMIN', null);
    const { body } = await withPassword(login);
    const passwordHash = await hashPassword('the password of the owner');
    const underWay = await db.transaction().execute(async (tx) => {
      await setPassword(tx, { userId, passwordHash }, server.clock.nowMs());
      const begun = begin(login, body.access_token);
      const blocked = expect.poll(async () => (await listBlocked(db)).length).toBe(1);
      await Promise.race([begun, blocked]);
      return { begun };
    });
    expect(await underWay.begun).toMatchObject({ status: 400, body: { error } });
    expect(await withPassword(login, 'the password of the owner')).toMatchObject({ status: 200 });
    const open = await db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .execute();
    expect(open).toHaveLength(1);
  });

  it('writes one audit row, without the passwords', async () => {
    const rows = await server.deps.database.db
      .selectFrom('audit_log')
      .selectAll()
      .where('action', '=', 'change_password')
      .execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain('long password');
  });
});
