// A request for a range and one for a fragment of it, at the same moment: the later waits for the earlier, and neither for
// both.
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import type { Tx } from '../core/db/db.ts';
import { moveFragment } from '../fragments/state.ts';
import { insertAnnouncedFragment } from '../test/announced-fragment.ts';
import { listBlocked } from '../test/blocked.ts';
import { insertTestFleet, type TestFleet } from '../test/fleet.ts';
import { createTestServer, type TestServer } from '../test/test-deps.ts';
import { findBusCameras } from './bus-cameras.ts';
import { preload } from './preload.ts';
import { insertPreload } from './preloads.ts';
import { askAgain } from './tries.ts';

const NOW_MS = Date.parse('2026-11-20T08:00:00Z');
let server: TestServer;
let fleet: TestFleet;
beforeAll(async () => {
  server = await createTestServer([]);
  server.clock.set(NOW_MS);
  const { db } = server.deps.database;
  fleet = await insertTestFleet(db);
  await db.updateTable('cameras').set({ status: 'online' }).execute();
  await db
    .updateTable('units')
    .set({ last_seen_at: new Date(NOW_MS) })
    .execute();
});
afterAll(() => server.close());

it('a fragment whose video is being asked for is waited for, and its command is sent meanwhile', async () => {
  const { db } = server.deps.database;
  const { firstBus } = fleet;
  const id = await insertAnnouncedFragment(db, firstBus);
  const isMoved = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const askForOne = async (tx: Tx): Promise<void> => {
    await moveFragment(tx, id, 'DOWNLOADING_FROM_TASK', { atMs: NOW_MS });
    isMoved.resolve();
    await goesOn.promise;
    await askAgain(tx, id, NOW_MS);
  };
  const one = db.transaction().execute(askForOne);
  await isMoved.promise;
  const bus = await findBusCameras(db, firstBus.busId, NOW_MS);
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const actor = { userId, requestId: 'request', address: '127.0.0.1', atMs: NOW_MS };
  const startMs = Date.parse('2026-11-20T04:50:00Z');
  const range = { startMs, endMs: startMs + 1_800_000 };
  const who = { userId, busId: firstBus.busId };
  const all = preload(db, actor, bus, bus.cameras, who, range, NOW_MS);
  await vi.waitUntil(async () => (await listBlocked(db)).length > 0);
  goesOn.resolve();
  await Promise.all([one, all]);
  const commands = await db
    .selectFrom('unit_commands')
    .select('kind')
    .where('segment_id', '=', id)
    .execute();
  expect(commands).toHaveLength(1);
});

it('a request locks its fragments in the order in which announcements lock them', async () => {
  const { db } = server.deps.database;
  const { secondBus: bus } = fleet;
  const firstId = await insertAnnouncedFragment(db, bus);
  const secondId = await insertAnnouncedFragment(db, bus);
  // The second one began before the first.
  await db
    .updateTable('segments')
    .set({ start_time: new Date('2026-11-20T04:55:00Z') })
    .where('id', '=', secondId)
    .execute();
  const { id: userId } = await db
    .selectFrom('users')
    .select('id')
    .limit(1)
    .executeTakeFirstOrThrow();
  const startMs = Date.parse('2026-11-20T04:50:00Z');
  const wanted = {
    ...{ unitId: bus.unitId, busId: bus.busId, userId, cameraIds: [bus.cameras.door1] },
    ...{ startMs, endMs: startMs + 1_800_000, commandIds: [] },
  };
  const lock = (tx: Tx, id: number) =>
    tx.selectFrom('segments').select('id').where('id', '=', id).forUpdate().execute();
  const requests: Promise<unknown>[] = [];
  await db.transaction().execute(async (tx) => {
    await lock(tx, firstId);
    requests.push(db.transaction().execute((other) => insertPreload(other, wanted, NOW_MS)));
    await vi.waitUntil(async () => (await listBlocked(db)).length > 0);
    await lock(tx, secondId);
  });
  expect(await Promise.all(requests)).toEqual([expect.any(Number)]);
});
