import { CLIENT_ID } from '@ridewatch/contract/auth';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAdministration } from '../administration/api.ts';
import { whileLocked } from '../test/blocked.ts';
import { insertTestFleet, insertTestUser, type TestFleet } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { addAuth } from './api.ts';
import { beginSecondFactor } from './second-factor.ts';
import { base32Of, codeOf, stepOf } from './totp.ts';

let server: TestServer;
let fleet: TestFleet;
let login: string;
let userId: number;
let token: string;
let made = 0;

beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  server.clock.advance(16 * 60_000);
  made += 1;
  login = `who${made}`;
  userId = await insertTestUser(server.deps.database.db, login, 'OPERATOR', fleet.first);
  token = await server.signIn(login);
});

async function ask(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  body?: object,
  as = token,
) {
  const answer = await server.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${as}` },
    ...(body && { payload: body }),
  });
  return { status: answer.statusCode, body: answer.body === '' ? {} : answer.json() };
}
async function signIn(more: Record<string, string> = {}, remoteAddress = '10.0.0.1') {
  const form = { grant_type: 'password', username: login, password: PASSWORD, ...more };
  const answer = await server.app.inject({
    method: 'POST',
    url: '/oauth/token',
    remoteAddress,
    headers: {
      authorization: `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams(form).toString(),
  });
  return { status: answer.statusCode, body: answer.json() };
}
const PATH = '/api/auth/second-factor';
const secretOf = async (): Promise<Buffer> => {
  const row = await server.deps.database.db
    .selectFrom('second_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return row.secret;
};
const code = async (away = 0) => codeOf(await secretOf(), stepOf(server.clock.nowMs()) + away);
const wrong = async () => ((Number(await code()) + 1) % 1e6).toString().padStart(6, '0');
const next = () => server.clock.advance(30_000);

/** Sets the second factor up. @returns the recovery codes */
async function setUp(): Promise<string[]> {
  expect((await ask('POST', PATH, { password: PASSWORD })).status).toBe(200);
  const { status, body } = await ask('PUT', PATH, { code: await code() });
  expect(status).toBe(200);
  next();
  return body.recovery_codes;
}

/** Lets work fail at its first use of a table. */
async function without<Result>(table: string, work: () => Promise<Result>): Promise<Result> {
  const { db } = server.deps.database;
  const away = sql.table(`${table}_away`);
  await sql`alter table ${sql.table(table)} rename to ${away}`.execute(db);
  try {
    return await work();
  } finally {
    await sql`alter table ${away} rename to ${sql.table(table)}`.execute(db);
  }
}
/** How many codes of the user count as wrong. */
async function countWrong(): Promise<number> {
  const rows = await server.deps.database.db
    .selectFrom('login_failures')
    .select('id')
    .where('login', '=', `${userId}`)
    .execute();
  return rows.length;
}

describe('setting up a second factor', () => {
  it('gives a secret, and asks for codes once one was confirmed', async () => {
    const { body } = await ask('POST', PATH, { password: PASSWORD });
    expect(body.secret).toBe(base32Of(await secretOf()));
    expect(body.address).toContain(`otpauth://totp/Ridewatch:${login}?secret=${body.secret}`);
    expect((await signIn()).status).toBe(200);
    expect((await ask('GET', PATH)).body).toEqual({
      ...{ since: null, recovery_codes_left: 0, required: false },
    });
    expect(await ask('PUT', PATH, { code: await wrong() })).toMatchObject({
      status: 400,
      body: { error: 'wrong_code', field: 'code' },
    });
    const { body: confirmed } = await ask('PUT', PATH, { code: await code() });
    expect(new Set(confirmed.recovery_codes).size).toBe(10);
    expect(confirmed.recovery_codes[0]).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/);
    expect((await signIn()).body.error).toBe('mfa_required');
    expect((await ask('GET', PATH)).body).toMatchObject({
      since: new Date(server.clock.nowMs()).toISOString(),
      recovery_codes_left: 10,
    });
  });

  it('needs the password, and is not done twice', async () => {
    expect(await ask('POST', PATH, { password: 'wrong' })).toMatchObject({
      status: 400,
      body: { error: 'wrong_password', field: 'password' },
    });
    await setUp();
    expect((await ask('POST', PATH, { password: PASSWORD })).status).toBe(409);
    expect((await ask('PUT', PATH, { code: await code() })).status).toBe(409);
  });

  it('confirms no secret but that of the code, also when another tab begins anew meanwhile', async () => {
    const { db } = server.deps.database;
    await ask('POST', PATH, { password: PASSWORD });
    const shown = await code();
    const [confirmed] = await whileLocked(
      db,
      (tx) => tx.selectFrom('second_factors').where('user_id', '=', userId).forUpdate().execute(),
      [() => ask('PUT', PATH, { code: shown })],
      (tx) => beginSecondFactor(tx, { userId, nowMs: server.clock.nowMs() }),
    );
    expect(confirmed).toMatchObject({ status: 400, body: { error: 'wrong_code' } });
    expect((await ask('GET', PATH)).body.since).toBeNull();
    expect((await ask('PUT', PATH, { code: await code() })).status).toBe(200);
  });

  it('is refused to the tab that comes after the other has confirmed', async () => {
    const { db } = server.deps.database;
    await ask('POST', PATH, { password: PASSWORD });
    const put = async (away: number) => {
      const shown = await code(away);
      return () => ask('PUT', PATH, { code: shown });
    };
    const answers = await whileLocked(
      db,
      (tx) => tx.selectFrom('second_factors').where('user_id', '=', userId).forUpdate().execute(),
      [await put(0), await put(1)],
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 409]);
    expect((await ask('GET', PATH)).body.recovery_codes_left).toBe(10);
  });

  it('leaves the code usable when the set-up fails', async () => {
    await ask('POST', PATH, { password: PASSWORD });
    const confirm = async () => (await ask('PUT', PATH, { code: await code() })).status;
    expect(await without('audit_log', confirm)).toBe(500);
    expect(await confirm()).toBe(200);
  });
});

describe('signing in with a second factor', () => {
  it('asks for the code after the right password only', async () => {
    await setUp();
    expect(await signIn()).toMatchObject({ status: 400, body: { error: 'mfa_required' } });
    const without = await signIn({ password: 'wrong' });
    const withCode = await signIn({ password: 'wrong', code: await code() });
    for (const answer of [without, withCode]) {
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
      expect(answer.body.field).toBeUndefined();
    }
    expect((await signIn({ code: await code() })).status).toBe(200);
  });

  it('takes a code once, and none that is older', async () => {
    await setUp();
    const used = await code();
    expect((await signIn({ code: ` ${used.slice(0, 3)} ${used.slice(3)}` })).status).toBe(200);
    expect(await signIn({ code: used })).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant', field: 'code' },
    });
    next();
    expect((await signIn({ code: used })).status).toBe(400);
    expect((await signIn({ code: await code() })).status).toBe(200);
  });

  it('takes a code for one of two who show it at once', async () => {
    await setUp();
    const shown = await code();
    const answers = await Promise.all([signIn({ code: shown }), signIn({ code: shown })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('spends neither a code of the app nor a recovery code on a sign-in that fails', async () => {
    const [recovery = ''] = await setUp();
    for (const shown of [await code(), recovery]) {
      for (const table of ['sessions', 'refresh_tokens', 'audit_log']) {
        const failed = await without(table, () => signIn({ code: shown }));
        expect([table, failed.status]).toEqual([table, 500]);
      }
      expect(await countWrong()).toBe(0);
      expect((await signIn({ code: shown })).status).toBe(200);
      expect((await signIn({ code: shown })).status).toBe(400);
      expect(await countWrong()).toBe(1);
      await server.deps.database.db.deleteFrom('login_failures').execute();
    }
  });

  it('does not spend a code when the sign-in fails at its last statement', async () => {
    const { db } = server.deps.database;
    const [recovery = ''] = await setUp();
    await sql`create function refuse() returns trigger language plpgsql
      as $$ begin raise 'refused'; end $$`.execute(db);
    await sql`create trigger refuse before delete on login_failures for each row
      when (old.login = ${sql.lit(`${userId}`)}) execute function refuse()`.execute(db);
    expect((await signIn({ code: recovery })).status).toBe(500);
    await sql`drop function refuse() cascade`.execute(db);
    expect((await signIn({ code: recovery })).status).toBe(200);
  });

  it('allows a clock that is off by one step', async () => {
    await setUp();
    next();
    next();
    expect((await signIn({ code: await code(-2) })).status).toBe(400);
    expect((await signIn({ code: await code(2) })).status).toBe(400);
    expect((await signIn({ code: await code(-1) })).status).toBe(200);
    expect((await signIn({ code: await code(1) })).status).toBe(200);
  });

  it('takes each recovery code once, however it is typed', async () => {
    const [first = '', second = ''] = await setUp();
    expect((await signIn({ code: first.toUpperCase().replaceAll('-', ' ') })).status).toBe(200);
    expect((await signIn({ code: first })).status).toBe(400);
    expect((await signIn({ code: second })).status).toBe(200);
    expect((await ask('GET', PATH)).body.recovery_codes_left).toBe(8);
  });

  it('stops after ten wrong codes, from however many addresses', async () => {
    await setUp();
    for (let tried = 0; tried < 10; tried += 1) {
      expect((await signIn({ code: await wrong() }, `10.0.1.${tried}`)).status).toBe(400);
    }
    expect(await signIn({ code: await code() }, '10.0.2.1')).toMatchObject({
      status: 429,
      body: { error: 'too_many_attempts' },
    });
    server.clock.advance(15 * 60_000 + 1000);
    expect((await signIn({ code: await code() })).status).toBe(200);
  });

  it('takes a recovery code while codes are stopped; wrong ones stop those from their address', async () => {
    const [first = '', second = ''] = await setUp();
    for (let tried = 0; tried < 10; tried += 1) await signIn({ code: await wrong() });
    expect((await signIn({ code: await code() })).status).toBe(429);
    expect((await signIn({ code: first })).status).toBe(200);
    const guess = () => signIn({ code: 'aaaa-bbbb-cccc-dddd' });
    for (let tried = 0; tried < 10; tried += 1) expect((await guess()).status).toBe(400);
    expect((await guess()).status).toBe(429);
    expect((await signIn({ code: second })).status).toBe(429);
    expect((await signIn({ code: second }, '10.0.2.1')).status).toBe(200);
  });
});

describe('a second factor that is on', () => {
  it('gives new recovery codes for password and code; the earlier ones end', async () => {
    const [old = ''] = await setUp();
    const path = `${PATH}/recovery-codes`;
    const right = { password: PASSWORD, code: await code() };
    expect((await ask('POST', path, { ...right, password: 'wrong' })).status).toBe(400);
    expect((await ask('POST', path, { ...right, code: await wrong() })).status).toBe(400);
    const { body } = await ask('POST', path, right);
    expect(body.recovery_codes).toHaveLength(10);
    expect((await signIn({ code: old })).status).toBe(400);
    expect((await signIn({ code: body.recovery_codes[9] })).status).toBe(200);
  });

  it('is switched off by password and code', async () => {
    const [recovery = ''] = await setUp();
    const path = `${PATH}/remove`;
    expect((await ask('POST', path, { password: 'wrong', code: recovery })).status).toBe(400);
    expect((await ask('POST', path, { password: PASSWORD, code: 'wrong' })).status).toBe(400);
    expect((await ask('POST', path, { password: PASSWORD, code: recovery })).status).toBe(204);
    expect((await signIn()).status).toBe(200);
    expect((await ask('POST', path, { password: PASSWORD, code: recovery })).status).toBe(409);
  });

  it.each(['recovery-codes', 'remove'])(
    'does not spend a recovery code on a command that fails: %s',
    async (command) => {
      const [recovery = ''] = await setUp();
      const give = async () =>
        (await ask('POST', `${PATH}/${command}`, { password: PASSWORD, code: recovery })).status;
      expect(await without('audit_log', give)).toBe(500);
      expect((await ask('GET', PATH)).body.recovery_codes_left).toBe(10);
      expect([200, 204]).toContain(await give());
    },
  );

  it('is taken away by those who administer the user, and shown to them', async () => {
    await setUp();
    const path = `/api/admin/users/${userId}`;
    const [admin, integrator, second] = await Promise.all(
      ['admin', 'integrator', 'second'].map((one) => server.signIn(one)),
    );
    expect((await ask('GET', path, undefined, admin)).body.second_factor).toBe(true);
    expect((await ask('DELETE', `${path}/second-factor`, undefined, second)).status).toBe(404);
    expect((await ask('DELETE', `${path}/second-factor`, undefined, token)).status).toBe(403);
    expect((await ask('DELETE', `${path}/second-factor`, undefined, integrator)).status).toBe(204);
    expect((await ask('GET', path, undefined, admin)).body.second_factor).toBe(false);
    expect((await signIn()).status).toBe(200);
  });

  it('leaves each step in the audit log, and no code anywhere', async () => {
    const [recovery = ''] = await setUp();
    const shown = await code();
    await signIn({ code: shown });
    await ask('POST', `${PATH}/remove`, { password: PASSWORD, code: recovery });
    const rows = await server.deps.database.db
      .selectFrom('audit_log')
      .select(['action', 'after'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    expect(rows).toEqual([
      { action: 'sign_in', after: null },
      { action: 'set_up_second_factor', after: null },
      { action: 'sign_in', after: { second_factor: 'app' } },
      { action: 'remove_second_factor', after: null },
    ]);
  });
});
