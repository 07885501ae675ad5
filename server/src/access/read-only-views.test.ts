// A view as another user: every call of the contract that changes something is refused.
import type { Endpoint } from '@ridewatch/contract/endpoint';
import { endpoints } from '@ridewatch/contract/endpoints';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { apiFeatures } from '../features.ts';
import { insertTestFleet } from '../test/fleet.ts';
import { askJson } from '../test/requests.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';

let server: TestServer;
let view: string;
beforeAll(async () => {
  server = await createTestServer(apiFeatures);
  const { db } = server.deps.database;
  await insertTestFleet(db);
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('login', '=', 'integrator')
    .executeTakeFirstOrThrow();
  const admin = await server.signIn('admin');
  const { body } = await askJson(server, admin, 'POST', `/api/admin/users/${id}/view`);
  view = body.access_token;
});
afterAll(() => server.close());

const writing = (endpoints as readonly Endpoint[]).filter(
  ({ access, method }) => access !== 'public' && access !== 'unit' && method !== 'GET',
);
const keyOf = ({ method, path }: Endpoint) => [method, path] as const;
const ask = (method: Endpoint['method'], path: string) =>
  askJson(
    server,
    view,
    method,
    path.replace(/\{\w+\}/g, '1'),
    method === 'DELETE' ? undefined : {},
  );

it('a view makes three calls that are no GET: they write nothing, or end it', () => {
  expect(writing.length).toBeGreaterThan(80);
  expect(writing.filter(({ inView }) => inView).map(keyOf)).toEqual([
    ['POST', '/api/auth/logout'],
    ['POST', '/api/reports/estimate'],
    ['POST', '/api/admin/import/check'],
  ]);
});

it.each(writing.filter(({ inView }) => !inView).map(keyOf))(
  'a view does not call %s %s',
  async (method, path) => {
    expect(await ask(method, path)).toMatchObject({
      status: 403,
      body: { error: 'read_only_view' },
    });
  },
);
