// Commands take turns under the row lock of their camera, unit, bus or route. Inserts that only refer to such a row, as
// every record of a unit does, neither wait for them nor delay them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from './auth/api.ts';
import { addBusRoutes } from './bus-routes/api.ts';
import { addBusStatus } from './buses/status-api.ts';
import { addLive } from './live/api.ts';
import { addRoutes } from './routes/api.ts';
import { insertTestFleet, type TestFleet } from './test/fleet.ts';
import { createTestServer, type TestServer } from './test/test-deps.ts';

let server: TestServer;
let fleet: TestFleet;
let headers: Record<string, string>;
beforeAll(async () => {
  server = await createTestServer([addAuth, addLive, addBusStatus, addBusRoutes, addRoutes]);
  fleet = await insertTestFleet(server.deps.database.db);
  headers = { authorization: `Bearer ${await server.signIn('admin')}` };
});
afterAll(() => server.close());

describe('while a transaction refers to camera, unit, bus and route', () => {
  const { POST, PUT } = { POST: 'POST', PUT: 'PUT' } as const;
  type Case = [string, typeof POST | typeof PUT, (fleet: TestFleet) => string, object?];
  it.each<Case>([
    ['a live stream starts', POST, ({ firstBus }) => `/api/live/${firstBus.cameras.cabin}`],
    ['a unit is asked', POST, ({ firstBus }) => `/api/workplaces/status/${firstBus.busId}`],
    ['a route is renamed', PUT, ({ firstBus }) => `/api/groups/${firstBus.routeId}`, { name: 'R' }],
    ['a bus leaves its route', PUT, () => '/api/set-group', { groupId: '!ungrouped' }],
  ])('%s', async (_name, method, url, body) => {
    const holder = await server.deps.database.pool.connect();
    try {
      await holder.query('begin');
      for (const table of ['cameras', 'units', 'workplaces', 'route_groups']) {
        await holder.query(`select from ${table} for key share`);
      }
      const said =
        body === undefined ? {} : { body: { ...body, workplaceId: fleet.firstBus.busId } };
      const answer = await server.app.inject({ method, url: url(fleet), headers, ...said });
      expect([answer.statusCode, answer.body]).toEqual([200, expect.anything()]);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });
});
