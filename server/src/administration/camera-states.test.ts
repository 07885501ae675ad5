// Nobody knows the states of the cameras of a silent unit: the list of cameras says so, and finds them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addAuth } from '../auth/api.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { addAdministration } from './api.ts';

const MINUTE_MS = 60_000;
let server: TestServer;
let fleet: TestFleet;
let admin: string;
beforeAll(async () => {
  server = await createTestServer([addAuth, addAdministration]);
  fleet = await insertTestFleet(server.deps.database.db);
  admin = await server.signIn('admin');
  const { db } = server.deps.database;
  await db.updateTable('cameras').set({ status: 'online' }).execute();
});
afterAll(() => server.close());

async function list(query = '') {
  const headers = { authorization: `Bearer ${admin}` };
  const url = `/api/admin/cameras?perPage=100&busId=${fleet.firstBus.busId}${query}`;
  const answer = await server.app.inject({ url, headers });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
}
const hear = (ago: number | null) =>
  server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: ago === null ? null : new Date(server.clock.nowMs() - ago) })
    .where('id', '=', fleet.firstBus.unitId)
    .execute();

describe('the state of a camera', () => {
  it.each([
    ['was heard a minute ago', MINUTE_MS, false],
    ['was heard six minutes ago', 6 * MINUTE_MS, true],
    ['was never heard', null, true],
  ])('whose unit %s', async (_, ago, unit_silent) => {
    await hear(ago);
    const { items, total } = await list();
    expect(items[0]).toMatchObject({ status: 'online', unit_silent });
    const found = (status: string) => list(`&status=${status}`).then((one) => one.total);
    expect(await found('online')).toBe(unit_silent ? 0 : total);
    expect(await found('unknown')).toBe(unit_silent ? total : 0);
    expect(await found('offline')).toBe(0);
    const one = await server.app.inject({
      url: `/api/admin/cameras/${items[0].id}`,
      headers: { authorization: `Bearer ${admin}` },
    });
    expect(one.json()).toEqual(items[0]);
  });

  it('of a bus without a unit is unknown, too', async () => {
    const { db } = server.deps.database;
    await db
      .updateTable('units')
      .set({ workplace_id: null })
      .where('id', '=', fleet.firstBus.unitId)
      .execute();
    const { items, total } = await list('&status=unknown');
    expect(total).toBeGreaterThan(0);
    expect(items[0].unit_silent).toBeNull();
  });
});
