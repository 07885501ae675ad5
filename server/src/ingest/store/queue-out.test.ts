// Rows for upstreams are written with the records: in the same statement, or not at all.
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { adoptEgts } from '../../test/egts.ts';
import {
  createUpstreamWorld,
  DAY_MS,
  people,
  position,
  type SendingBus,
  type UpstreamWorld,
} from '../../test/upstream-world.ts';
import { makeRoom, placeAside } from './place-aside.ts';

/** Nobody sends in these tests. */
const PORT = 1;

let world: UpstreamWorld;
let bus: SendingBus;

beforeAll(async () => {
  world = await createUpstreamWorld();
});
beforeEach(async () => {
  await world.server.deps.database.db.deleteFrom('upstreams').execute();
  world.server.clock.advance(3000);
  bus = await world.freshBus();
});
afterAll(() => world.close());

/** The texts of the statements that something runs. */
async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  try {
    await work();
    return query.mock.calls.map(([asked]) => JSON.stringify(asked));
  } finally {
    query.mockRestore();
  }
}

describe('the usual batch of a bus', () => {
  it.each([
    ['that no upstream wants', () => new Map<SendingBus, number>(), 0],
    ['that an upstream wants', () => new Map([[bus, 1]]), 1],
  ])('%s is one statement', async (_name, numbers, rows) => {
    const upstream = await world.makeUpstream({ port: PORT, numbers: numbers() });
    await world.send(bus, [position(0), people(1, 1)]);
    const before = await world.waiting(upstream);
    const statements = await statementsOf(() => world.send(bus, [position(2), people(3, 2)]));
    expect(statements).toHaveLength(1);
    expect((await world.waiting(upstream)).rows - before.rows).toBe(rows);
  });

  it('costs one more statement in three seconds, however many want it', async () => {
    await world.send(bus, [position(0), people(1, 1)]);
    world.server.clock.advance(3000);
    const statements = await statementsOf(async () => {
      await world.send(bus, [position(2)]);
      await world.send(bus, [position(3)]);
    });
    expect(statements.filter((text) => text.includes('from upstreams'))).toHaveLength(1);
    expect(statements.filter((text) => text.includes('store_following_batch'))).toHaveLength(2);
  });
});

describe('a record', () => {
  it('of a unit whose id is greater than any number of an object does not wait', async () => {
    const upstream = await world.makeUpstream({ port: PORT });
    await adoptEgts(world.server.deps.database.db, bus.unitId, 4_294_967_296);
    await world.send(bus, [position(0)]);
    expect(await world.waiting(upstream)).toEqual({ rows: 0, records: 0 });
    const other = await world.freshBus();
    await adoptEgts(world.server.deps.database.db, other.unitId, 4_294_967_295);
    world.server.clock.advance(3000);
    await world.send(other, [position(0)]);
    expect(await world.waiting(upstream)).toEqual({ rows: 1, records: 1 });
  });

  it('that comes again waits once', async () => {
    const upstream = await world.makeUpstream({ port: PORT, numbers: new Map([[bus, 1]]) });
    await world.send(bus, [position(0)]);
    await world.send(bus, [position(0)]);
    await world.send(bus, [position(0), position(1)]);
    expect(await world.waiting(upstream)).toEqual({ rows: 2, records: 2 });
  });

  it('that is not stored does not wait either', async () => {
    const upstream = await world.makeUpstream({ port: PORT, numbers: new Map([[bus, 1]]) });
    await world.send(bus, [position(0)]);
    const { db } = world.server.deps.database;
    // The batch that follows finds that its five minutes are gone, and takes the long way, which fails once.
    await sql`alter table position_blocks add constraint test_full check (point_count < 2) not valid`.execute(
      db,
    );
    try {
      await expect(world.send(bus, [position(1)])).rejects.toThrow();
    } finally {
      await sql`alter table position_blocks drop constraint test_full`.execute(db);
    }
    expect(await world.waiting(upstream)).toEqual({ rows: 1, records: 1 });
  });
});

describe('a record that was kept aside', () => {
  it('waits once its time is known', async () => {
    const { db } = world.server.deps.database;
    const upstream = await world.makeUpstream({ port: PORT, numbers: new Map([[bus, 1]]) });
    await world.send(bus, [position(0)]);
    const { id: streamId } = await db
      .selectFrom('unit_streams')
      .select('id')
      .where('unit_id', '=', bus.unitId)
      .executeTakeFirstOrThrow();
    const passenger = { type: 'passenger', door: 1, direction: 'entered', passenger: 'adult' };
    await db
      .insertInto('aside_records')
      .values({
        ...{ unit_id: bus.unitId, stream_id: streamId, seq: 7, raw: '{}', in_test: false },
        received_at: new Date(world.server.clock.nowMs()),
        record: JSON.stringify({ ...passenger, index: 0, seq: 7, sentMs: 1000, count: 2 }),
      })
      .execute();
    const placing = { streamId, times: new Map([[7, DAY_MS + 5000]]) };
    await makeRoom(world.server.deps.database, bus.unitId, placing);
    await db
      .transaction()
      .execute((tx) => placeAside(tx, bus.unitId, placing, world.server.clock.nowMs()));
    const rows = await db
      .selectFrom('upstream_queue')
      .select(['people', 'records'])
      .where('upstream_id', '=', upstream)
      .orderBy('id')
      .execute();
    expect(rows.at(-1)).toEqual({ records: 1, people: [[DAY_MS / 1000 + 5, 1, 2, 0]] });
  });
});

describe('an upstream that is deleted while a process still knows of it', () => {
  it('fails no batch', async () => {
    const upstream = await world.makeUpstream({ port: PORT, numbers: new Map([[bus, 1]]) });
    await world.send(bus, [position(0)]);
    await world.server.deps.database.db.deleteFrom('upstreams').execute();
    await world.send(bus, [position(1)]);
    expect((await world.waiting(upstream)).rows).toBe(2);
  });
});
