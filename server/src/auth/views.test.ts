import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { CLIENT_ID } from '@ridewatch/contract/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { addBuses } from '../buses/api.ts';
import { addMerges } from '../merges/api.ts';
import { addReports } from '../reports/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestMerge } from '../test/merge.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addVideo } from '../video/api.ts';
import { addAuth } from './api.ts';

const MINUTE_MS = 60_000;
const FILE = Buffer.from('bytes of a file');
let server: TestServer;
let fleet: TestFleet;
let admin: string;

beforeAll(async () => {
  const files = [addVideo, addMerges, addReports];
  server = await createTestServer([addAuth, addAdministration, addBuses, ...files]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.advance(16 * MINUTE_MS);
  admin = await server.signIn('admin');
});

async function ask(method: 'GET' | 'POST' | 'PUT', url: string, as = admin, payload?: object) {
  const headers = { authorization: `Bearer ${as}` };
  const answer = await server.app.inject({ method, url, headers, ...(payload && { payload }) });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}
async function idOf(login: string): Promise<number> {
  const row = await server.deps.database.db
    .selectFrom('users')
    .select('id')
    .where('login', '=', login)
    .executeTakeFirstOrThrow();
  return row.id;
}
const begin = async (login: string, as = admin) =>
  ask('POST', `/api/admin/users/${await idOf(login)}/view`, as);
const view = async (login = 'first') => (await begin(login)).body.access_token as string;
async function renew(refresh_token: string) {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }).toString(),
  });
  return { status: answer.statusCode, body: answer.json() };
}
/** Lets the session cache of the process expire. */
const later = () => server.clock.advance(3_000);
const store = async () => {
  const storage_key = `video/${randomUUID()}`;
  await server.deps.storage.put(storage_key, Readable.from([FILE]));
  const sha256 = createHash('sha256').update(FILE).digest();
  return { storage_key, sha256, size_bytes: FILE.length };
};
async function insertMerge(startMs: number): Promise<number> {
  const { db } = server.deps.database;
  const { firstBus, first } = fleet;
  const made = { status: 'COMPLETE', at: new Date(startMs) } as const;
  const id = await insertTestMerge(db, firstBus, first, made);
  await db
    .updateTable('merge_requests')
    .set(await store())
    .where('id', '=', id)
    .execute();
  return id;
}
async function insertReport(userId: number): Promise<number> {
  const kind = 'test-export';
  const { id } = await server.deps.database.db
    .insertInto('reports')
    .values({
      ...{ user_id: userId, kind, status: 'COMPLETE', created_at: new Date(), ...(await store()) },
      parameters: JSON.stringify({ kind, from: '2026-11-20', to: '2026-11-20' }),
      bus_ids: [fleet.firstBus.busId],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}
const namesOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
  body.items.map(({ name }: { name: string }) => name);

describe('a view as another user', () => {
  it('sees what the user sees, and says who looks', async () => {
    const token = await view();
    expect((await ask('GET', '/api/auth/me', token)).body).toMatchObject({
      ...{ login: 'first', role: 'CUSTOMER', viewed_by: 'admin' },
    });
    expect(namesOf(await ask('GET', '/api/bus_list', token))).toEqual(['Автобус 10']);
    expect((await ask('GET', '/api/auth/me')).body).toMatchObject({
      ...{ viewed_by: null, viewed_until: null },
    });
  });

  it('changes nothing, nor opens another view', async () => {
    const token = await view('integrator');
    const refused = { status: 403, body: { error: 'read_only_view' } };
    const user = await idOf('first');
    expect(await ask('PUT', `/api/admin/users/${user}`, token, { enabled: false })).toMatchObject(
      refused,
    );
    expect(await begin('second', token)).toMatchObject(refused);
    const passwords = { old_password: 'a', new_password: 'b' };
    expect(await ask('PUT', '/api/auth/password', token, passwords)).toMatchObject(refused);
    expect((await ask('GET', `/api/admin/users/${user}`)).body.enabled).toBe(true);
  });

  it('is opened by administrators only, and for those who may sign in and see less', async () => {
    const integrator = await server.signIn('integrator');
    expect(await begin('first', integrator)).toMatchObject({ status: 403 });
    expect(await begin('second', await server.signIn('first'))).toMatchObject({ status: 404 });
    expect(await begin('admin')).toMatchObject({ status: 409 });
    const { db } = server.deps.database;
    await db.updateTable('users').set({ enabled: false }).where('login', '=', 'second').execute();
    expect(await begin('second')).toMatchObject({ status: 409 });
    await db.updateTable('users').set({ enabled: true }).where('login', '=', 'second').execute();
    expect(await ask('POST', '/api/admin/users/999999/view')).toMatchObject({ status: 404 });
  });

  it('is in the log with the administrator, and is no visit of the user', async () => {
    const own = await server.signIn('operator');
    const userId = await idOf('operator');
    const lastUsed = async () => (await ask('GET', `/api/admin/users/${userId}`)).body.last_used_at;
    const before = await lastUsed();
    const sessions = async () => (await ask('GET', '/api/auth/sessions', own)).body.items.length;
    const count = await sessions();
    server.clock.advance(MINUTE_MS);
    const token = await view('operator');
    expect([await lastUsed(), await sessions()]).toEqual([before, count]);
    expect((await ask('POST', '/api/auth/logout', token)).status).toBe(204);
    const by = await idOf('admin');
    expect(await listAudits('begin_view', 'end_view')).toEqual([
      { action: 'begin_view', user_id: by, object_id: String(userId) },
      { action: 'end_view', user_id: by, object_id: null },
    ]);
  });

  it('gets videos, merges and reports in the name of the administrator, and sends no merge', async () => {
    const { db } = server.deps.database;
    const startMs = server.clock.nowMs() - MINUTE_MS;
    const stored = { startMs, lengthMs: 2000, video: FILE };
    const fragmentId = await insertStoredFragment(server, fleet.firstBus, stored);
    const [viewed, own] = [await insertMerge(startMs), await insertMerge(startMs)];
    const reportId = await insertReport(await idOf('first'));
    const download = async (url: string, as: string) => {
      const headers = { authorization: `Bearer ${as}` };
      const answer = await server.app.inject({ url, headers });
      expect([answer.statusCode, answer.rawPayload]).toEqual([200, FILE]);
    };
    const token = await view();
    await download(`/api/download/${fragmentId}?processed=0`, token);
    await download(`/api/concatenated-medias/download/${viewed}`, token);
    await download(`/api/reports/${reportId}/download`, token);
    await download(`/api/concatenated-medias/download/${own}`, await server.signIn('first'));
    const statusOf = async (id: number) =>
      (
        await db
          .selectFrom('merge_requests')
          .select('status')
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
      ).status;
    await expect.poll(() => statusOf(own)).toBe('SENT');
    expect(await statusOf(viewed)).toBe('COMPLETE');
    const by = await idOf('admin');
    expect(await listAudits('download_video', 'download_merge', 'download_report')).toEqual([
      { action: 'download_video', user_id: by, object_id: `${fragmentId}` },
      { action: 'download_merge', user_id: by, object_id: `${viewed}` },
      { action: 'download_report', user_id: by, object_id: `${reportId}` },
      { action: 'download_merge', user_id: await idOf('first'), object_id: `${own}` },
    ]);
  });

  it('ends with the session that opened it', async () => {
    const token = await view();
    expect((await ask('POST', '/api/auth/logout')).status).toBe(204);
    later();
    expect(await ask('GET', '/api/auth/me', token)).toMatchObject({ status: 401 });
  });

  it('ends after an hour, however often it is renewed', async () => {
    let tokens = (await begin('first')).body;
    const endsAt = new Date(server.clock.nowMs() + 60 * MINUTE_MS).toISOString();
    const saidEnd = async () =>
      (await ask('GET', '/api/auth/me', tokens.access_token)).body.viewed_until;
    expect(await saidEnd()).toBe(endsAt);
    for (let minute = 10; minute < 60; minute += 10) {
      server.clock.advance(10 * MINUTE_MS);
      const renewed = await renew(tokens.refresh_token);
      expect(renewed.status).toBe(200);
      tokens = renewed.body;
    }
    expect(tokens.expires_in).toBe(10 * 60);
    expect(await saidEnd()).toBe(endsAt);
    server.clock.advance(10 * MINUTE_MS);
    expect(await renew(tokens.refresh_token)).toMatchObject({ status: 400 });
    expect(await ask('GET', '/api/auth/me', tokens.access_token)).toMatchObject({ status: 401 });
  });
});

const listAudits = (...actions: string[]) =>
  server.deps.database.db
    .selectFrom('audit_log')
    .select(['action', 'user_id', 'object_id'])
    .where('action', 'in', actions)
    .where('at', '=', new Date(server.clock.nowMs()))
    .orderBy('id')
    .execute();
