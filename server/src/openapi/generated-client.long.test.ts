// A client that a public generator makes from the description, as a stranger would make it.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { CLIENT_ID } from '@ridewatch/contract/auth';
import { generateSource } from 'oazapfts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, PASSWORD, type TestServer } from '../test/test-deps.ts';

/** The parts of the generated client that the test uses. */
interface Client {
  readonly defaults: { baseUrl: string; headers: Record<string, string> };
  issueTokens(body: object, options?: object): Promise<Answer<{ access_token: string }>>;
  listBuses(): Promise<Answer<{ items: { id: number; name: string }[] }>>;
  findDayResults(workplaceId: number, date: string): Promise<Answer<{ totalEntered: number }>>;
  sendBatch(body: object, options: object): Promise<Answer<{ acknowledged: number[][] }>>;
}
interface Answer<Data> {
  readonly status: number;
  readonly data: Data;
}

let server: TestServer;
let fleet: TestFleet;
let folder: string;
let client: Client;
beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  fleet = await insertTestFleet(server.deps.database.db, 'Europe/Moscow');
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' });
  // Beside the packages, which the client imports.
  folder = await mkdtemp(path.resolve('node_modules/.generated-client-'));
  const description = path.join(folder, 'openapi.json');
  await writeFile(description, await (await fetch(`${url}/api/openapi.json`)).text());
  const file = path.join(folder, 'client.ts');
  await writeFile(file, await generateSource(description));
  client = await import(pathToFileURL(file).href);
  client.defaults.baseUrl = url;
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

it('has a function for each call, under its name', async () => {
  const names = (await readFile(new URL('operation-ids.txt', import.meta.url), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0] ?? '');
  expect(names.filter((name) => typeof Reflect.get(client, name) !== 'function')).toEqual([]);
});

it('signs in, lists the buses of the user, and reads the day of one', async () => {
  const { busId, credential } = fleet.firstBus;
  const time = new Date(server.clock.nowMs() - 60_000).toISOString();
  const event = {
    type: 'passenger',
    seq: 1,
    time,
    door: 1,
    direction: 'entered',
    passenger: 'adult',
  };
  const stream = '6f1c0b0e-3c2a-4a7e-9d6d-0d2b8f1f7a11';
  const batch = { stream, sent_at: new Date(server.clock.nowMs()).toISOString(), records: [event] };
  const ofUnit = { headers: { authorization: `Bearer ${credential}` } };
  expect(await client.sendBatch(batch, ofUnit)).toMatchObject({
    status: 200,
    data: { acknowledged: [[1, 1]] },
  });

  const credentials = { grant_type: 'password', username: 'first', password: PASSWORD };
  const basic = `Basic ${Buffer.from(`${CLIENT_ID}:`).toString('base64')}`;
  const signedIn = await client.issueTokens(credentials, { headers: { authorization: basic } });
  client.defaults.headers.authorization = `Bearer ${signedIn.data.access_token}`;
  const { status, data } = await client.listBuses();
  expect([status, data.items.map(({ id }) => id)]).toEqual([200, [busId]]);
  const zone = { timeZone: 'Europe/Moscow' };
  const day = new Date(time).toLocaleDateString('sv-SE', zone);
  expect(await client.findDayResults(busId, day)).toMatchObject({
    status: 200,
    data: { totalEntered: 1 },
  });
});
