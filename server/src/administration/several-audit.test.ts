// A change of several rows leaves the same audit rows as the change of one.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestBus, insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

let server: TestServer;
let fleet: TestFleet;
let token: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  token = await server.signIn('admin');
});
afterAll(() => server.close());

async function auditsOf(method: 'PUT' | 'POST', url: string, payload: object) {
  const { rows: before } = await server.deps.database.pool.query<{ id: number }>(
    'select coalesce(max(id), 0) as id from audit_log',
  );
  const headers = { authorization: `Bearer ${token}` };
  const answer = await server.app.inject({ method, url, headers, payload });
  expect([answer.statusCode, answer.body]).toEqual([200, expect.any(String)]);
  const { rows } = await server.deps.database.pool.query(
    'select action, object_type, before, after from audit_log where id > $1 order by id',
    [before[0]?.id],
  );
  return rows;
}

it('of buses that leave the fleet, return, and go to another customer', async () => {
  const { db } = server.deps.database;
  const one = await insertTestBus(db, fleet.first, 'Автобус 21');
  const other = await insertTestBus(db, fleet.first, 'Автобус 22');
  for (const change of [
    { retired: true },
    { retired: false },
    { client_ids: [fleet.second] },
    { client_ids: [fleet.first, fleet.second] },
  ]) {
    const alone = await auditsOf('PUT', `/api/admin/buses/${one.busId}`, change);
    const together = await auditsOf('POST', '/api/admin/buses/several', {
      ...{ ids: [other.busId], change },
    });
    expect(alone).toHaveLength(1);
    expect(together).toEqual(alone);
  }
});

it('of cameras, units and customers that are switched off and on', async () => {
  const { cameras, unitId } = fleet.firstBus;
  for (const [kind, one, other] of [
    ['cameras', cameras.cabin, cameras.door1],
    ['units', unitId, fleet.secondBus.unitId],
    ['customers', fleet.first, fleet.second],
  ] as const) {
    for (const enabled of [false, true]) {
      const change = { enabled };
      const alone = await auditsOf('PUT', `/api/admin/${kind}/${one}`, change);
      const together = await auditsOf('POST', `/api/admin/${kind}/several`, {
        ...{ ids: [other], change },
      });
      expect(alone).toHaveLength(1);
      expect(together).toEqual(alone);
    }
  }
});
