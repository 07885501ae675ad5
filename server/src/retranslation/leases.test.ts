// The lease of a process on its upstreams.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createUpstreamWorld, type UpstreamWorld } from '../test/upstream-world.ts';
import { holdUpstreams } from './leases.ts';
import { putOff } from './settle.ts';

let world: UpstreamWorld;
beforeEach(async () => {
  world = await createUpstreamWorld();
});
afterEach(() => world.close());

it('is renewed, too, when a result is being noted at that moment', async () => {
  const { db } = world.server.deps.database;
  const id = await world.makeUpstream({ port: 1 });
  const holder = randomUUID();
  expect(await holdUpstreams(db, holder)).toMatchObject([{ id }]);
  await sql`update upstreams set held_until = now() - interval '1 s'`.execute(db);
  const isNoted = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const noting = db.transaction().execute(async (tx) => {
    await tx.updateTable('upstreams').set({ confirmed: 1 }).where('id', '=', id).execute();
    isLocked.resolve();
    await isNoted.promise;
  });
  await isLocked.promise;
  const renewing = holdUpstreams(db, holder);
  // Somebody else does not wait for it, and gets nothing.
  expect(await holdUpstreams(db, randomUUID())).toEqual([]);
  isNoted.resolve();
  await noting;
  expect(await renewing).toMatchObject([{ id }]);
});

it('is renewed in the order of upstreams, as a unit that moves locks them', async () => {
  const { db } = world.server.deps.database;
  const [first, second] = [
    await world.makeUpstream({ port: 1 }),
    await world.makeUpstream({ port: 1 }),
  ];
  const holder = randomUUID();
  await holdUpstreams(db, holder);
  // Its row lies behind the other one.
  await db.updateTable('upstreams').set({ confirmed: 1 }).where('id', '=', first).execute();
  let renewing: ReturnType<typeof holdUpstreams> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`select from upstreams where id = ${first} for no key update`.execute(tx);
    renewing = holdUpstreams(db, holder);
    await world.until(async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0;
    });
    await sql`select from upstreams where id = ${second} for no key update nowait`.execute(tx);
  });
  expect((await renewing)?.map(({ id }) => id).sort()).toEqual([first, second].sort());
});

it('lets nobody put off a row who has lost it', async () => {
  const { db } = world.server.deps.database;
  const upstreamId = await world.makeUpstream({ port: 1 });
  const bus = await world.freshBus();
  const holder = randomUUID();
  await holdUpstreams(db, holder);
  const { id } = await db
    .insertInto('upstream_queue')
    .values({
      ...{ upstream_id: upstreamId, unit_id: bus.unitId, workplace_id: bus.busId, records: 1 },
      ...{ stored_at: new Date(world.server.clock.nowMs()), due_at: sql<Date>`now()` },
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const dueMs = async (): Promise<number> =>
    (
      await db
        .selectFrom('upstream_queue')
        .select('due_at')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).due_at.getTime();
  const before = await dueMs();
  await putOff(db, { upstreamId, holder: randomUUID() }, id, 60_000);
  expect(await dueMs()).toBe(before);
  await putOff(db, { upstreamId, holder }, id, 60_000);
  expect((await dueMs()) - before).toBeGreaterThanOrEqual(60_000);
});
