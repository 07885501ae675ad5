// Kept records of buses that an upstream did not know: one of each bus asks, and what it tells brings the others.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { position, secondsOf, useOneUpstream } from '../test/upstream-world.ts';
import { sendAgain } from './unregistered.ts';

const one = useOneUpstream();
const db = () => one.world.server.deps.database.db;
const kept = async () => (await one.unregistered()).rows;

/** Keeps everything that waits, as of buses that the upstream does not know. */
async function keepAll(): Promise<void> {
  await sql`
    with gone as (delete from upstream_queue where upstream_id = ${one.id} returning *)
    insert into upstream_unregistered
    select upstream_id, id, unit_id, workplace_id, stored_at, records, points, people from gone`.execute(
    db(),
  );
}

const renameKept = (from: number, to: number) =>
  db()
    .updateTable('upstream_unregistered')
    .set({ upstream_id: to })
    .where('upstream_id', '=', from)
    .execute();

it('a new number puts one record of its bus into the queue, however many are kept', async () => {
  await one.stop();
  const other = await one.world.freshBus();
  await sql`
    insert into upstream_unregistered (upstream_id, id, unit_id, workplace_id, stored_at, records)
    select ${one.id}, n, 1, case n % 3 when 0 then ${one.bus.busId}::bigint when 1 then ${other.busId} else 0 end,
      now(), 1
    from generate_series(1, 20000) as n`.execute(db());
  await sql`analyze upstream_unregistered`.execute(db());
  const nowMs = one.world.server.clock.nowMs();
  const read = await db()
    .transaction()
    .execute(async (tx) => {
      await sendAgain(tx, one.id, [one.bus.busId, other.busId, 999_999], nowMs);
      const { rows } = await sql<{ read: number }>`
        select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
        where relname = 'upstream_unregistered'`.execute(tx);
      return rows[0]?.read;
    });
  expect(read).toBeLessThan(20);
  const back = await db()
    .selectFrom('upstream_queue')
    .select(['id', 'workplace_id', 'back_at'])
    .where('upstream_id', '=', one.id)
    .orderBy('id')
    .execute();
  const back_at = new Date(nowMs);
  expect(back).toEqual([
    { id: 1, workplace_id: other.busId, back_at },
    { id: 3, workplace_id: one.bus.busId, back_at },
  ]);
  expect(await kept()).toBe(19_998);
});

it('once it is confirmed, the others follow in their order', async () => {
  await one.stop();
  for (const second of [1, 2, 3]) await one.send([position(second)]);
  await keepAll();
  // The start asks for unknown buses, too.
  const away = -one.id;
  await renameKept(one.id, away);
  one.start();
  await one.send([position(0)]);
  await one.until(() => one.far.confirmed.length === 1);
  await one.until(one.isEmpty);
  await renameKept(away, one.id);
  await sendAgain(db(), one.id, [one.bus.busId], one.world.server.clock.nowMs());
  await one.until(() => one.far.confirmed.length === 4);
  await one.until(async () => (await kept()) === 0 && (await one.isEmpty()));
  expect(secondsOf(one.far.arrived)).toEqual([0, 1, 2, 3]);
});

it('one that the upstream is not to get any more asks for nothing: the next one does at once', async () => {
  await one.stop();
  for (const second of [1, 2, 3, 4]) await one.send([position(second)]);
  // As of people when they are not passed on any more.
  await sql`update upstream_queue set points = null where id in (
    select id from upstream_queue where upstream_id = ${one.id} order by id limit 3)`.execute(db());
  await keepAll();
  one.start();
  await one.until(async () => (await kept()) === 0 && (await one.isEmpty()));
  expect(secondsOf(one.far.confirmed)).toEqual([4]);
});
