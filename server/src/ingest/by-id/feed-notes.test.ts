// Messages of a unit in any protocol are kept while somebody listens to it, over real sockets.
import { MOST_FEED_ROWS } from '@ridewatch/contract/admin-feed';
import { JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { expect, it, vi } from 'vitest';
import { createLog } from '../../core/log.ts';
import { createJt808World, at as locationAt } from '../../test/jt808.ts';
import { ask, createOsmandWorld, at as positionAt } from '../../test/osmand.ts';
import type { TestServer } from '../../test/test-deps.ts';
import { createFeedNotes } from './feed-notes.ts';

const MINUTE_MS = 60_000;

/** Listens to a unit, and gives what was kept of it. */
async function listen({ clock, deps: { database } }: TestServer, unitId: number) {
  await database.db
    .updateTable('units')
    .set({ feed_until: new Date(clock.nowMs() + MINUTE_MS) })
    .where('id', '=', unitId)
    .execute();
  return () =>
    database.db
      .selectFrom('unit_feed')
      .select(['status', 'answer', 'body'])
      .where('unit_id', '=', unitId)
      .orderBy('id')
      .execute();
}

it('a phone has its request in the feed, as text', async () => {
  const world = await createOsmandWorld();
  const { id, unitId } = await world.freshBus();
  const kept = await listen(world.server, unitId);
  expect((await ask(world.product, { id, ...positionAt(0) })).status).toBe(200);
  await expect
    .poll(kept)
    .toMatchObject([{ status: 0, answer: 'stored', body: expect.stringContaining('55.7') }]);
  await world.close();
});

it('a terminal of JT/T 808 has its message in the feed, in hexadecimal digits', async () => {
  const world = await createJt808World();
  const bus = await world.freshBus();
  const kept = await listen(world.server, bus.unitId);
  const terminal = await world.signedIn(bus);
  const location = locationAt(0);
  await terminal.ask(JT808.location, location);
  await expect
    .poll(kept)
    .toMatchObject([
      { status: 0, answer: 'stored', body: expect.stringContaining(location.toString('hex')) },
    ]);
  await world.close();
});

it('of many messages at once only those that are kept are made into texts', () => {
  const noteFor = vi.fn(async () => undefined);
  const note = createFeedNotes({ store: { noteFor }, log: createLog('silent') });
  const unit = { unitId: 7, deviceId: '7', busId: 1, assignedFromMs: 0, pastAssignments: [] };
  const raw = vi.fn(() => '7e7e');
  const known = { unit: { ...unit, protocolId: '7' }, settings: {}, listenedUntilMs: 1 };
  const heard = { unit: known, raw, fate: 'wrong' };
  note(
    Array.from({ length: 1000 }, () => heard),
    0,
  );
  expect(noteFor).toHaveBeenCalledTimes(1);
  expect(raw).toHaveBeenCalledTimes(MOST_FEED_ROWS);
});
