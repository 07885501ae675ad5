// Days are marked as changed in one order, whatever marks them: two transactions never wait for each other.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Tx } from '../core/db/db.ts';
import { listBlocked } from '../test/blocked.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { bumpAllDays, bumpDays } from './bus-days.ts';

let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([]);
  fleet = await insertTestFleet(server.deps.database.db);
});
afterAll(() => server.close());

const [FIRST, LAST] = ['2026-11-20', '2026-11-21'];
const versions = async () => {
  const days = await server.deps.database.db
    .selectFrom('bus_days')
    .select(['day', 'version'])
    .orderBy('day')
    .execute();
  return days.map(({ day, version }) => [day, version]);
};

it('a change of all days of a bus waits for a batch that marks two of them, and the batch does not wait for it', async () => {
  const { db } = server.deps.database;
  const { busId } = fleet.firstBus;
  // The later day lies first in the table.
  for (const day of [LAST, FIRST]) await bumpDays(db, busId, [day]);
  const before = await versions();
  const isFirstLocked = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const inTurns = async (tx: Tx): Promise<void> => {
    await bumpDays(tx, busId, [FIRST]);
    isFirstLocked.resolve();
    await goesOn.promise;
    await bumpDays(tx, busId, [LAST]);
  };
  const batch = db.transaction().execute(inTurns);
  await isFirstLocked.promise;
  const change = db.transaction().execute((tx) => bumpAllDays(tx, [busId]));
  await vi.waitUntil(async () => (await listBlocked(db)).length > 0);
  goesOn.resolve();
  await Promise.all([batch, change]);
  expect(await versions()).toEqual(before.map(([day, version]) => [day, Number(version) + 2]));
});

it('a change from a day on leaves the earlier ones', async () => {
  const { db } = server.deps.database;
  const before = new Map((await versions()).map(([day, version]) => [day, Number(version)]));
  await bumpAllDays(db, [fleet.firstBus.busId], LAST);
  const after = new Map((await versions()).map(([day, version]) => [day, Number(version)]));
  expect(after.get(FIRST)).toBe(before.get(FIRST));
  expect(after.get(LAST)).toBe((before.get(LAST) ?? 0) + 1);
});
