// Lists that nobody asks for a number of rows give ten, from page 0.
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiFeatures } from '../features.ts';
import { insertTestBus, insertTestClient, insertTestFleet, insertTestUser } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { insertTestNews } from '../test/news.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

/** One more than a page has. */
const MADE = 11;

let server: TestServer;
let admin: string;
let client: number;
beforeAll(async () => {
  server = await createTestServer(apiFeatures);
  const { db } = server.deps.database;
  await insertTestFleet(db);
  client = await insertTestClient(db, 'Большой');
  for (let number = 1; number <= MADE; number += 1) {
    await insertTestClient(db, `Клиент ${number}`);
    await insertTestUser(db, `user${number}`, 'OPERATOR', client);
    await insertTestBus(db, client, `Большой автобус ${number}`);
    await insertTestKey(db, client);
    await insertTestNews(db, `Новость ${number}`);
    await sql`insert into messages (title, text, created_at) values ('Баннер', '', now())`.execute(
      db,
    );
    await sql`insert into stop_classifiers (client_id, name, latitude, longitude)
      values (${client}, ${`Рынок ${number}`}, 55.75, 37.6)`.execute(db);
    await sql`insert into unknown_units
      (protocol, protocol_id, address, first_at, last_at, records)
      values ('egts', ${`${number}`}, '', now(), now(), 1)`.execute(db);
  }
  admin = await server.signIn('admin');
  const token = await server.signIn('user1');
  // A row of the audit log each.
  for (let number = 1; number < MADE; number += 1) await server.signIn('user1');
  expect((await askJson(server, token, 'GET', '/api/auth/me')).status).toBe(200);
});
afterAll(() => server.close());

const read = async (path: string, more: Record<string, string> = {}) => {
  const [base, query] = path.replace('CLIENT', `${client}`).split('?');
  const given = Object.fromEntries(new URLSearchParams(query));
  const url = `${base}?${new URLSearchParams({ ...given, ...more })}`;
  const { status, body } = await askJson(server, admin, 'GET', url);
  expect(status, JSON.stringify(body)).toBe(200);
  return body as { items: { id: number }[]; number: number; total: number };
};

describe.each([
  '/api/admin/customers',
  '/api/admin/users?clientId=CLIENT',
  '/api/admin/buses?clientId=CLIENT',
  '/api/admin/units?clientId=CLIENT',
  '/api/admin/cameras?clientId=CLIENT',
  '/api/admin/groups?clientId=CLIENT',
  '/api/admin/classifiers?clientId=CLIENT',
  '/api/admin/unknown-units',
  '/api/admin/news?type=NEWS',
  '/api/admin/messages',
  '/api/admin/audit?action=sign_in',
  '/api/keys?clientId=CLIENT',
  '/api/groups/search?clientIds=CLIENT',
  '/api/news/search',
  '/api/news/messages',
])('%s', (path) => {
  it('gives ten rows and the number of all, from page 0; the next page goes on', async () => {
    const first = await read(path);
    expect([first.items.length, first.number]).toEqual([10, 0]);
    expect(first.total).toBeGreaterThanOrEqual(MADE);
    const second = await read(path, { page: '1' });
    expect([second.items.length, second.number]).toEqual([Math.min(first.total - 10, 10), 1]);
    const all = await read(path, { perPage: '100' });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(all.items.slice(0, 20).map(({ id }) => id)).toEqual(ids);
  });
});
