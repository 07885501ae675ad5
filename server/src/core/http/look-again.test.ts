// Callers who lose their rights while the body of their call comes.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { addAdministration } from '../../administration/api.ts';
import { buildApp } from '../../app.ts';
import { addAuth } from '../../auth/api.ts';
import { createAuthenticators } from '../../auth/authenticators.ts';
import { addIngest } from '../../ingest/http/api.ts';
import { addLivePush } from '../../live/push-api.ts';
import { insertTestFleet, insertTestUser, type TestBus, type TestFleet } from '../../test/fleet.ts';
import { createTestServer, KNOWN_MS, type TestServer } from '../../test/test-deps.ts';
import type { Authenticators } from './http.ts';

let server: TestServer;
let fleet: TestFleet;
let auth: Authenticators;
let app: FastifyInstance;
beforeAll(async () => {
  server = await createTestServer([addAuth]);
  fleet = await insertTestFleet(server.deps.database.db);
  auth = await createAuthenticators(server.deps);
  app = await buildApp(server.deps, auth, [addAuth, addAdministration, addIngest, addLivePush]);
  await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await server.close();
});

/**
 * Sends the head of a call and the first bytes of its body, and waits until the server knows the caller.
 * @returns sends the rest, and gives the answer
 */
async function begin(
  caller: 'viewer' | 'unit',
  path: string,
  bearer: string,
  body: object,
  method = 'POST',
) {
  const text = JSON.stringify(body);
  const known = vi.spyOn(auth, caller);
  const request = http.request({
    ...{ port: (app.server.address() as AddressInfo).port, path, method },
    headers: {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
    },
  });
  const answered = once(request, 'response');
  request.write(text.slice(0, 5));
  await expect.poll(() => known.mock.settledResults.at(-1)?.type).toBe('fulfilled');
  known.mockRestore();
  return async () => {
    request.end(text.slice(5));
    const [answer] = (await answered) as [IncomingMessage];
    return { status: answer.statusCode, body: await json(answer) };
  };
}

/** A table that makes an administrator. */
const tableOf = (login: string) => ({
  ...{ kind: 'users', heading: 1, file: 'a.xlsx', language: 'en_US' },
  ...{ columns: ['login', 'role'], rows: [[login, 'administrator']] },
});
const IMPORT = '/api/admin/import';

async function isThere(login: string): Promise<boolean> {
  const { db } = server.deps.database;
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', login)
    .executeTakeFirst();
  return row !== undefined;
}

describe('an administrator who, while a body comes,', () => {
  const lose = (change: (userId: number) => ReturnType<typeof sql>) => async (userId: number) => {
    await change(userId).execute(server.deps.database.db);
  };
  it.each([
    ['is disabled', lose((id) => sql`update users set enabled = false where id = ${id}`)],
    [
      'is made an operator',
      lose(
        (id) =>
          sql`update users set role = 'OPERATOR', client_id = ${fleet.first} where id = ${id}`,
      ),
    ],
    [
      'is signed out',
      lose((id) => sql`update sessions set revoked_at = now() where user_id = ${id}`),
    ],
  ])('%s gives no command with it', async (_name, change) => {
    const [login, wanted] = [randomUUID(), randomUUID()];
    const userId = await insertTestUser(server.deps.database.db, login, 'ADMIN', null);
    const finish = await begin('viewer', IMPORT, await server.signIn(login), tableOf(wanted));
    await change(userId);
    server.clock.advance(KNOWN_MS);
    const { status } = await finish();
    expect([401, 403]).toContain(status);
    expect(await isThere(wanted)).toBe(false);
  });

  it('keeps every right gives the command, also when the access token expires meanwhile', async () => {
    const wanted = randomUUID();
    const finish = await begin('viewer', IMPORT, await server.signIn('admin'), tableOf(wanted));
    server.clock.advance(16 * 60_000);
    expect(await finish()).toMatchObject({ status: 200, body: { created: 1 } });
    expect(await isThere(wanted)).toBe(true);
  });
});

const setRevoked = (revoked_at: Date | null) =>
  server.deps.database.db
    .updateTable('unit_credentials')
    .set({ revoked_at })
    .where('unit_id', '=', fleet.secondBus.unitId)
    .execute();

it.each([
  ['small', 1],
  ['large', 400_000],
])(
  'A unit whose credential ends while a %s batch comes stores nothing by it',
  async (_name, length) => {
    const { credential } = fleet.secondBus;
    const { db } = server.deps.database;
    const nowMs = server.clock.nowMs();
    const [sent_at, stream] = [new Date(nowMs).toISOString(), randomUUID()];
    const record = {
      ...{ type: 'passenger', seq: 1, time: sent_at, door: 1, direction: 'entered' },
      ...{ passenger: 'adult', note: 'x'.repeat(length) },
    };
    const batch = { stream, sent_at, records: [record] };
    const finish = await begin('unit', '/unit/v1/batches', credential, batch);
    await setRevoked(new Date(nowMs));
    server.clock.advance(KNOWN_MS);
    expect(await finish()).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
    const { rows } = await sql`select from unit_streams where stream = ${stream}`.execute(db);
    expect(rows).toEqual([]);
    await setRevoked(null);
  },
);

/** A live stream that somebody watches. */
async function stream({ unitId, cameras }: TestBus): Promise<{ id: number; key: string }> {
  const now = new Date(server.clock.nowMs());
  return server.deps.database.db
    .insertInto('live_streams')
    .values({
      ...{ camera_id: cameras.cabin, unit_id: unitId, started_at: now, asked_at: now },
      wanted_until: new Date(now.getTime() + 60_000),
    })
    .returning(['id', 'key'])
    .executeTakeFirstOrThrow();
}

it('A unit whose piece of live video is there at the first look is looked at once', async () => {
  const { key } = await stream(fleet.firstBus);
  const looks = vi.spyOn(auth, 'unit');
  const { port } = app.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/unit/v1/live/${key}/7.m4s`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${fleet.firstBus.credential}` },
    body: 'segment',
  });
  expect([answer.status, looks.mock.calls.length]).toEqual([204, 1]);
  looks.mockRestore();
});

it('A unit whose credential ends while a piece of live video comes stores nothing by it', async () => {
  const { credential } = fleet.secondBus;
  const { db } = server.deps.database;
  const now = new Date(server.clock.nowMs());
  const { id, key } = await stream(fleet.secondBus);
  const finish = await begin('unit', `/unit/v1/live/${key}/7.m4s`, credential, now, 'PUT');
  await setRevoked(now);
  server.clock.advance(KNOWN_MS);
  expect(await finish()).toMatchObject({ status: 401, body: { error: 'unauthorized' } });
  const pieces = db.selectFrom('live_pieces').select('name').where('stream_id', '=', id);
  expect(await pieces.execute()).toEqual([]);
  await setRevoked(null);
});
