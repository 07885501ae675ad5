// Waiting records follow their unit to another bus, however much else waits.
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { unpackPoints } from '../positions/pack.ts';
import { moveQueued } from '../retranslation/moved-rows.ts';
import { NOTHING, settle } from '../retranslation/settle.ts';
import { deleteTestUnit, insertTestBus, type TestBus, type TestFleet } from '../test/fleet.ts';
import { askJson, sendBatch } from '../test/requests.ts';
import type { TestServer } from '../test/test-deps.ts';
import { createWholeServer } from '../test/whole-server.ts';

const NOW_MS = Date.parse('2026-11-20T09:00:00Z');

let server: TestServer;
let fleet: TestFleet;
let token: string;
let from: TestBus;
let to: TestBus;
let upstream: number;
let seq = 0;
beforeAll(async () => {
  ({ server, fleet } = await createWholeServer(NOW_MS));
  token = await server.signIn('admin');
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.deps.database;
  await db.deleteFrom('upstream_queue').execute();
  await db.deleteFrom('upstream_unregistered').execute();
  await db.deleteFrom('upstream_parked').execute();
  await db.deleteFrom('upstreams').execute();
  const freshBus = () => insertTestBus(db, fleet.first, randomUUID(), 'Europe/Moscow');
  [from, to] = [await freshBus(), await freshBus()];
  await deleteTestUnit(db, to.unitId);
  const { id } = await db
    .insertInto('upstreams')
    .values({
      ...{ name: 'Регион', host: '127.0.0.1', port: 1, all_clients: true },
      created_at: new Date(NOW_MS - 86_400_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  upstream = id;
  const row = { upstream_id: id, workplace_id: from.busId, object_id: 1 };
  await db.insertInto('upstream_buses').values(row).execute();
  server.clock.advance(4000);
});

const momentAt = (minute: number): string => new Date(NOW_MS + minute * 60_000).toISOString();
const position = (minute: number) => ({
  ...{ type: 'position', seq: ++seq, time: momentAt(minute), latitude: 55.75 },
  ...{ longitude: 37.6, speed_kmh: 30 },
});
const passenger = (minute: number) => ({
  ...{ type: 'passenger', seq: ++seq, time: momentAt(minute), door: 1 },
  ...{ direction: 'entered', passenger: 'adult' },
});
async function send(...records: object[]): Promise<void> {
  const answer = await sendBatch(server, from.credential, { stream: randomUUID(), records });
  expect(answer.statusCode, answer.body).toBe(200);
}
async function move(busId: number | null, minute: number): Promise<void> {
  const body = { bus_id: busId, moved_from: momentAt(minute) };
  const answer = await askJson(server, token, 'PUT', `/api/admin/units/${from.unitId}`, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
}
/** When the rows of the queue are due, and since when they are back in it. */
const listTimes = async () =>
  server.deps.database.db
    .selectFrom('upstream_queue')
    .select(['id', 'due_at', 'back_at'])
    .where('upstream_id', '=', upstream)
    .orderBy('id')
    .execute();
/** Waiting rows: the bus, the minutes of places, the minutes of people, and the number of records. */
async function listWaiting(table = 'upstream_queue') {
  const { rows } = await sql<{
    bus: number;
    points: Buffer | null;
    people: [number][] | null;
    records: number;
  }>`
    select workplace_id as bus, points, people, records from ${sql.table(table)}
    where upstream_id = ${upstream} order by id`.execute(server.deps.database.db);
  const minuteOf = (ms: number) => (ms - NOW_MS) / 60_000;
  return rows.map(({ bus, points, people, records }) => [
    bus === from.busId ? 'old' : 'new',
    (points === null ? [] : unpackPoints(points)).map(({ sentMs }) => minuteOf(sentMs)),
    (people ?? []).map(([second]) => minuteOf(second * 1000)),
    records,
  ]);
}

it('what a unit recorded in its new bus waits as of that bus, and what it did before as of the old one', async () => {
  await send(position(-50), passenger(-50));
  await send(position(-40), position(-20), passenger(-30), passenger(-10));
  await send(position(-15));
  const before = await listTimes();
  await move(to.busId, -20);
  // The others may be on their way: they keep their ids and times.
  expect((await listTimes()).slice(0, 3)).toEqual(before);
  expect((await listTimes())[3]).toMatchObject({ due_at: before[1]?.due_at, back_at: null });
  expect(await listWaiting()).toEqual([
    ['old', [-50], [-50], 1],
    ['new', [-20], [-10], 2],
    ['new', [-15], [], 1],
    ['old', [-40], [-30], 2],
  ]);
});

it('what a unit recorded after it left its bus waits no more', async () => {
  await send(position(-40), position(-20));
  await send(passenger(-15));
  await move(null, -20);
  expect(await listWaiting()).toEqual([['old', [-40], [], 1]]);
});

it('records that wait go to the new bus also when their unit was in none for a while', async () => {
  await send(position(-50));
  await send(position(-40), position(-20));
  await send(passenger(-15));
  const ids = (await listTimes()).map(({ id }) => id);
  await move(null, -20);
  await move(to.busId, -16);
  const now = new Date(server.clock.nowMs());
  expect(await listWaiting()).toEqual([
    ['old', [-50], [], 1],
    ['new', [], [-15], 1],
    ['old', [-40], [], 1],
  ]);
  // It is the row that it was: its turns are of its id.
  expect((await listTimes())[1]).toMatchObject({ id: ids[2], back_at: now });
});

describe('what was on its way when its unit left its bus', () => {
  const held = async () => {
    const holder = randomUUID();
    await server.deps.database.db.updateTable('upstreams').set({ holder }).execute();
    return { upstreamId: upstream, holder };
  };
  const doneOf = (rows: Awaited<ReturnType<typeof listTimes>>) => ({
    ...{ ...NOTHING, done: rows.map(({ id }) => ({ id, confirmed: 1 })) },
  });

  it('stays with the old bus once it is confirmed, and the rest comes again as it was', async () => {
    const { db } = server.deps.database;
    await send(position(-40), passenger(-40), position(-20));
    await send(position(-15));
    const sent = await listTimes();
    const row = { upstream_id: upstream, workplace_id: from.busId, queue_id: sent[0]?.id ?? 0 };
    const second = Date.parse(momentAt(-40)) / 1000;
    const taken_at = new Date(NOW_MS);
    await db
      .insertInto('upstream_turns')
      .values({ ...row, second, turn: 3, taken_at })
      .execute();
    await move(null, -20);
    await settle(db, await held(), doneOf(sent), NOW_MS);
    await move(to.busId, -20);
    expect(await listWaiting()).toEqual([['old', [-40], [-40], 1]]);
    const turns = await db.selectFrom('upstream_turns').select(['queue_id', 'turn']).execute();
    const [left] = await listTimes();
    expect(turns).toContainEqual({ queue_id: left?.id, turn: 3 });
  });

  it('does so, too, when the confirmation comes during the move', async () => {
    const { db } = server.deps.database;
    await send(position(-15));
    const sent = await listTimes();
    const own = await held();
    let settling: ReturnType<typeof settle> | undefined;
    await db.transaction().execute(async (tx) => {
      const moved = { unitId: from.unitId, from: from.busId, to: null };
      await moveQueued(tx, { ...moved, fromMs: NOW_MS - 20 * 60_000, nowMs: NOW_MS });
      settling = settle(db, own, doneOf(sent), NOW_MS);
      const isBlocked = async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
        return rows.length > 0;
      };
      await vi.waitUntil(isBlocked, { timeout: 20_000, interval: 10 });
    });
    expect(await settling).toBe(true);
    expect(await db.selectFrom('upstream_parked').select('id').execute()).toEqual([]);
  });
});

it('what is kept because an upstream does not know the old bus goes to the queue as of the new one', async () => {
  await send(position(-40), position(-20));
  await send(position(-45));
  await sql`
    with kept as (delete from upstream_queue where upstream_id = ${upstream} returning *)
    insert into upstream_unregistered
    select upstream_id, id, unit_id, workplace_id, stored_at, records, points, people from kept`.execute(
    server.deps.database.db,
  );
  await move(to.busId, -20);
  expect(await listWaiting('upstream_unregistered')).toEqual([
    ['old', [-45], [], 1],
    ['old', [-40], [], 1],
  ]);
  expect(await listWaiting()).toEqual([['new', [-20], [], 1]]);
  const now = new Date(server.clock.nowMs());
  expect(await listTimes()).toMatchObject([{ back_at: now }]);
});

it('records of a clock that is ahead follow their unit, too, however long before their time they came', async () => {
  const hours = 23;
  await send(position(-10));
  await send(position(-5), passenger(hours * 60));
  await send(position(-5), position(hours * 60 + 1));
  await server.deps.database.db.transaction().execute(async (tx) => {
    const moved = { unitId: from.unitId, from: from.busId, to: to.busId };
    const fromMs = NOW_MS + hours * 3_600_000;
    // Those that stay with the old bus count for nothing.
    const limits = { most: 2, lot: 1 };
    expect(await moveQueued(tx, { ...moved, fromMs, nowMs: fromMs + 60_000 }, limits)).toBe(true);
  });
  expect(await listWaiting()).toEqual([
    ['old', [-10], [], 1],
    ['new', [], [hours * 60], 1],
    ['new', [hours * 60 + 1], [], 1],
    ['old', [-5], [], 1],
    ['old', [-5], [], 1],
  ]);
});

it('what other units recorded in the bus stays', async () => {
  await send(position(-20));
  await sql`update upstream_queue set unit_id = unit_id + 1000000`.execute(server.deps.database.db);
  await move(to.busId, -40);
  expect(await listWaiting()).toEqual([['old', [-20], [], 1]]);
});

describe('a unit with many waiting rows', () => {
  it('moves them by lots, each once', async () => {
    for (const minute of [-50, -30, -15]) await send(position(minute), passenger(minute + 20));
    await send(position(-10));
    await server.deps.database.db.transaction().execute(async (tx) => {
      const moved = { unitId: from.unitId, from: from.busId, to: to.busId };
      const fromMs = NOW_MS - 20 * 60_000;
      const limits = { most: 4, lot: 1 };
      expect(await moveQueued(tx, { ...moved, fromMs, nowMs: NOW_MS }, limits)).toBe(true);
    });
    expect(await listWaiting()).toEqual([
      ['old', [-50], [-30], 2],
      ['new', [], [-10], 1],
      ['new', [-15], [5], 2],
      ['new', [-10], [], 1],
      ['old', [-30], [], 1],
    ]);
  });

  it('is told to move later when there are more than a move takes along', async () => {
    const { db } = server.deps.database;
    await send(position(-10));
    await sql`
      insert into upstream_unregistered (upstream_id, id, unit_id, workplace_id, stored_at, records)
      select ${upstream}, n + 1000000, ${from.unitId}, ${from.busId}, ${new Date(NOW_MS)}, 1
      from generate_series(1, 100000) as n`.execute(db);
    const body = { bus_id: to.busId, moved_from: momentAt(-20) };
    const answer = await askJson(server, token, 'PUT', `/api/admin/units/${from.unitId}`, body);
    const refused = { field: 'moved_from', current: { cause: 'too_much' } };
    expect(answer).toMatchObject({ status: 409, body: refused });
    expect(await listWaiting()).toEqual([['old', [-10], [], 1]]);
  });
});

it('a move reads the rows of its unit alone, however many wait', async () => {
  const { db } = server.deps.database;
  await sql`
    insert into upstream_queue (upstream_id, unit_id, workplace_id, stored_at, due_at, records)
    select ${upstream}, n % 500 + 1000000, 1, ${new Date(NOW_MS)}, ${new Date(NOW_MS)}, 1
    from generate_series(1, 20000) as n`.execute(db);
  await sql`analyze upstream_queue`.execute(db);
  await send(position(-20));
  const read = await db.transaction().execute(async (tx) => {
    const [fromMs, nowMs] = [NOW_MS - 40 * 60_000, server.clock.nowMs()];
    await moveQueued(tx, { unitId: from.unitId, from: from.busId, to: to.busId, fromMs, nowMs });
    const { rows } = await sql<{ read: number }>`
      select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read from pg_stat_xact_user_tables
      where relname = 'upstream_queue'`.execute(tx);
    return rows[0]?.read;
  });
  expect(read).toBeLessThan(100);
  expect(await listWaiting()).toContainEqual(['new', [-20], [], 1]);
});
