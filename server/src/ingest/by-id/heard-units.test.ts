// Units that were heard are noted a little later, many together, and no moment goes back.
import { SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { sql } from 'kysely';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { openFarDatabase } from '../../test/database-link.ts';
import { forgetUnit, seenOf, waitUntilHeard } from '../../test/heard.ts';
import { createTestServer, type TestServer } from '../../test/test-deps.ts';
import { useWorld } from '../../test/use-world.ts';
import { createHeardUnits } from './heard-units.ts';

const server = useWorld<TestServer>(() => createTestServer([]));
afterEach(() => vi.restoreAllMocks());

/** Units that were never heard. */
async function insertUnits(count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    insert into units (device_id, created_at)
    select 'heard-' || gen_random_uuid(), now() from generate_series(1, ${count}::int)
    returning id`.execute(server.deps.database.db);
  return rows.map(({ id }) => id);
}

async function insertUnit(): Promise<{ readonly unitId: number }> {
  const [unitId = 0] = await insertUnits(1);
  return { unitId };
}

/** The notes of a process that writes at once. */
function createNotes(deps = server.deps) {
  const notes = createHeardUnits(deps, 1, 1);
  onTestFinished(() => notes.close());
  return notes;
}

it('a thousand units that are heard together cost a few statements', async () => {
  const unitIds = await insertUnits(1000);
  const { db, pool } = server.deps.database;
  const connect = vi.spyOn(pool, 'connect');
  const notes = createHeardUnits(server.deps);
  for (const unitId of unitIds) notes.note(unitId);
  await notes.close();
  expect(connect.mock.calls.length).toBeLessThanOrEqual(5);
  const heard = await db
    .selectFrom('units')
    .select('id')
    .where('id', 'in', unitIds)
    .where('last_seen_at', '=', new Date(server.clock.nowMs()))
    .execute();
  expect(heard).toHaveLength(1000);
});

it('a unit whose row somebody locks is noted once it is free, and keeps no other one waiting', async () => {
  const [unit, other] = [await insertUnit(), await insertUnit()];
  const { db } = server.deps.database;
  const notes = createNotes();
  await db.transaction().execute(async (tx) => {
    await sql`select from units where id = ${unit.unitId} for no key update`.execute(tx);
    for (const { unitId } of [unit, other]) notes.note(unitId);
    await waitUntilHeard(server, other);
    expect((await seenOf(server, unit)).last_seen_at).toBeNull();
  });
  await waitUntilHeard(server, unit);
});

it('a unit that was heard later by its records keeps that moment', async () => {
  const [unit, other] = [await insertUnit(), await insertUnit()];
  const notes = createNotes();
  notes.note(unit.unitId);
  await waitUntilHeard(server, unit);
  const later = server.clock.nowMs() + SILENT_AFTER_MS;
  await server.deps.database.db
    .updateTable('units')
    .set({ last_seen_at: new Date(later) })
    .where('id', '=', unit.unitId)
    .execute();
  for (const { unitId } of [unit, other]) notes.note(unitId);
  await waitUntilHeard(server, other);
  expect((await seenOf(server, unit)).last_seen_at).toEqual(new Date(later));
});

it('a unit that is heard while the database is away is noted when it is back', async () => {
  const unit = await insertUnit();
  await forgetUnit(server, unit);
  const present = server.deps.database;
  const { far, database: away } = await openFarDatabase(present.url);
  await far.close();
  const connect = vi.spyOn(away.pool, 'connect');
  let { db } = away;
  const database = {
    ...present,
    get db() {
      return db;
    },
  };
  createNotes({ ...server.deps, database }).note(unit.unitId);
  await vi.waitFor(() => expect(connect.mock.calls.length).toBeGreaterThan(1));
  db = present.db;
  await waitUntilHeard(server, unit);
});
