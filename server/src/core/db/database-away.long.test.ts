import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildApp } from '../../app.ts';
import { createAuthenticators } from '../../auth/authenticators.ts';
import type { Feature } from '../../deps.ts';
import { openDatabaseLink } from '../../test/database-link.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { isDatabaseAway } from '../errors.ts';
import { limitsOf } from './connections.ts';
import { type Database, openDatabase } from './db.ts';

/** Most time of a call, ms. */
const CALL_MS = 10_000;
const POOL = 3;

let server: TestServer;
let other: pg.Client;

beforeAll(async () => {
  server = await createTestServer([]);
  other = new pg.Client(server.deps.database.url);
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await server.close();
});

/** Calls that use the database in each way that the product does. */
const calls: Feature = (app, { database: { db, pool } }) => {
  app.get('/statement', async () => ({ n: (await sql`select 1`.execute(db)).rows.length }));
  app.get('/kept', async () => ({
    n: (await pool.query({ name: 'one', text: 'select 1' })).rowCount,
  }));
  app.get('/transaction', async () =>
    db.transaction().execute(async (tx) => {
      await sql`select 1`.execute(tx);
      return { n: (await sql`select 1`.execute(tx)).rows.length };
    }),
  );
  app.get('/slow', async () => ({ n: (await sql`select pg_sleep(60)`.execute(db)).rows.length }));
  app.get('/locked', async () => ({
    n: (await sql`select * from news for update`.execute(db)).rows.length,
  }));
};
const paths = ['/statement', '/kept', '/transaction'];

async function withApp(
  database: Database,
  work: (
    get: (url: string) => Promise<{ status: number; retryAfter: unknown; ms: number }>,
  ) => Promise<void>,
): Promise<void> {
  const deps = { ...server.deps, database };
  const app = await buildApp(deps, await createAuthenticators(server.deps), [calls]);
  await work(async (url) => {
    const startedMs = performance.now();
    const { statusCode, headers } = await app.inject(url);
    const ms = performance.now() - startedMs;
    return { status: statusCode, retryAfter: headers['retry-after'], ms };
  });
  await app.close();
  await database.close();
}

const open = (url: string, limits = limitsOf.api): Database =>
  openDatabase(url, POOL, limits, () => undefined);
const away = { status: 503, retryAfter: '5', ms: expect.any(Number) };

describe('A database that falls silent', () => {
  it('has every call answered with 503 within 10 s, also those that wait for a connection, and is used again', async () => {
    const link = await openDatabaseLink(server.deps.database.url);
    const database = open(link.url);
    await withApp(database, async (get) => {
      // Open healthy connections and prepare the statement.
      for (const path of paths) expect((await get(path)).status).toBe(200);
      link.fallSilent();
      const all = [...paths, ...paths, ...paths, '/readyz', '/readyz'];
      const answers = await Promise.all(all.map(get));
      expect(answers).toEqual(all.map(() => away));
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(CALL_MS);
      expect(Math.max(...answers.slice(-2).map(({ ms }) => ms))).toBeLessThan(4000);
      link.speak();
      const { pool } = database;
      for (const path of [...paths, ...paths]) expect((await get(path)).status).toBe(200);
      expect(pool.waitingCount).toBe(0);
      expect(pool.totalCount).toBe(pool.idleCount);
    });
    await link.close();
  });
});

describe('A database that refuses for a while', () => {
  it('has a call answered with 503 when its connections were cut in the middle of it', async () => {
    const database = open(server.deps.database.url);
    await withApp(database, async (get) => {
      const slow = get('/slow');
      await vi.waitUntil(async () => {
        const { rowCount } = await other.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = $1 and query like '%pg_sleep%'`,
          [database.name],
        );
        return rowCount === 1;
      });
      expect(await slow).toEqual(away);
      expect((await get('/statement')).status).toBe(200);
    });
  });

  it('keeps no connection lent to transactions that lost theirs, before, between and after statements', async () => {
    const database = open(server.deps.database.url);
    const { db, pool } = database;
    const cut = (pid: number | undefined): Promise<unknown> =>
      server.deps.database.pool.query('select pg_terminate_backend($1, 5000)', [pid]);
    const lose = (statementsBefore: number): Promise<unknown> =>
      db.transaction().execute(async (tx) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
        for (let count = 0; count < statementsBefore; count += 1) await sql`select 1`.execute(tx);
        await cut(rows[0]?.pid);
        if (statementsBefore > 0) await sql`select 1`.execute(tx);
      });
    const lost = await Promise.allSettled([0, 1, 2, 0, 1, 2, 0, 1, 2].map(lose));
    for (const one of lost) {
      expect(one.status).toBe('rejected');
      expect(isDatabaseAway((one as PromiseRejectedResult).reason)).toBe(true);
    }
    expect((await sql`select 1`.execute(db)).rows).toHaveLength(1);
    expect(pool.waitingCount).toBe(0);
    expect(pool.totalCount).toBe(pool.idleCount);
    await database.close();
  });

  it('has a statement that takes too long, and one that waits too long for a lock, answered with 503', async () => {
    const limits = { ...limitsOf.api, statementMs: 300, lockMs: 100 };
    await other.query('begin; lock table news');
    await withApp(open(server.deps.database.url, limits), async (get) => {
      expect(await get('/slow')).toEqual(away);
      expect(await get('/locked')).toEqual(away);
      expect((await get('/statement')).status).toBe(200);
    });
    await other.query('rollback');
  });

  it('has calls answered with 503 when every connection is taken, within 5 s', async () => {
    await withApp(open(server.deps.database.url), async (get) => {
      const slow = Array.from({ length: POOL }, () => get('/slow'));
      const answer = await get('/statement');
      expect(answer).toEqual(away);
      expect(answer.ms).toBeLessThan(6000);
      expect(await Promise.all(slow)).toEqual(slow.map(() => away));
    });
  });

  it('has calls answered with 503 when it takes no more connections', async () => {
    const name = new URL(server.deps.database.url).pathname.slice(1);
    await other.query(`create role few login password 'few' connection limit 0`);
    await other.query(`grant connect on database ${name} to few`);
    const url = new URL(server.deps.database.url);
    Object.assign(url, { username: 'few', password: 'few' });
    await withApp(open(url.href), async (get) => {
      expect(await get('/statement')).toEqual(away);
      expect(await get('/transaction')).toEqual(away);
      expect(await get('/readyz')).toEqual(away);
    });
    await other.query(`revoke connect on database ${name} from few; drop role few`);
  });

  it.each([
    ['starting up', '57P03'],
    ['shutting down', '57P01'],
    ['crashed', '57P02'],
    ['without room for one more', '53300'],
    ['of two that waited for each other', '40P01'],
  ])('is told from a fault of ours: %s', (_words, code) => {
    expect(isDatabaseAway(Object.assign(new Error('no'), { code }))).toBe(true);
    expect(
      isDatabaseAway(new Error('wrapped', { cause: Object.assign(new Error(), { code }) })),
    ).toBe(true);
  });

  it('is told from a fault of ours: a key that is there already', () => {
    expect(isDatabaseAway(Object.assign(new Error('no'), { code: '23505' }))).toBe(false);
  });
});
