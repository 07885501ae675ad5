// Messages of a unit in any protocol are kept while somebody listens to it, over real sockets.
import { JT808 } from '@ridewatch/unit/src/jt808/bodies.ts';
import { expect, it } from 'vitest';
import { createJt808World, at as locationAt } from '../../test/jt808.ts';
import { ask, createOsmandWorld, at as positionAt } from '../../test/osmand.ts';
import type { TestServer } from '../../test/test-deps.ts';

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
