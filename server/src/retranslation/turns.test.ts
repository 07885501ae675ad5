// A row that a move takes or splits between its reading and its turns is not sent as it was.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS, people, position, useOneUpstream } from '../test/upstream-world.ts';
import { readDue } from './due-rows.ts';
import { moveQueued } from './moved-rows.ts';
import { takeTurns } from './turns.ts';

const one = useOneUpstream();
const HOLDER = '33333333-3333-4333-8333-333333333333';
const db = () => one.world.server.deps.database.db;
const nowMs = () => one.world.server.clock.nowMs();

async function hold(): Promise<void> {
  await one.stop();
  await db().updateTable('upstreams').set({ holder: HOLDER }).where('id', '=', one.id).execute();
}

const read = async () => {
  const asked = { upstreamId: one.id, allClients: true, withPeople: true, sending: [], most: 64 };
  return (await readDue(db(), asked)).rows;
};
const take = (rows: Awaited<ReturnType<typeof read>>, holder = HOLDER) =>
  takeTurns(db(), { upstreamId: one.id, holder }, rows, nowMs());
const listTurns = () =>
  db()
    .selectFrom('upstream_turns')
    .select(['queue_id', 'turn'])
    .where('upstream_id', '=', one.id)
    .execute();

it('people of a row that was split meanwhile get one turn, of the part with them', async () => {
  await hold();
  const other = await one.world.freshBus();
  await one.send([people(1, 10), position(2, 20)]);
  await one.send([people(3, 5)]);
  const rows = await read();
  const [split, whole] = rows;
  let taking: ReturnType<typeof take> | undefined;
  // Taking turns waits for the move.
  await db()
    .transaction()
    .execute(async (tx) => {
      const move = { unitId: one.bus.unitId, from: one.bus.busId, to: other.busId };
      await moveQueued(tx, { ...move, fromMs: DAY_MS + 15_000, nowMs: nowMs() });
      taking = take(rows);
      await one.until(async () => {
        const { rows: blocked } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db());
        return blocked.length > 0;
      });
    });
  const turns = await taking;
  expect(turns?.moved).toEqual(new Set([split?.id]));
  expect(turns?.turnOf(whole?.id ?? 0, DAY_MS / 1000 + 5)).toBe(0);
  expect(await listTurns()).toEqual([{ queue_id: whole?.id, turn: 0 }]);
  // The next look has both parts, without its number that of the new bus.
  const next = await read();
  const before = next.find(({ id }) => id !== whole?.id);
  expect(next).toHaveLength(2);
  const later = await take(next);
  expect(later?.moved).toEqual(new Set());
  expect(later?.turnOf(before?.id ?? 0, DAY_MS / 1000 + 10)).toBe(0);
});

it('without people nothing is locked, and without the upstream nothing is taken', async () => {
  await hold();
  await one.send([position(1)]);
  await db()
    .transaction()
    .execute(async (tx) => {
      await sql`select from upstreams for update`.execute(tx);
      expect((await take(await read()))?.moved).toEqual(new Set());
    });
  await one.send([people(2, 2)]);
  expect(await take(await read(), '44444444-4444-4444-8444-444444444444')).toBeUndefined();
  expect(await listTurns()).toEqual([]);
});
