import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openDatabaseLink } from '../../test/database-link.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { triesOf } from '../../test/tries-of.ts';
import { listen } from './listen.ts';

const KILLS = triesOf(8);
const WAIT = { timeout: 60_000, interval: 10 };

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

/** The backends that listen to a channel. */
async function listListeners(channel: string): Promise<number[]> {
  const { rows } = await other.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and query = $1`,
    [`listen "${channel}"`],
  );
  return rows.map(({ pid }) => pid);
}

it(`${KILLS} losses of a listening connection leave one connection, that hears`, async () => {
  const heard: string[] = [];
  const stop = await listen(server.deps, 'lost', (payload) => heard.push(payload));
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const [pid] = await listListeners('lost');
    // Let each connection count as healthy, so that the backoff does not grow.
    vi.spyOn(performance, 'now').mockImplementation(() => kill * 1e6);
    await other.query('select pg_terminate_backend($1, 5000)', [pid]);
    await vi.waitUntil(() => heard.length === kill, WAIT);
    expect(await listListeners('lost')).toHaveLength(1);
  }
  vi.restoreAllMocks();
  expect(heard).toEqual(Array(KILLS).fill(''));
  await other.query(`notify "lost", 'hello'`);
  await vi.waitUntil(() => heard.includes('hello'), WAIT);
  expect(await listListeners('lost')).toHaveLength(1);
  await stop();
  await vi.waitUntil(async () => (await listListeners('lost')).length === 0, WAIT);
});

it('A database that cannot be reached is tried again one connection at a time, and then heard', async () => {
  const link = await openDatabaseLink(server.deps.database.url);
  const database = { ...server.deps.database, url: link.url };
  const warn = vi.spyOn(server.deps.log, 'warn');
  const heard: string[] = [];
  const stop = await listen({ ...server.deps, database }, 'far', (payload) => heard.push(payload));
  const connect = vi.spyOn(pg.Client.prototype, 'connect');
  await link.close();
  await vi.waitUntil(() => connect.mock.calls.length >= 3, WAIT);
  expect(await listListeners('far')).toHaveLength(0);
  await stop();
  expect(connect.mock.calls.length).toBeLessThan(5);
  connect.mockRestore();
  // A database that is away for hours would fill the log.
  const lines = warn.mock.calls.filter(([, words]) => words === 'cannot listen');
  expect(lines).toHaveLength(1);
  expect(heard).toEqual([]);
  warn.mockRestore();
});
