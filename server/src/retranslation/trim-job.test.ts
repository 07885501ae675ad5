// Queues keep within their limits, and what falls out is counted.
import { randomUUID } from 'node:crypto';
import { UPSTREAM_KEEP_DAYS } from '@ridewatch/contract/admin-upstreams';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '../core/db/db.ts';
import type { JobDefinition } from '../core/jobs/jobs.ts';
import {
  createUpstreamWorld,
  DAY_MS,
  people,
  position,
  type SendingBus,
  type UpstreamWorld,
} from '../test/upstream-world.ts';
import { NOTHING, settle } from './settle.ts';
import { trimUpstreamsJob } from './trim-job.ts';

let world: UpstreamWorld;
let bus: SendingBus;

beforeAll(async () => {
  world = await createUpstreamWorld();
});
afterAll(() => world.close());

const run = (job: JobDefinition) =>
  job.run({}, { jobId: '1', attempt: 1, lastAttempt: false, signal: new AbortController().signal });
const trim = (keepRows?: number) => run(trimUpstreamsJob(world.server.deps, keepRows));

// Statements that wait for a lock.
async function listWaiting(db: Db): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}

async function makeWaiting(batches: number): Promise<number> {
  bus = await world.freshBus();
  const upstream = await world.makeUpstream({ port: 1, numbers: new Map([[bus, 1]]) });
  for (let seq = 0; seq < batches; seq += 1) {
    await world.send(bus, [position(seq * 2), position(seq * 2 + 1)]);
  }
  return upstream;
}

describe('the queue of an upstream', () => {
  it('loses what has waited for three days, and says how much and when', async () => {
    const upstream = await makeWaiting(3);
    world.server.clock.advance(UPSTREAM_KEEP_DAYS * 86_400_000 - 1000);
    await world.send(bus, [position(100)]);
    await trim();
    expect(await world.waiting(upstream)).toEqual({ rows: 4, records: 7 });
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 0, fallen_at: null });
    world.server.clock.advance(2000);
    await trim();
    expect(await world.waiting(upstream)).toEqual({ rows: 1, records: 1 });
    const now = new Date(world.server.clock.nowMs());
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 6, fallen_at: now });
  });

  it('and what is kept for unknown buses is within the same limits', async () => {
    const { db } = world.server.deps.database;
    const [upstream, gone] = [await makeWaiting(0), await makeWaiting(0)];
    const stored_at = new Date(world.server.clock.nowMs());
    for (const [n, upstream_id] of [upstream, upstream, upstream, gone].entries()) {
      await db
        .insertInto('upstream_unregistered')
        .values({
          ...{ id: n + 1, upstream_id, unit_id: 1, workplace_id: 1, stored_at, records: 2 },
        })
        .execute();
    }
    await db.deleteFrom('upstreams').where('id', '=', gone).execute();
    // Nobody waits for what a unit without a bus recorded in its last one.
    const parked = { id: 9, upstream_id: upstream, unit_id: 1, stored_at, records: 2 };
    await db.insertInto('upstream_parked').values(parked).execute();
    const listParked = () => db.selectFrom('upstream_parked').select('id').execute();
    await trim(2);
    expect(await listParked()).toHaveLength(1);
    expect(await world.unregistered(upstream)).toEqual({ rows: 2 });
    expect(await world.unregistered(gone)).toEqual({ rows: 0 });
    world.server.clock.advance(UPSTREAM_KEEP_DAYS * 86_400_000 + 1000);
    await trim();
    expect(await listParked()).toEqual([]);
    expect(await world.unregistered(upstream)).toEqual({ rows: 0 });
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 6 });
  });

  it('loses its oldest rows beyond a number, and no other queue does', async () => {
    const many = await makeWaiting(5);
    const few = await makeWaiting(3);
    await trim(4);
    expect(await world.waiting(many)).toEqual({ rows: 4, records: 8 });
    expect(await world.waiting(few)).toEqual({ rows: 3, records: 6 });
    expect(await world.stateOf(many)).toMatchObject({ fallen: 2 });
    expect(await world.stateOf(few)).toMatchObject({ fallen: 0 });
  });

  it('loses them, too, once it grows beyond the number after it was counted', async () => {
    const upstream = await makeWaiting(3);
    const own = bus;
    // Ids of rows are common to all queues: these lie between.
    await makeWaiting(4);
    const job = trimUpstreamsJob(world.server.deps, 4);
    const left: number[] = [];
    for (let seq = 100; seq < 104; seq += 1) {
      await world.send(own, [position(seq)]);
      await run(job);
      left.push((await world.waiting(upstream)).rows);
    }
    expect(left).toEqual([4, 4, 4, 4]);
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 6 });
  });

  it('forgets after a day which module had the people of a second, but not of rows that wait', async () => {
    const { db } = world.server.deps.database;
    const far = await world.openFar();
    const counting = await world.freshBus();
    const upstream = await world.makeUpstream({
      port: far.port,
      numbers: new Map([[counting, 1]]),
    });
    const stop = world.startProcess();
    await world.send(counting, [people(1, 1)]);
    await world.until(async () => (await world.waiting(upstream)).rows === 0);
    far.reply = () => 'nothing';
    await world.send(counting, [people(2, 2)]);
    await world.until(() => far.arrived.length >= 2);
    await stop();
    const known = async () => {
      const turns = db.selectFrom('upstream_turns').select('second');
      const rows = await turns.where('upstream_id', '=', upstream).orderBy('second').execute();
      return rows.map(({ second }) => second - DAY_MS / 1000);
    };
    world.server.clock.advance(86_399_000);
    await trim();
    expect(await known()).toEqual([1, 2]);
    world.server.clock.advance(2000);
    await trim();
    expect(await known()).toEqual([2]);
  });

  it('waits for a process that notes a result, and locks no row meanwhile', async () => {
    const { db } = world.server.deps.database;
    const upstream = await makeWaiting(3);
    const isTried = Promise.withResolvers<void>();
    const isLocked = Promise.withResolvers<void>();
    const noting = db.transaction().execute(async (tx) => {
      await sql`select from upstreams where id = ${upstream} for no key update`.execute(tx);
      isLocked.resolve();
      await isTried.promise;
      await sql`select from upstream_queue where upstream_id = ${upstream} for update nowait`.execute(
        tx,
      );
      await sql`update upstreams set confirmed = 7 where id = ${upstream}`.execute(tx);
    });
    await isLocked.promise;
    const trimming = trim(2);
    await world.until(async () => (await listWaiting(db)) > 0);
    isTried.resolve();
    await noting;
    await trimming;
    expect(await world.waiting(upstream)).toEqual({ rows: 2, records: 4 });
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 2, confirmed: 7 });
  });

  it('has each record either fallen out or confirmed', async () => {
    const { db } = world.server.deps.database;
    const upstream = await makeWaiting(3);
    const holder = randomUUID();
    await db.updateTable('upstreams').set({ holder }).where('id', '=', upstream).execute();
    const sent = await db
      .selectFrom('upstream_queue')
      .select('id')
      .where('upstream_id', '=', upstream)
      .execute();
    await trim(2);
    const done = sent.map(({ id }) => ({ id, confirmed: 2 }));
    const nowMs = world.server.clock.nowMs();
    expect(await settle(db, { upstreamId: upstream, holder }, { ...NOTHING, done }, nowMs)).toBe(
      true,
    );
    expect(await world.waiting(upstream)).toEqual({ rows: 0, records: 0 });
    expect(await world.stateOf(upstream)).toMatchObject({ fallen: 2, confirmed: 4 });
  });

  it('is deleted after its upstream', async () => {
    const [gone, stays] = [await makeWaiting(2), await makeWaiting(2)];
    await world.server.deps.database.db.deleteFrom('upstreams').where('id', '=', gone).execute();
    await trim();
    expect((await world.waiting(gone)).rows).toBe(0);
    expect((await world.waiting(stays)).rows).toBe(2);
  });
});
