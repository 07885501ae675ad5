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
  const nowMs = world.server.clock.nowMs();
  expect(await holdUpstreams(db, holder, nowMs)).toMatchObject([{ id }]);
  const isNoted = Promise.withResolvers<void>();
  const isLocked = Promise.withResolvers<void>();
  const noting = db.transaction().execute(async (tx) => {
    await tx.updateTable('upstreams').set({ confirmed: 1 }).where('id', '=', id).execute();
    isLocked.resolve();
    await isNoted.promise;
  });
  await isLocked.promise;
  const renewing = holdUpstreams(db, holder, nowMs + 1000);
  // Somebody else does not wait for it, and gets nothing.
  expect(await holdUpstreams(db, randomUUID(), nowMs + 60_000)).toEqual([]);
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
  const [holder, nowMs] = [randomUUID(), world.server.clock.nowMs()];
  await holdUpstreams(db, holder, nowMs);
  // Its row lies behind the other one.
  await db.updateTable('upstreams').set({ confirmed: 1 }).where('id', '=', first).execute();
  let renewing: ReturnType<typeof holdUpstreams> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`select from upstreams where id = ${first} for no key update`.execute(tx);
    renewing = holdUpstreams(db, holder, nowMs + 1000);
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
  const [holder, nowMs] = [randomUUID(), world.server.clock.nowMs()];
  await holdUpstreams(db, holder, nowMs);
  const { id } = await db
    .insertInto('upstream_queue')
    .values({
      ...{ upstream_id: upstreamId, unit_id: bus.unitId, workplace_id: bus.busId, records: 1 },
      ...{ stored_at: new Date(nowMs), due_at: new Date(nowMs) },
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
  await putOff(db, { upstreamId, holder: randomUUID() }, id, nowMs + 1000);
  expect(await dueMs()).toBe(nowMs);
  await putOff(db, { upstreamId, holder }, id, nowMs + 1000);
  expect(await dueMs()).toBe(nowMs + 1000);
});
