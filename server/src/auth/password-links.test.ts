import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { listBlocked } from '../test/blocked.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { startMailServer } from '../test/receivers.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';

const NEW_PASSWORD = 'another long password';
const HOUR_MS = 3_600_000;

let server: TestServer;
let fleet: TestFleet;
let mailbox: Awaited<ReturnType<typeof startMailServer>>;
let isMailboxFull = false;
const tokens: Record<string, string> = {};
let userId: number;
let made = 0;

beforeAll(async () => {
  mailbox = await startMailServer(() => isMailboxFull);
  server = await createTestServer([addAuth, addAdministration], { SMTP_URL: mailbox.url });
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(async () => {
  await server.close();
  await mailbox.close();
});
beforeEach(async () => {
  // Attempts of earlier tests no longer count, and tokens have expired.
  server.clock.advance(16 * 60_000);
  for (const login of ['admin', 'integrator', 'first']) tokens[login] = await server.signIn(login);
  made += 1;
  userId = await insertTestUser(server.deps.database.db, `who${made}`, 'OPERATOR', fleet.first);
  mailbox.mails.length = 0;
  isMailboxFull = false;
});

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
  more = {},
) {
  const answer = await server.app.inject({ method, url, ...(body && { payload: body }), ...more });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}
const make = (by: string, body: object = {}, id = userId, headers = {}) =>
  ask('POST', `/api/admin/users/${id}/password-link`, body, {
    headers: { authorization: `Bearer ${tokens[by]}`, ...headers },
  });
const tokenOf = (path: string) => path.split('#')[1] ?? '';
const makeToken = async () => tokenOf((await make('admin')).body.path);
const open = (token: string) => ask('POST', '/api/auth/password-link', { token });
const set = (token: string, new_password = NEW_PASSWORD, more = {}) =>
  ask('PUT', '/api/auth/password-link', { token, new_password }, more);
const without = ({ status, body }: { status: number; body: object }) => ({
  status,
  body: { ...body, requestId: '' },
});

describe('a link for a new password', () => {
  it('ends when its user gets other rights or another password, and when the customer changes hands', async () => {
    const { body: user } = await ask('GET', `/api/admin/users/${userId}`, undefined, {
      headers: { authorization: `Bearer ${tokens.admin}` },
    });
    const change = (url: string, body: object) =>
      ask('PUT', url, body, { headers: { authorization: `Bearer ${tokens.admin}` } });
    const first = tokenOf((await make('integrator')).body.path);
    const rights = { version: user.version, role: 'ADMIN', client_id: null };
    expect((await change(`/api/admin/users/${userId}`, rights)).status).toBe(200);
    expect((await open(first)).status).toBe(400);

    const other = await insertTestUser(
      server.deps.database.db,
      `next${made}`,
      'OPERATOR',
      fleet.first,
    );
    const second = tokenOf((await make('integrator', {}, other)).body.path);
    expect((await open(second)).status).toBe(200);
    const url = `/api/admin/customers/${fleet.first}`;
    expect((await change(url, { version: 0, integrator_ids: [] })).status).toBe(200);
    expect((await open(second)).status).toBe(400);
    const back = { version: 1, integrator_ids: [fleet.integrator] };
    expect((await change(url, back)).status).toBe(200);
  });

  it('ends when its user sees more than its maker, because the customer becomes an integrator', async () => {
    const as = (by: string) => ({ headers: { authorization: `Bearer ${tokens[by]}` } });
    const url = `/api/admin/customers/${fleet.second}`;
    const setIntegrators = async (integrator_ids: number[]) => {
      const { version } = (await ask('GET', url, undefined, as('admin'))).body;
      const change = { version, integrator_ids };
      expect((await ask('PUT', url, change, as('admin'))).status).toBe(200);
    };
    const token = tokenOf((await make('integrator')).body.path);
    const { db } = server.deps.database;
    const ofIntegrator = await insertTestUser(db, `own${made}`, 'OPERATOR', fleet.integrator);
    const own = tokenOf((await make('admin', {}, ofIntegrator)).body.path);
    await setIntegrators([fleet.first, fleet.integrator]);
    expect((await open(token)).status).toBe(200);
    await setIntegrators([fleet.integrator]);
    await setIntegrators([fleet.first]);
    expect((await open(token)).status).toBe(400);
    await setIntegrators([fleet.integrator]);
    expect((await open(own)).status).toBe(200);
    await setIntegrators([]);
  });

  it('sets the password once and ends every session', async () => {
    const login = `who${made}`;
    const session = await server.signIn(login);
    const { status, body } = await make('admin');
    expect(status).toBe(200);
    expect(body.path).toMatch(/^\/new-password#[\w-]{43}$/);
    expect(Date.parse(body.expires_at)).toBe(server.clock.nowMs() + 24 * HOUR_MS);
    const token = tokenOf(body.path);
    expect(await open(token)).toMatchObject({ status: 200, body: { login } });
    expect((await set(token)).status).toBe(204);
    const headers = { authorization: `Bearer ${session}` };
    expect((await ask('GET', '/api/auth/me', undefined, { headers })).status).toBe(401);
    await expect(server.signIn(login)).rejects.toThrow('invalid_grant');
    await server.signIn(login, NEW_PASSWORD);
    expect(await set(token, 'a third long password')).toMatchObject({ status: 400 });
    await server.signIn(login, NEW_PASSWORD);
  });

  it('answers alike when it was used, has expired, was replaced, or never existed', async () => {
    const unknown = without(await open('x'.repeat(43)));
    expect(unknown).toMatchObject({ status: 400, body: { error: 'invalid_link' } });
    const used = await makeToken();
    await set(used);
    const replaced = await makeToken();
    const expired = await makeToken();
    expect(without(await open(used))).toEqual(unknown);
    expect(without(await open(replaced))).toEqual(unknown);
    server.clock.advance(24 * HOUR_MS - 1);
    expect((await open(expired)).status).toBe(200);
    server.clock.advance(1);
    expect(without(await open(expired))).toEqual(unknown);
    expect(without(await set(expired))).toEqual(unknown);
  });

  it('of a user who may not sign in says so and sets nothing, nor is another one made', async () => {
    const { db } = server.deps.database;
    const token = await makeToken();
    const block = (enabled: boolean, status: number) =>
      Promise.all([
        db.updateTable('users').set({ enabled }).where('id', '=', userId).execute(),
        db.updateTable('clients').set({ status }).where('id', '=', fleet.first).execute(),
      ]);
    await block(false, 1);
    const inactive = { status: 401, body: { error: 'user_inactive' } };
    expect(await open(token)).toMatchObject(inactive);
    expect(await set(token)).toMatchObject(inactive);
    expect(await make('admin')).toMatchObject({ status: 409, body: { field: 'userId' } });
    await block(true, 3);
    expect(await set(token)).toMatchObject({ status: 403, body: { error: 'user_blocked' } });
    expect((await make('admin')).status).toBe(409);
    await block(true, 1);
    expect((await set(token)).status).toBe(204);
  });

  it('asks for a password that is long enough, and stays valid meanwhile', async () => {
    const token = await makeToken();
    expect(await set(token, 'short')).toMatchObject({
      status: 400,
      body: { error: 'weak_password', field: 'new_password' },
    });
    expect((await set(token)).status).toBe(204);
  });

  it('sets the password for one of two who use it at once', async () => {
    const token = await makeToken();
    const answers = await Promise.all([set(token), set(token, 'a third long password')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it('and the end of all sessions of its user do not wait for each other', async () => {
    const { db } = server.deps.database;
    const session = await server.signIn(`who${made}`);
    const token = await makeToken();
    const blocked = (count: number) =>
      vi.waitFor(async () => expect(await listBlocked(db)).toHaveLength(count));
    const answers = await db.transaction().execute(async (tx) => {
      await tx.selectFrom('sessions').where('user_id', '=', userId).forUpdate().execute();
      const headers = { authorization: `Bearer ${session}` };
      const ended = ask('DELETE', '/api/auth/sessions', undefined, { headers });
      await blocked(1);
      const used = set(token);
      await blocked(2);
      return [ended, used];
    });
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([204, 400]);
  });

  it('is guessed as slowly as a password', async () => {
    const token = await makeToken();
    const guess = () => ask('POST', '/api/auth/password-link', { token: 'guess' });
    for (let tried = 0; tried < 10; tried += 1) expect((await guess()).status).toBe(400);
    expect(await guess()).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } });
    expect((await set(token)).status).toBe(429);
    expect((await set(token, NEW_PASSWORD, { remoteAddress: '10.0.0.9' })).status).toBe(204);
  });

  it('is stored as a hash, and in the audit log without its token', async () => {
    const token = await makeToken();
    await set(token);
    const { rows } = await server.deps.database.pool.query(
      `select (select json_agg(password_links) from password_links)::text as links,
        json_agg(audit_log order by id) as rows from audit_log where object_id = $1`,
      [String(userId)],
    );
    expect(JSON.stringify(rows)).not.toContain(token);
    expect(rows[0].rows).toMatchObject([
      { action: 'make_password_link' },
      { action: 'set_password_by_link', user_id: userId },
    ]);
  });
});

describe('who makes links', () => {
  it('are integrators for users of their customers, never for who sees more', async () => {
    const { db } = server.deps.database;
    const id = async (login: string) =>
      (await db.selectFrom('users').select('id').where('login', '=', login).executeTakeFirst())?.id;
    expect((await make('integrator')).status).toBe(200);
    expect((await make('integrator', {}, await id('second'))).status).toBe(404);
    expect((await make('integrator', {}, await id('admin'))).status).toBe(404);
    expect((await make('integrator', {}, await id('integrator'))).status).toBe(403);
    expect((await make('first')).status).toBe(403);
  });
});

describe('the mail with a link', () => {
  it('leads to the page as the administrator sees its address', async () => {
    const headers = { origin: 'https://buses.example', 'accept-language': 'en-US' };
    const { body } = await make('admin', { mail_to: 'ivan@example.org' }, userId, headers);
    expect(body.mail).toBe('sent');
    expect(mailbox.mails).toMatchObject([{ to: ['ivan@example.org'] }]);
    const said = mailbox.mails[0]?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=') ?? '';
    expect(said).toContain(`https://buses.example${body.path}`);
  });

  it('leads to the public address of the installation if it has one', async () => {
    const env = { SMTP_URL: mailbox.url, PUBLIC_URL: 'https://ridewatch.example' };
    const known = await createTestServer([addAuth, addAdministration], env);
    try {
      const { first } = await insertTestFleet(known.deps.database.db);
      const id = await insertTestUser(known.deps.database.db, 'anna', 'OPERATOR', first);
      await known.app.inject({
        method: 'POST',
        url: `/api/admin/users/${id}/password-link`,
        headers: {
          authorization: `Bearer ${await known.signIn('admin')}`,
          origin: 'https://evil.example',
        },
        payload: { mail_to: 'anna@example.org' },
      });
    } finally {
      await known.close();
    }
    const said = mailbox.mails[0]?.text.replaceAll('=\r\n', '') ?? '';
    expect(said).toContain('https://ridewatch.example/new-password#');
    expect(said).not.toContain('evil');
  });

  it('is not sent where there is no mail server, which the answer says, and the link works', async () => {
    const silent = await createTestServer([addAuth, addAdministration]);
    try {
      const { first } = await insertTestFleet(silent.deps.database.db);
      const id = await insertTestUser(silent.deps.database.db, 'anna', 'OPERATOR', first);
      const headers = { authorization: `Bearer ${await silent.signIn('admin')}` };
      const url = `/api/admin/users/${id}/password-link`;
      const payload = { mail_to: 'anna@example.org' };
      const made = await silent.app.inject({ method: 'POST', url, headers, payload });
      expect(made.json()).toMatchObject({ mail: 'unavailable' });
      const token = tokenOf(made.json().path);
      const opened = {
        method: 'POST',
        url: '/api/auth/password-link',
        payload: { token },
      } as const;
      expect((await silent.app.inject(opened)).json()).toEqual({ login: 'anna' });
    } finally {
      await silent.close();
    }
    expect(mailbox.mails).toEqual([]);
  });

  it('that is refused leaves the link to be passed on', async () => {
    isMailboxFull = true;
    const { status, body } = await make('admin', { mail_to: 'ivan@example.org' });
    expect([status, body.mail]).toEqual([200, 'failed']);
    expect((await open(tokenOf(body.path))).status).toBe(200);
    expect((await make('admin', { mail_to: 'no address' })).status).toBe(400);
  });
});
