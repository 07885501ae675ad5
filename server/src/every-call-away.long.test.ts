// Every call of the contract with a silent database: none may hang.
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildApp } from './app.ts';
import { createAuthenticators } from './auth/authenticators.ts';
import { limitsOf } from './core/db/connections.ts';
import { openDatabase } from './core/db/db.ts';
import { apiFeatures, ingestFeatures } from './features.ts';
import { type DatabaseLink, openDatabaseLink } from './test/database-link.ts';
import { insertTestFleet, type TestFleet } from './test/fleet.ts';
import { createTestServer, type TestServer } from './test/test-deps.ts';

/** Most time of a call, ms. */
const CALL_MS = 10_000;

let server: TestServer;
let link: DatabaseLink;
let fleet: TestFleet;

beforeAll(async () => {
  server = await createTestServer(apiFeatures);
  fleet = await insertTestFleet(server.deps.database.db);
  link = await openDatabaseLink(server.deps.database.url);
});
afterAll(async () => {
  await link.close();
  await server.close();
});

it('every call is answered within 10 s while the database is silent, with 503 unless it needs no database', async () => {
  const token = await server.signIn('admin');
  const database = openDatabase(link.url, 10, limitsOf.api, () => undefined);
  const deps = { ...server.deps, database };
  const auth = await createAuthenticators(deps);
  const app = await buildApp(deps, auth, [...apiFeatures, ...ingestFeatures]);
  const { busId, credential, cameras } = fleet.firstBus;
  const about = `workplaceId=${busId}&cameraId=${cameras.door1}&date=2026-11-20&day=2026-11-20`;
  const ask = async ({ method, path, access, body }: Endpoint) => {
    const url = `${path.replace(/\{\w+\}/g, String(busId))}?${about}`;
    const headers = { authorization: `Bearer ${access === 'unit' ? credential : token}` };
    const startedMs = performance.now();
    const answer = await app.inject({ method, url, headers, ...(body && { payload: {} }) });
    return {
      call: `${method} ${path}`,
      status: answer.statusCode,
      ms: performance.now() - startedMs,
    };
  };
  // Cache the sessions, so that the call itself fails, not its authentication.
  const all: readonly Endpoint[] = endpoints;
  const me = await ask(all.find(({ path }) => path === '/api/auth/me') as Endpoint);
  expect(me.status).toBe(200);
  link.fallSilent();
  const answers = await Promise.all(all.map(ask));
  expect(answers.filter(({ ms }) => ms > CALL_MS)).toEqual([]);
  expect(answers.filter(({ status }) => status >= 500 && status !== 503)).toEqual([]);
  const away = answers.filter(({ status }) => status === 503);
  expect(away.length).toBeGreaterThan(all.length / 3);
  expect(answers.filter(({ status }) => status < 400).map(({ call }) => call)).toEqual([
    // From the cached session.
    'GET /api/auth/session',
    'GET /api/settings',
    'GET /api/openapi.json',
  ]);
  await app.close();
  await database.close();
});
