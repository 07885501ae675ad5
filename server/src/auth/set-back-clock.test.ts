// The clock of a server's machine is set back: sessions, keys and rights that end are known to have ended as soon as ever.
import { MAX_KEY_CALLS } from '@ridewatch/contract/api-keys';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { apiFeatures, ingestFeatures } from '../features.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { insertTestKey } from '../test/key-calls.ts';
import { createTestServer, KNOWN_MS, type TestServer } from '../test/test-deps.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-03-12T12:00:00Z');
let server: TestServer;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer([...ingestFeatures, ...apiFeatures]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());
beforeEach(() => server.clock.set(NOW_MS));

const ask = async (url: string, secret: string) => {
  const headers = { authorization: `Bearer ${secret}` };
  return (await server.app.inject({ url, headers })).statusCode;
};

const ends = {
  'A session': {
    secret: () => server.signIn('first'),
    url: () => '/api/auth/session',
    open: 204,
    end: () => sql`update sessions set revoked_at = now()`,
    ended: 401,
  },
  'An API key': {
    secret: async () => {
      const key = await insertTestKey(server.deps.database.db, fleet.first, { nowMs: NOW_MS });
      return key.secret;
    },
    url: () => '/api/bus_list',
    open: 200,
    end: () => sql`update api_keys set revoked_at = now()`,
    ended: 401,
  },
  "A unit's credential": {
    secret: async () => fleet.firstBus.credential,
    url: () => '/unit/v1/commands?wait=0',
    open: 200,
    end: () => sql`update unit_credentials set revoked_at = now()`,
    ended: 401,
  },
  'The right to see a bus': {
    secret: () => server.signIn('second'),
    url: () => `/api/segments/day-segments?workplaceId=${fleet.secondBus.busId}&date=2026-03-12`,
    open: 200,
    end: () => sql`delete from workplace_clients where workplace_id = ${fleet.secondBus.busId}`,
    ended: 404,
  },
  'The right to see where a bus is': {
    secret: () => server.signIn('first'),
    url: () => `/api/gps?busId=${fleet.firstBus.busId}`,
    open: 200,
    end: () => sql`delete from workplace_clients where workplace_id = ${fleet.firstBus.busId}`,
    ended: 404,
  },
};

it.each(Object.entries(ends))(
  '%s that ends is over within 5 s, also when the clock of the machine is set back',
  async (_name, { secret, url, open, end, ended }) => {
    const shown = await secret();
    expect(await ask(url(), shown)).toBe(open);
    await end().execute(server.deps.database.db);
    server.clock.set(NOW_MS - HOUR_MS);
    server.clock.advance(KNOWN_MS);
    expect(await ask(url(), shown)).toBe(ended);
  },
);

it('A key that made all calls of a minute is free a minute later by any clock', async () => {
  const { secret } = await insertTestKey(server.deps.database.db, fleet.first, { nowMs: NOW_MS });
  let made = 0;
  while ((await ask('/api/bus_list', secret)) === 200) made += 1;
  expect(made).toBe(MAX_KEY_CALLS);
  server.clock.set(NOW_MS - HOUR_MS);
  server.clock.advance(60_000);
  expect(await ask('/api/bus_list', secret)).toBe(200);
});
