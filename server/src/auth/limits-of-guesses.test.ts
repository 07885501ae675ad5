// The limit of attempts holds wherever a password or a code is asked for, and tells nothing of what exists.
import { CLIENT_ID } from '@ridewatch/contract/auth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';
import { codeOf, stepOf } from './totp.ts';

const MINUTE_MS = 60_000;
const FACTOR = '/api/auth/second-factor';
/** Wrong ones in fifteen minutes that are still answered. */
const MOST = 10;

let server: TestServer;
let fleet: TestFleet;
let login: string;
let userId: number;
let token: string;
let made = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  // Attempts of earlier tests no longer count.
  server.clock.advance(16 * MINUTE_MS);
  made += 1;
  login = `guessed${made}`;
  userId = await insertTestUser(server.deps.database.db, login, 'OPERATOR', fleet.first);
  token = await server.signIn(login);
});

async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) {
  const answer = await server.app.inject({
    ...{ method, url, headers: { authorization: `Bearer ${token}` } },
    ...(body && { payload: body }),
  });
  const { statusCode: status, headers } = answer;
  return {
    ...{ status, retryAfter: Number(headers['retry-after'] ?? 0) },
    body: answer.body === '' ? {} : answer.json(),
  };
}

async function signIn(form: Record<string, string>, remoteAddress = '10.0.0.1') {
  const answer = await server.app.inject({
    method: 'POST',
    url: '/oauth/token',
    remoteAddress,
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'password', ...form }).toString(),
  });
  // The moment and the number of a request differ anyway.
  const { date: _date, 'x-request-id': _id, ...headers } = answer.headers;
  const { requestId: _, ...body } = answer.json();
  return { status: answer.statusCode, headers, body };
}

async function rightCode(): Promise<string> {
  const { secret } = await server.deps.database.db
    .selectFrom('second_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return codeOf(secret, stepOf(server.clock.nowMs()));
}
const wrongCode = async () => `${(Number(await rightCode()) + 1) % 1e6}`.padStart(6, '0');
const begin = async () => {
  expect((await ask('POST', FACTOR, { password: PASSWORD })).status).toBe(200);
};
const setUp = async () => {
  await begin();
  expect((await ask('PUT', FACTOR, { code: await rightCode() })).status).toBe(200);
  server.clock.advance(30_000);
};
const nothing = async () => undefined;
const NEW = 'another long password';

interface Place {
  readonly name: string;
  readonly prepare: () => Promise<unknown>;
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly wrong: () => Promise<object>;
  readonly right: () => Promise<object>;
  readonly error: string;
}
const ofCommand = (command: string): Place[] => [
  {
    ...{ name: `the password of ${command}`, prepare: setUp, method: 'POST' },
    url: `${FACTOR}/${command}`,
    wrong: async () => ({ password: 'wrong', code: await rightCode() }),
    right: async () => ({ password: PASSWORD, code: await rightCode() }),
    error: 'wrong_password',
  },
  {
    ...{ name: `the code of ${command}`, prepare: setUp, method: 'POST' },
    url: `${FACTOR}/${command}`,
    wrong: async () => ({ password: PASSWORD, code: await wrongCode() }),
    right: async () => ({ password: PASSWORD, code: await rightCode() }),
    error: 'wrong_code',
  },
];
const places: Place[] = [
  {
    ...{ name: 'the old password for a new one', prepare: nothing, method: 'PUT' },
    url: '/api/auth/password',
    wrong: async () => ({ old_password: 'wrong', new_password: NEW }),
    right: async () => ({ old_password: PASSWORD, new_password: NEW }),
    error: 'wrong_password',
  },
  {
    ...{ name: 'the password of a set-up', prepare: nothing, method: 'POST' },
    url: FACTOR,
    wrong: async () => ({ password: 'wrong' }),
    right: async () => ({ password: PASSWORD }),
    error: 'wrong_password',
  },
  {
    ...{ name: 'the code that confirms a set-up', prepare: begin, method: 'PUT' },
    url: FACTOR,
    wrong: async () => ({ code: await wrongCode() }),
    right: async () => ({ code: await rightCode() }),
    error: 'wrong_code',
  },
  ...ofCommand('remove'),
  ...ofCommand('recovery-codes'),
];

/** Signs the user in, with a code when that is asked for. */
async function signInWithCode(): Promise<{ access_token: string }> {
  const form = { username: login, password: PASSWORD };
  const plain = await signIn(form);
  if (plain.status === 200) return plain.body;
  return (await signIn({ ...form, code: await rightCode() })).body;
}

describe('after ten wrong tries', () => {
  it.each(places)('$name is not asked for until fifteen minutes have passed', async (place) => {
    await place.prepare();
    const give = (body: object) => ask(place.method, place.url, body);
    for (let tried = 0; tried < MOST; tried += 1) {
      expect(await give(await place.wrong())).toMatchObject({
        ...{ status: 400, body: { error: place.error } },
      });
    }
    for (const body of [await place.wrong(), await place.right()]) {
      expect(await give(body)).toMatchObject({
        ...{ status: 429, body: { error: 'too_many_attempts' }, retryAfter: 15 * 60 },
      });
    }
    server.clock.advance(15 * MINUTE_MS + 1000);
    // The session ended meanwhile.
    token = (await signInWithCode()).access_token;
    server.clock.advance(30_000);
    expect((await give(await place.right())).status).toBeLessThan(300);
  });

  it('codes are stopped everywhere, however the tries were spread', async () => {
    await setUp();
    for (let tried = 0; tried < MOST / 2; tried += 1) {
      const asked = { username: login, password: PASSWORD, code: await wrongCode() };
      expect((await signIn(asked, `10.0.9.${tried}`)).status).toBe(400);
      const body = { password: PASSWORD, code: await wrongCode() };
      expect((await ask('POST', `${FACTOR}/remove`, body)).status).toBe(400);
    }
    const right = { password: PASSWORD, code: await rightCode() };
    expect((await ask('POST', `${FACTOR}/remove`, right)).status).toBe(429);
    expect((await ask('POST', `${FACTOR}/recovery-codes`, right)).status).toBe(429);
    expect((await signIn({ username: login, ...right }, '10.0.10.1')).status).toBe(429);
  });
});

describe('wrong passwords of a login that nobody has', () => {
  it('are answered as those of one that exists, to the last header, also by the limits', async () => {
    const sequence = async (username: string, address: string) => {
      const answers: unknown[] = [];
      for (let tried = 0; tried < MOST + 2; tried += 1) {
        answers.push(await signIn({ username, password: `guess ${tried}` }, address));
      }
      return answers;
    };
    const known = await sequence(login, '10.0.20.1');
    const unknown = await sequence('nobody', '10.0.20.2');
    expect(unknown).toEqual(known);
    expect(known).toMatchObject([
      ...Array.from({ length: MOST }, () => ({ status: 400, body: { error: 'invalid_grant' } })),
      { status: 429, headers: { 'retry-after': '900' } },
      { status: 429, headers: { 'retry-after': '900' } },
    ]);
  });

  it('leave the same time to wait, whenever they began', async () => {
    const sequence = async (username: string, address: string) => {
      for (let tried = 0; tried < MOST; tried += 1) {
        await signIn({ username, password: 'wrong' }, address);
        if (tried === 4) server.clock.advance(5 * MINUTE_MS);
      }
      const refused = await signIn({ username, password: 'wrong' }, address);
      server.clock.advance(10 * MINUTE_MS + 1000);
      return [refused, await signIn({ username, password: 'wrong' }, address)];
    };
    const known = await sequence(login, '10.0.21.1');
    const unknown = await sequence('nobody', '10.0.21.2');
    expect(unknown).toEqual(known);
    expect(known).toMatchObject([
      { status: 429, headers: { 'retry-after': '600' } },
      { status: 400 },
    ]);
  });

  it('count for the address as those of one that exists', async () => {
    const { db } = server.deps.database;
    const at = new Date(server.clock.nowMs());
    const addresses = ['10.0.22.1', '10.0.22.2'];
    for (const address of addresses) {
      const earlier = Array.from({ length: 99 }, (_, index) => ({
        ...{ login: `earlier ${index}`, address, at },
      }));
      await db.insertInto('login_failures').values(earlier).execute();
    }
    const sequence = async (username: string, address: string) => [
      await signIn({ username, password: 'wrong' }, address),
      await signIn({ username, password: 'wrong' }, address),
      await signIn({ username: 'second', password: PASSWORD }, address),
    ];
    const known = await sequence(login, '10.0.22.1');
    const unknown = await sequence('nobody', '10.0.22.2');
    expect(unknown).toEqual(known);
    expect(known.map(({ status }) => status)).toEqual([400, 429, 429]);
  });
});

describe('the session of another user', () => {
  it('is not ended by its id, and is as unknown as one that never was', async () => {
    const { body: victim } = await signIn({ username: 'first', password: PASSWORD });
    const me = async () => {
      const headers = { authorization: `Bearer ${victim.access_token}` };
      return (await server.app.inject({ url: '/api/auth/me', headers })).statusCode;
    };
    expect(await me()).toBe(200);
    const session = await server.deps.database.db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select('sessions.id')
      .where('login', '=', 'first')
      .executeTakeFirstOrThrow();
    // A colleague, the integrator, an administrator: a session is its user's alone.
    for (const by of [login, 'integrator', 'second', 'admin']) {
      token = await server.signIn(by);
      const foreign = await ask('DELETE', `/api/auth/sessions/${session.id}`);
      const none = await ask('DELETE', '/api/auth/sessions/00000000-0000-4000-8000-000000000000');
      expect([by, foreign.status]).toEqual([by, 404]);
      expect({ ...foreign.body, requestId: '' }).toEqual({ ...none.body, requestId: '' });
    }
    server.clock.advance(5000);
    expect(await me()).toBe(200);
    const renewed = await signIn({
      ...{ grant_type: 'refresh_token', refresh_token: victim.refresh_token },
    });
    expect(renewed.status).toBe(200);
    const ended = await server.deps.database.db
      .selectFrom('audit_log')
      .select('id')
      .where('action', '=', 'end_session')
      .execute();
    expect(ended).toEqual([]);
  });
});
