import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { limitsOf } from '../core/db/connections.ts';
import { openDatabase } from '../core/db/db.ts';
import { isDatabaseAway } from '../core/errors.ts';
import { openDatabaseLink } from '../test/database-link.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';
import { typePassword } from '../test/type-password.ts';
import { addAuth } from './api.ts';
import { createGuesses } from './guesses.ts';

let server: TestServer;
let other: FastifyInstance;
beforeAll(async () => {
  server = await createTestServer([addAuth]);
  other = await server.another();
  await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
// Attempts of earlier tests no longer count.
beforeEach(() => server.clock.advance(16 * 60_000));

const signIn = (
  username: string,
  password: string,
  { address = '10.0.0.1', app = server.app } = {},
) => typePassword(app, { username, password, address });
const countRows = async (address: string): Promise<number> => {
  const rows = await server.deps.database.db
    .selectFrom('login_failures')
    .select('id')
    .where('address', '=', address)
    .execute();
  return rows.length;
};
const statuses = (answers: readonly { status: number }[]): Record<number, number> =>
  Object.fromEntries(
    [...Map.groupBy(answers, ({ status }) => status)].map(([status, same]) => [
      status,
      same.length,
    ]),
  );

describe('guessing passwords', () => {
  it('300 at once over two processes are at most ten tries for a login from an address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        signIn(index % 3 === 0 ? 'FIRST' : 'first', `guess ${index}`, {
          app: index % 2 === 0 ? server.app : other,
        }),
      ),
    );
    // Ten were checked and wrong; the others were refused before the check.
    expect(statuses(answers)[400]).toBe(10);
    expect(
      answers
        .filter(({ status }) => status !== 400)
        .every(({ retryAfter }) => Number(retryAfter) > 0),
    ).toBe(true);
    expect(await countRows('10.0.0.1')).toBe(10);
    expect(await signIn('first', PASSWORD)).toMatchObject({ status: 429 });
    expect(await signIn('first', PASSWORD, { address: '10.0.0.2' })).toMatchObject({ status: 200 });
  });

  it('of many logins are at most a hundred from an address', async () => {
    const { db } = server.deps.database;
    const address = '10.0.0.3';
    const nowMs = server.clock.nowMs();
    const before = Array.from({ length: 92 }, (_, index) => ({
      login: `before ${index}`,
      address,
      at: new Date(nowMs),
    }));
    await db.insertInto('login_failures').values(before).execute();
    const guesses = createGuesses(db, { atOnce: 4, mostOfAddress: 1000 });
    const guess = (login: string) =>
      guesses.findByPassword({ login, address, nowMs }, 'x', async () => undefined);
    const results = await Promise.allSettled(
      Array.from({ length: 40 }, (_, index) => guess(`nobody ${index}`)),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(8);
    expect(await countRows(address)).toBe(100);
    const refused = { code: 'too_many_attempts', retryAfterS: 15 * 60 };
    await expect(guess('one more')).rejects.toMatchObject(refused);
  });

  it('a right password is no failure, however often it is said', async () => {
    for (let turn = 0; turn < 12; turn += 1) {
      expect(await signIn('first', PASSWORD, { address: '10.0.0.4' })).toMatchObject({
        status: 200,
      });
    }
    expect(await countRows('10.0.0.4')).toBe(0);
  });

  it('tries that are not over yet count, and let the next one come back in a second', async () => {
    const { db } = server.deps.database;
    const address = '10.0.0.5';
    const at = new Date(server.clock.nowMs());
    const rows = Array.from({ length: 10 }, () => ({ login: 'first', address, at, pending: true }));
    await db.insertInto('login_failures').values(rows).execute();
    expect(await signIn('first', PASSWORD, { address })).toEqual({ status: 429, retryAfter: '1' });
    // Attempts whose process died count as failed.
    server.clock.advance(61_000);
    const { status, retryAfter } = await signIn('first', PASSWORD, { address });
    expect([status, Number(retryAfter)]).toEqual([429, 15 * 60 - 61]);
  });

  it('what is refused for minutes asks the database no more, and is let in after them', async () => {
    const address = '10.0.0.6';
    for (let failure = 0; failure < 11; failure += 1) await signIn('second', 'wrong', { address });
    const { db } = server.deps.database;
    await db.deleteFrom('login_failures').where('address', '=', address).execute();
    expect(await signIn('second', PASSWORD, { address })).toMatchObject({ status: 429 });
    server.clock.advance(15 * 60_000 + 1);
    expect(await signIn('second', PASSWORD, { address })).toMatchObject({ status: 200 });
  });

  it('failures that no longer count are forgotten, whosever they were', async () => {
    const { db } = server.deps.database;
    const at = new Date(server.clock.nowMs() - 3_600_000);
    const old = Array.from({ length: 15 }, (_, index) => ({
      login: 'x',
      address: `10.1.0.${index}`,
      at,
    }));
    await db.deleteFrom('login_failures').execute();
    await db.insertInto('login_failures').values(old).execute();
    await signIn('nobody', 'wrong', { address: '10.0.0.7' });
    expect(await db.selectFrom('login_failures').select('address').execute()).toEqual([
      { address: '10.0.0.7' },
    ]);
  });
});

describe('work on hashes', () => {
  it('waits in a queue that has an end', async () => {
    const answers = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        signIn('operator', PASSWORD, { address: `10.3.0.${index}` }),
      ),
    );
    const counts = statuses(answers);
    expect(Object.keys(counts)).toEqual(['200', '503']);
    // On a busy machine some waiting requests time out.
    expect(counts[200]).toBeGreaterThan(0);
    expect(answers.find(({ status }) => status === 503)?.retryAfter).toBe('2');
  });

  it('is there for others while one address asks for all of it', async () => {
    const flood = Array.from({ length: 300 }, (_, index) =>
      signIn(`nobody ${index}`, 'guess', { address: '10.4.0.1' }),
    );
    expect(await signIn('operator', PASSWORD, { address: '10.4.0.2' })).toMatchObject({
      status: 200,
    });
    const counts = statuses(await Promise.all(flood));
    expect(Object.keys(counts)).toEqual(['400', '503']);
  });

  it('never makes one wait for what the database says of another', async () => {
    const link = await openDatabaseLink(server.deps.database.url);
    const limits = { ...limitsOf.api, statementMs: 1000 };
    const database = openDatabase(link.url, 8, limits, () => undefined);
    const { pool } = database;
    await Promise.all(Array.from({ length: 8 }, () => pool.query('select pg_sleep(0.05)')));
    const guesses = createGuesses(database.db);
    link.fallSilent();
    const tries = Array.from({ length: 8 }, (_, index) =>
      guesses.findByPassword(
        { login: `silent ${index}`, address: '10.5.0.1', nowMs: server.clock.nowMs() },
        'x',
        async () => undefined,
      ),
    );
    const ends = Promise.allSettled(tries);
    await vi.waitFor(() => expect(pool.totalCount - pool.idleCount).toBe(8));
    for (const one of await ends) {
      expect(one.status === 'rejected' && isDatabaseAway(one.reason)).toBe(true);
    }
    link.speak();
    await database.close();
    await link.close();
  });
});
