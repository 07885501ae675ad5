// API keys: what they open, who makes them, and when they end. access.test.ts tries each call about an object by a key.
import { MAX_API_KEYS, MAX_KEY_CALLS } from '@ridewatch/contract/api-keys';
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { MAX_BUSES_OF_REPORT } from '@ridewatch/contract/stat-limits';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { insertStoredFragment } from '../test/stored-fragment.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

let server: TestServer;
let fleet: TestFleet;
const tokens: Record<string, string> = {};
let keyOfFirst: string;
const key = (clientId = fleet.first, more = {}) =>
  insertTestKey(server.deps.database.db, clientId, { nowMs: server.clock.nowMs(), ...more });

beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  await insertTestUser(db, 'clerk', 'OPERATOR', fleet.first);
  for (const login of ['admin', 'integrator', 'operator', 'first', 'second', 'clerk']) {
    tokens[login] = await server.signIn(login);
  }
  keyOfFirst = (await key()).secret;
});
afterAll(() => server.close());

async function ask(method: string, url: string, token: string | undefined, body?: object) {
  const answer = await server.app.inject({
    method: method as 'GET',
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(body && { payload: body }),
  });
  const isJson = answer.headers['content-type']?.toString().includes('json');
  return { status: answer.statusCode, body: isJson ? answer.json() : {}, answer };
}
const lists = (token: string) => ask('GET', '/api/bus_list', token);
/** Later than what is cached of keys. */
const later = () => server.clock.advance(5000);
const all: readonly Endpoint[] = endpoints;
/** One bus more than statistics and exports take, as the parameter of a query. */
const tooMany = (name: string) =>
  Array.from({ length: MAX_BUSES_OF_REPORT + 1 }, (_, index) => `${name}=${index + 1}`).join('&');

describe('an API key', () => {
  it('sees the buses of its customer and no others', async () => {
    const { secret } = await key();
    const { body } = await lists(secret);
    expect(body).toEqual((await lists(tokens.first ?? '')).body);
    expect(JSON.stringify(body)).not.toContain('Автобус 2"');
  });

  it('of an integrator sees what its users see', async () => {
    const { secret } = await key(fleet.integrator);
    expect((await lists(secret)).body).toEqual((await lists(tokens.operator ?? '')).body);
  });

  it.each(
    all
      .filter(({ access, scope }) => access !== 'public' && access !== 'unit' && !scope)
      .map(({ method, path }) => [method, path]),
  )('makes no call without a scope: %s %s', async (method, path) => {
    const url = path.replace(/\{\w+\}/g, '1');
    const payload = method === 'GET' || method === 'DELETE' ? undefined : {};
    expect(await ask(method, url, keyOfFirst, payload)).toMatchObject({
      status: 403,
      body: { error: 'no_right' },
    });
  });

  it('reads only: every call with a scope is a GET', () => {
    const scoped = all.filter(({ scope }) => scope !== undefined);
    expect(scoped.length).toBeGreaterThan(30);
    expect(scoped.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it('makes the calls of its scopes alone', async () => {
    const { secret } = await key(fleet.first, { scopes: ['positions'] });
    const { busId } = fleet.firstBus;
    expect((await ask('GET', `/api/gps?busId=${busId}`, secret)).status).toBe(200);
    expect(await lists(secret)).toMatchObject({ status: 403, body: { error: 'no_right' } });
    // Lacking the scope tells nothing of what exists.
    const day = (id: number) =>
      ask('GET', `/api/segments/day-segments?workplaceId=${id}&date=2026-11-20`, secret);
    for (const id of [busId, fleet.secondBus.busId]) expect((await day(id)).status).toBe(403);
  });

  it('needs the scope video for addresses that it is given, and the addresses end with it', async () => {
    const { db } = server.deps.database;
    const segment = await insertStoredFragment(server, fleet.firstBus, {
      startMs: server.clock.nowMs() - 3_600_000,
      lengthMs: 20_000,
      video: Buffer.from('video'),
    });
    const addressOf = async (secret: string) =>
      (await ask('GET', `/api/segments/${segment}`, secret)).body.playback_uri as string;
    const counts = await key(fleet.first, { scopes: ['counts'] });
    const video = await key(fleet.first, { scopes: ['counts', 'video'] });
    const play = (url: string, token?: string) =>
      server.app.inject({ url, headers: token ? { authorization: `Bearer ${token}` } : {} });
    expect((await play(await addressOf(counts.secret))).statusCode).toBe(403);
    const address = await addressOf(video.secret);
    expect((await play(address)).statusCode).toBe(200);
    expect((await play(address, video.secret)).statusCode).toBe(200);
    expect((await play(address, tokens.first)).statusCode).toBe(404);
    const download = `/api/download/${segment}?processed=1`;
    expect((await play(download, video.secret)).statusCode).toBe(200);
    expect((await play(download, counts.secret)).statusCode).toBe(403);
    const row = await db
      .selectFrom('audit_log')
      .select(['user_id'])
      .where('action', '=', 'open_video')
      .executeTakeFirstOrThrow();
    expect(row.user_id).toBe(video.id);
    await ask('DELETE', `/api/keys/${video.id}`, tokens.admin);
    later();
    expect((await play(address)).statusCode).toBe(403);
  });

  it('is refused with the next call after it is revoked, by another process within 5 s', async () => {
    const other = await server.another();
    const { id, secret } = await key();
    const statusOfOther = async () => {
      const headers = { authorization: `Bearer ${secret}` };
      return (await other.inject({ url: '/api/bus_list', headers })).statusCode;
    };
    expect([(await lists(secret)).status, await statusOfOther()]).toEqual([200, 200]);
    expect((await ask('DELETE', `/api/keys/${id}`, tokens.admin)).status).toBe(204);
    expect((await lists(secret)).status).toBe(401);
    later();
    expect(await statusOfOther()).toBe(401);
  });

  it('ends at its expiry', async () => {
    const short = await key(fleet.first, { expiresMs: server.clock.nowMs() + 10_000 });
    expect((await lists(short.secret)).status).toBe(200);
    server.clock.advance(10_000);
    expect((await lists(short.secret)).status).toBe(401);
    expect((await lists('rwk_guessed')).status).toBe(401);
  });

  it('ends at its expiry to the millisecond, though it was used just before', async () => {
    const short = await key(fleet.first, { expiresMs: server.clock.nowMs() + 1000 });
    server.clock.advance(999);
    expect((await lists(short.secret)).status).toBe(200);
    server.clock.advance(1);
    expect((await lists(short.secret)).status).toBe(401);
  });

  it('is refused as the users of a blocked customer are', async () => {
    const { secret } = await key();
    const set = (status: number) =>
      server.deps.database.db
        .updateTable('clients')
        .set({ status })
        .where('id', '=', fleet.first)
        .execute();
    await set(3);
    later();
    expect(await lists(secret)).toMatchObject({ status: 403, body: { error: 'user_blocked' } });
    await set(1);
    later();
    expect((await lists(secret)).status).toBe(200);
  });

  it('makes a limited number of calls a minute', async () => {
    const { secret } = await key();
    const url = `/api/gps?busId=${fleet.firstBus.busId}`;
    for (let call = 0; call < MAX_KEY_CALLS; call += 1) {
      expect((await ask('GET', url, secret)).status).toBe(200);
    }
    const refused = await ask('GET', url, secret);
    expect(refused).toMatchObject({ status: 429, body: { error: 'too_many_attempts' } });
    expect(Number(refused.answer.headers['retry-after'])).toBeGreaterThan(0);
    server.clock.advance(60_000);
    expect((await ask('GET', url, secret)).status).toBe(200);
  });

  it.each([
    [
      'too long a range of statistics',
      '/api/stat/passenger-traffic?dateFrom=2020-01-01&dateTo=2026-01-01',
      [400, 'invalid_request', 'dateTo'],
    ],
    [
      'too many buses of statistics',
      `/api/stat/passenger-traffic?dateFrom=2026-01-01&dateTo=2026-01-02&${tooMany('workplaces')}`,
      [400, 'too_many_buses', 'workplaces'],
    ],
    [
      'the hours of too many days',
      '/api/stat/day-traffic?dateFrom=2026-01-01&dateTo=2026-03-01&by=hour',
      [413, 'too_large', 'dateTo'],
    ],
    [
      'too long a range of an export',
      '/api/stat/bus-load/export?from=2020-01-01&to=2026-01-01',
      [400, 'invalid_request', 'to'],
    ],
    [
      'too many buses of an export',
      `/api/stat/bus-load/export?from=2026-01-01&to=2026-01-02&${tooMany('workplaceIds')}`,
      [400, 'too_many_buses', 'workplaceIds'],
    ],
  ])('meets the limits of users: %s', async (_, url, refusal) => {
    const { secret } = await key();
    const answers = [await ask('GET', url, secret), await ask('GET', url, tokens.first)];
    expect(answers.map(({ status, body }) => [status, body.error, body.field])).toEqual([
      refusal,
      refusal,
    ]);
    expect(answers[0]?.body.message).toBe(answers[1]?.body.message);
  });

  it('notes its last use at most once a minute', async () => {
    const { id, secret } = await key();
    const lastUse = async () =>
      (await ask('GET', `/api/keys/${id}`, tokens.admin)).body.last_used_at;
    expect(await lastUse()).toBeNull();
    const firstMs = server.clock.nowMs();
    await lists(secret);
    later();
    await lists(secret);
    expect(Date.parse(await lastUse())).toBe(firstMs);
    server.clock.advance(60_000);
    await lists(secret);
    expect(Date.parse(await lastUse())).toBe(server.clock.nowMs());
  });
});

describe('who looks after API keys', () => {
  const body = (client_id: number) => ({ client_id, name: 'Экран', scopes: ['buses'] });
  const make = (by: string, client = fleet.first, more = {}) =>
    ask('POST', '/api/keys', tokens[by], { ...body(client), ...more });

  it('are administrators, the integrator, and own users with the edit right', async () => {
    for (const by of ['admin', 'integrator', 'clerk']) {
      const { status, body: made } = await make(by);
      expect([by, status]).toEqual([by, 200]);
      expect(made.secret).toMatch(/^rwk_[\w-]{43}$/);
      expect((await lists(made.secret)).status).toBe(200);
      expect((await ask('GET', `/api/keys/${made.key.id}`, tokens[by])).body).toMatchObject({
        name: 'Экран',
        created_by: { name: by },
        scopes: ['buses'],
        last_used_at: expect.any(String),
      });
      expect((await ask('DELETE', `/api/keys/${made.key.id}`, tokens[by])).status).toBe(204);
      expect((await ask('GET', `/api/keys/${made.key.id}`, tokens[by])).status).toBe(404);
    }
    for (const by of ['first', 'operator']) {
      expect([by, (await make(by)).status]).toEqual([by, 403]);
    }
  });

  it('no longer read by a key of an integrator that lost the customer; those of its own users go on', async () => {
    const ofIntegrator: string = (await make('integrator')).body.secret;
    const ofClerk: string = (await make('clerk')).body.secret;
    const set = async (integrator_ids: number[]) => {
      const url = `/api/admin/customers/${fleet.first}`;
      expect((await ask('PUT', url, tokens.admin, { integrator_ids })).status).toBe(200);
    };
    expect((await lists(ofIntegrator)).status).toBe(200);
    await set([]);
    expect((await lists(ofIntegrator)).status).toBe(401);
    later();
    expect((await lists(ofClerk)).status).toBe(200);
    await set([fleet.integrator]);
    expect((await lists(ofIntegrator)).status).toBe(401);
  });

  it('end keys that would see more than their maker, when their customer becomes an integrator', async () => {
    const secrets: Record<string, string> = {};
    const makeAll = async () => {
      for (const by of ['integrator', 'clerk', 'admin']) {
        secrets[by] = (await make(by)).body.secret;
        expect((await lists(secrets[by] ?? '')).status).toBe(200);
      }
    };
    const statuses = () =>
      Promise.all(
        ['integrator', 'clerk', 'admin'].map(async (by) => (await lists(secrets[by] ?? '')).status),
      );
    const set = async (id: number, integrator_ids: number[]) => {
      const url = `/api/admin/customers/${id}`;
      expect((await ask('PUT', url, tokens.admin, { integrator_ids })).status).toBe(200);
    };
    await set(fleet.first, [fleet.integrator]);
    later();
    await makeAll();
    // The integrator sees both customers: its key sees no more than its user.
    await set(fleet.second, [fleet.first, fleet.integrator]);
    expect(await statuses()).toEqual([200, 200, 200]);
    await set(fleet.second, [fleet.first]);
    expect(await statuses()).toEqual([401, 200, 200]);
    await set(fleet.second, []);
    later();
    await makeAll();
    await set(fleet.second, [fleet.first]);
    expect(await statuses()).toEqual([401, 200, 200]);
    await set(fleet.second, []);
    later();
    await makeAll();
    const wanted = { name: 'Третий', integrator_ids: [fleet.first] };
    const third = (await ask('POST', '/api/admin/customers', tokens.admin, wanted)).body;
    expect(await statuses()).toEqual([401, 200, 200]);
    await set(third.id, []);
  });

  it('never learn of keys of a foreign customer', async () => {
    const foreign = await key(fleet.second);
    for (const by of ['integrator', 'clerk', 'first', 'operator']) {
      for (const [method, path, payload] of [
        ['GET', `/api/keys/${foreign.id}`],
        ['DELETE', `/api/keys/${foreign.id}`],
        ['GET', `/api/keys?clientId=${fleet.second}`],
        ['POST', '/api/keys', body(fleet.second)],
      ] as const) {
        const missing = path.replace(/\d+$/, '999999');
        const answer = await ask(method, path, tokens[by], payload);
        const none = await ask(method, missing, tokens[by], payload && body(999_999));
        expect([by, method, answer.status]).toEqual([by, method, 404]);
        expect({ ...answer.body, requestId: '' }).toEqual({ ...none.body, requestId: '' });
      }
    }
    const { body: listed } = await ask('GET', '/api/keys?perPage=100', tokens.integrator);
    const owners = listed.items.map(({ client }: { client: { id: number } }) => client.id);
    expect(owners).not.toContain(fleet.second);
    expect((await ask('GET', '/api/keys', tokens.first)).status).toBe(403);
  });

  it('make no key that sees more than themselves', async () => {
    const { db } = server.deps.database;
    const pair = { integrator_id: fleet.first, client_id: fleet.second };
    await db.insertInto('integrator_clients').values(pair).execute();
    later();
    expect((await make('integrator')).status).toBe(403);
    expect((await make('admin')).status).toBe(200);
    await db.deleteFrom('integrator_clients').where('client_id', '=', fleet.second).execute();
    later();
  });

  it('give a last day that has not passed, and at most fifty keys a customer', async () => {
    expect(await make('admin', fleet.first, { last_day: '2020-01-01' })).toMatchObject({
      status: 400,
      body: { field: 'last_day' },
    });
    const { body: made } = await make('admin', fleet.first, { last_day: '2099-12-31' });
    expect(made.key.expires_at).toBe('2099-12-31T21:00:00.000Z');
    for (let count = 0; count < MAX_API_KEYS; count += 1) await key(fleet.second);
    expect((await make('admin', fleet.second)).status).toBe(409);
  });

  it('leave each in the audit log, without its secret', async () => {
    const { body: made } = await make('clerk');
    await ask('DELETE', `/api/keys/${made.key.id}`, tokens.clerk);
    const { body: log } = await ask(
      'GET',
      `/api/admin/audit?objectType=api_key&objectId=${made.key.id}`,
      tokens.admin,
    );
    expect(log.items).toMatchObject([
      { action: 'revoke_api_key', user: { name: 'clerk' }, object_name: 'Экран' },
      { action: 'create_api_key', after: { scopes: ['buses'], name: 'Экран' } },
    ]);
    expect(JSON.stringify(log)).not.toContain(made.secret);
  });
});
