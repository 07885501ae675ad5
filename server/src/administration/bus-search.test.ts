import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestBus, insertTestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  const { db } = server.deps.database;
  const fleet = await insertTestFleet(db);
  for (const name of ['9-12 А', '12 А', '112 А']) await insertTestBus(db, fleet.first, name);
  await insertTestBus(db, fleet.second, '12 А');
  token = await server.signIn('admin');
});
afterAll(() => server.close());

async function namesOf(query: string): Promise<string[]> {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ url: `/api/admin/buses?${query}`, headers });
  return answer.json().items.map(({ name }: { name: string }) => name);
}

it('buses of the very name that is searched come first, in whatever letters and spaces', async () => {
  const search = `search=${encodeURIComponent(' 12a ')}`;
  expect(await namesOf(search)).toEqual(['12 А', '12 А', '9-12 А', '112 А']);
  expect(await namesOf(`${search}&perPage=1&page=2`)).toEqual(['9-12 А']);
  expect(await namesOf(`${search}&sortBy=name`)).toEqual(['9-12 А', '12 А', '12 А', '112 А']);
});
