import type { PublicSettings } from '@ridewatch/contract/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addSettings } from '../settings/api.ts';
import { insertTestClient, insertTestUser } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';
import { makeSetupLink } from './setup-links.ts';

const HOUR_MS = 3_600_000;
const chief = { login: 'chief', password: 'the first password' };

let server: TestServer;
beforeAll(async () => {
  server = await createTestServer([addAuth, addSettings]);
});
afterAll(() => server.close());
beforeEach(async () => {
  // Attempts of earlier tests no longer count.
  server.clock.advance(16 * 60_000);
  await server.deps.database.db.deleteFrom('refresh_tokens').execute();
  await server.deps.database.db.deleteFrom('sessions').execute();
  await server.deps.database.db.deleteFrom('users').execute();
});

const make = async () => {
  const link = await makeSetupLink(server.deps.database.db, server.clock.nowMs());
  return link?.replace(/^\/setup#/, '') ?? '';
};
async function ask(method: 'POST' | 'PUT', payload: object) {
  const answer = await server.app.inject({ method, url: '/api/auth/setup-link', payload });
  const body = answer.body === '' ? {} : answer.json();
  return { status: answer.statusCode, error: body.error, field: body.field };
}
const open = (token: string) => ask('POST', { token });
const use = (token: string, more: object = {}) => ask('PUT', { token, ...chief, ...more });
const DEAD = { status: 400, error: 'invalid_link' };

describe('the link of a new installation', () => {
  it('makes its administrator once, who may then sign in', async () => {
    const token = await make();
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(await open(token)).toMatchObject({ status: 204 });
    expect(await use(token)).toMatchObject({ status: 204 });
    await server.signIn(chief.login, chief.password);
    expect(await open(token)).toMatchObject(DEAD);
    expect(await use(token, { login: 'second' })).toMatchObject(DEAD);
    const { db } = server.deps.database;
    const users = await db.selectFrom('users').select(['login', 'role', 'client_id']).execute();
    expect(users).toEqual([{ login: 'chief', role: 'ADMIN', client_id: null }]);
    const audits = await db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('action', '=', 'create_first_administrator')
      .execute();
    expect(audits).toEqual([
      { action: 'create_first_administrator', after: { login: 'chief', role: 'ADMIN' } },
    ]);
  });

  it('is used by one of two requests at once', async () => {
    const token = await make();
    const both = await Promise.all([use(token), use(token, { login: 'other' })]);
    expect(both.map(({ status }) => status).sort()).toEqual([204, 400]);
  });

  it('works for 24 hours', async () => {
    const token = await make();
    server.clock.advance(24 * HOUR_MS - 1);
    expect(await open(token)).toMatchObject({ status: 204 });
    server.clock.advance(1);
    expect(await open(token)).toMatchObject(DEAD);
    expect(await use(token)).toMatchObject(DEAD);
  });

  it('ends with the next start, which makes another', async () => {
    const token = await make();
    const next = await make();
    expect(await open(token)).toMatchObject(DEAD);
    expect(await open(next)).toMatchObject({ status: 204 });
  });

  it('is dead once an administrator exists, however it was made', async () => {
    const token = await make();
    await insertTestUser(server.deps.database.db, 'by-hand', 'ADMIN', null);
    expect(await open(token)).toMatchObject(DEAD);
    expect(await use(token)).toMatchObject(DEAD);
    expect(await make()).toBe('');
  });

  it('stays when what was typed cannot be taken', async () => {
    const token = await make();
    expect(await use(token, { password: 'short' })).toMatchObject({
      ...{ status: 400, error: 'weak_password', field: 'password' },
    });
    expect(await use(token, { login: ' chief' })).toMatchObject({
      ...{ status: 400, error: 'invalid_request', field: 'login' },
    });
    expect(await use(token)).toMatchObject({ status: 204 });
  });

  it('counts wrong tokens of an address as failed sign-ins', async () => {
    for (let tried = 0; tried < 10; tried += 1) {
      expect(await open(`wrong${tried}`)).toMatchObject(DEAD);
    }
    expect(await open(await make())).toMatchObject({ status: 429 });
  });

  it('is named by the sign-in page as long as there is no administrator', async () => {
    const { db } = server.deps.database;
    await insertTestUser(db, 'viewer', 'OPERATOR', await insertTestClient(db, 'Клиент'));
    const app = await server.another();
    const settings = async () => (await app.inject('/api/settings')).json<PublicSettings>();
    const before = await settings();
    expect(before.needs_setup).toBe(true);
    const token = await make();
    expect(await settings()).toEqual(before);
    expect(await use(token)).toMatchObject({ status: 204 });
    expect(await settings()).toEqual({ ...before, needs_setup: false });
  });
});
