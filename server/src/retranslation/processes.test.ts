// Processes that start, end, die and overlap: an upstream has one sender, and what it has not confirmed is sent again.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { people, position, secondsOf, useOneUpstream } from '../test/upstream-world.ts';

const one = useOneUpstream();

// Locks a table. @returns unlocks it
async function lock(table: string): Promise<() => Promise<void>> {
  const isLocked = Promise.withResolvers<void>();
  const isSeen = Promise.withResolvers<void>();
  const locking = one.world.server.deps.database.db.transaction().execute(async (tx) => {
    await sql`lock table ${sql.table(table)} in access exclusive mode`.execute(tx);
    isLocked.resolve();
    await isSeen.promise;
  });
  await isLocked.promise;
  return async () => {
    isSeen.resolve();
    await locking;
  };
}

// How many statements wait for a lock.
async function countBlocked(text = ''): Promise<number> {
  const { rows } = await sql`select from pg_stat_activity where datname = current_database()
    and wait_event_type = 'Lock' and query like ${`%${text}%`}`.execute(
    one.world.server.deps.database.db,
  );
  return rows.length;
}
const isBlocked = async () => (await countBlocked()) > 0;
// Two senders that read their queues cannot end before these are unlocked.
const areReading = async () => (await countBlocked('from upstream_queue as queue')) === 2;

describe('a process that ends in the middle', () => {
  it('leaves the rest to the next one, and confirmed records are not sent again', async () => {
    let packets = 0;
    one.far.reply = () => {
      packets += 1;
      return packets <= 2 ? {} : 'nothing';
    };
    await one.send([position(1)]);
    await one.send([position(2)]);
    await one.until(() => one.far.confirmed.length >= 2);
    await one.until(one.isEmpty);
    packets = 2;
    await one.send([position(3)]);
    await one.until(() => one.far.arrived.length >= 3);
    await one.stop();
    one.far.reply = () => ({});
    one.start();
    await one.until(one.isEmpty);
    expect(secondsOf(one.far.confirmed)).toEqual([1, 2, 3]);
  });
});

describe('people of one second who come in several batches', () => {
  const modules = (): (readonly number[])[] =>
    one.far.confirmed.map((record) => record.people.map(([module]) => module));

  it('are counts of their own to the upstream, whatever process sends them', async () => {
    await one.send([people(1, 7)]);
    await one.until(one.isEmpty);
    await one.stop();
    one.start();
    await one.send([people(2, 7)]);
    await one.until(one.isEmpty);
    expect(modules()).toEqual([[1], [3]]);
  });

  it('keep their module when they are sent again by another process', async () => {
    one.far.reply = ({ length }) => (length === 2 ? 'nothing' : {});
    await one.stop();
    await one.send([people(1, 7)]);
    await one.send([people(2, 7)]);
    one.start();
    await one.until(() => one.far.arrived.length >= 2);
    await one.stop();
    one.far.reply = () => ({});
    one.start();
    await one.until(one.isEmpty);
    const all = one.far.arrived.map((record) => record.people.map(([module]) => module));
    expect(all.flat().slice(0, 2)).toEqual([1, 3]);
    expect(modules()).toEqual([[1], [3]]);
  });
});

describe('two processes', () => {
  it('never send to one upstream at the same time', async () => {
    const others = [one.world.startProcess(), one.world.startProcess()];
    for (let seq = 0; seq < 50; seq += 1) await one.send([position(seq)]);
    await one.until(one.isEmpty);
    expect(secondsOf(one.far.arrived)).toEqual(Array.from({ length: 50 }, (_, n) => n));
    expect(one.far.connections.most).toBe(1);
    // The next one takes over from one that stops.
    await one.stop();
    await one.send([position(50)]);
    await one.until(one.isEmpty);
    for (const end of others) await end();
  });

  it('take over from one that died once its lease has run out, whatever their clocks say', async () => {
    await one.stop();
    const { db } = one.world.server.deps.database;
    await db
      .updateTable('upstreams')
      .set({
        holder: '11111111-1111-4111-8111-111111111111',
        held_until: sql<Date>`now() + interval '30 s'`,
      })
      .where('id', '=', one.id)
      .execute();
    const [free, freeBus] = [await one.world.openFar(), await one.world.freshBus()];
    await one.world.makeUpstream({ port: free.port, numbers: new Map([[freeBus, 2]]) });
    const before = one.far.connections.all;
    await one.send([position(1)]);
    await one.world.send(freeBus, [position(1)]);
    one.start();
    await one.until(() => free.confirmed.length === 1);
    expect(one.far.connections.all).toBe(before);
    await sql`update upstreams set held_until = now() where id = ${one.id}`.execute(db);
    await one.until(() => one.far.confirmed.length === 1);
  });

  it('one that cannot renew its lease stops before another may take over', async () => {
    await one.stop();
    one.start({ lostMs: 500 });
    await one.until(() => one.far.connections.now === 1);
    const { db } = one.world.server.deps.database;
    const isSeen = Promise.withResolvers<void>();
    const renewing = db.transaction().execute(async (tx) => {
      await sql`lock table upstreams in exclusive mode`.execute(tx);
      await isSeen.promise;
    });
    await one.until(() => one.far.connections.now === 0);
    isSeen.resolve();
    await renewing;
    await one.until(() => one.far.connections.now === 1);
  });

  it('one that waited for its lease stops before that ends, which began when it was asked for', async () => {
    await one.stop();
    const before = one.far.connections.all;
    const unlock = await lock('upstreams');
    one.start({ beatMs: 600_000, lostMs: 90_000 });
    await one.until(isBlocked);
    one.world.server.clock.advance(89_000);
    await unlock();
    await one.until(() => one.far.connections.all > before);
    await one.until(() => one.far.connections.now === 0);
  });

  it('one whose sender ended slowly starts no other one under a lease that has run out', async () => {
    await one.stop();
    const { server, openFar, freshBus, makeUpstream, stateOf } = one.world;
    const { db } = server.deps.database;
    const [far, other] = [await openFar(), await openFar()];
    const id = await makeUpstream({ port: far.port, numbers: new Map([[await freshBus(), 2]]) });
    one.start({ lostMs: 90_000 });
    await one.until(() => one.far.connections.now === 1 && far.connections.now === 1);
    const unlock = await lock('upstream_queue');
    await one.until(areReading);
    await sql`update upstreams set version = version + 1 where id = ${id}`.execute(db);
    await one.until(() => far.connections.now === 0);
    await db.transaction().execute(async (tx) => {
      // No lease is renewed any more: the rows are locked in order.
      await sql`select from upstreams where id = ${one.id} for no key update`.execute(tx);
      server.clock.advance(90_000);
      await unlock();
      const hasEnded = async () => (await stateOf(id)).connected_since === null;
      await one.until(async () => (await hasEnded()) || far.connections.all > 1);
      await sql`update upstreams set holder = '33333333-3333-4333-8333-333333333333',
        held_until = now() + interval '1 h' where id = ${id}`.execute(tx);
    });
    await makeUpstream({ port: other.port });
    await one.until(() => other.connections.all > 0);
    expect(far.connections.all).toBe(1);
  });

  it('renew their leases, and start senders, also while another sender ends slowly', async () => {
    const { openFar, freshBus, makeUpstream, server, stateOf } = one.world;
    const [far, other] = [await openFar(), await openFar()];
    const id = await makeUpstream({ port: far.port, numbers: new Map([[await freshBus(), 2]]) });
    await one.until(() => one.far.connections.now === 1 && far.connections.now === 1);
    const unlock = await lock('upstream_queue');
    try {
      await one.until(areReading);
      const { db } = server.deps.database;
      await sql`update upstreams set version = version + 1 where id = ${id}`.execute(db);
      await one.until(() => far.connections.now === 0);
      const before = Number((await stateOf(one.id)).held_until);
      await makeUpstream({ port: other.port });
      await one.until(() => other.connections.now === 1);
      expect(Number((await stateOf(one.id)).held_until)).toBeGreaterThan(before);
      // The next sender of an upstream waits for the end of the one before.
      expect(far.connections.now).toBe(0);
    } finally {
      await unlock();
    }
    await one.until(() => far.connections.now === 1);
  });

  it('one that was paused until its lease ran out sends nothing more', async () => {
    await one.stop();
    one.start({ beatMs: 600_000, lostMs: 90_000 });
    await one.until(() => one.far.connections.now === 1);
    one.world.server.clock.advance(90_000);
    await one.send([position(1)]);
    await one.until(() => one.far.connections.now === 0 || one.far.arrived.length > 0);
    expect(one.far.arrived).toEqual([]);
    expect(await one.waiting()).toEqual({ rows: 1, records: 1 });
  });

  it('one whose leases were answered too late stops, and asks for them again', async () => {
    await one.stop();
    one.start({ lostMs: 90_000 });
    await one.until(() => one.far.connections.now === 1);
    const unlock = await lock('upstreams');
    await one.until(isBlocked);
    one.world.server.clock.advance(90_000);
    await unlock();
    await one.until(() => one.far.connections.all === 2);
    expect(one.far.connections.most).toBe(1);
  });

  it('lets go of an upstream that was switched off, once its sender has ended', async () => {
    await one.until(() => one.far.connections.now === 1);
    const { db } = one.world.server.deps.database;
    await sql`update upstreams set enabled = false, version = version + 1 where id = ${one.id}`.execute(
      db,
    );
    await one.until(async () => (await one.state()).holder === null);
    expect(one.far.connections.now).toBe(0);
    await sql`update upstreams set enabled = true, version = version + 1 where id = ${one.id}`.execute(
      db,
    );
    await one.send([position(1)]);
    await one.until(() => one.far.confirmed.length === 1);
  });

  it('renew their leases also while what waits cannot be counted', async () => {
    await one.until(() => one.far.connections.now === 1);
    const unlock = await lock('upstream_queue');
    await one.until(isBlocked);
    const heldUntil = async () => Number((await one.state()).held_until);
    try {
      for (let n = 0; n < 3; n += 1) {
        const before = await heldUntil();
        await one.until(async () => (await heldUntil()) > before);
      }
    } finally {
      await unlock();
    }
  });

  it('one that has lost its upstream notes nothing of it any more', async () => {
    let isNoted = Promise.withResolvers<void>();
    one.far.reply = () => {
      isNoted.resolve();
      return 'nothing';
    };
    await one.stop();
    // Its lease is looked at once only.
    one.start({ beatMs: 600_000, answerMs: 600_000 });
    await one.send([position(1)]);
    await isNoted.promise;
    const { db } = one.world.server.deps.database;
    await db
      .updateTable('upstreams')
      .set({ holder: '22222222-2222-4222-8222-222222222222' })
      .where('id', '=', one.id)
      .execute();
    isNoted = Promise.withResolvers();
    one.far.reply = () => ({});
    await one.send([position(2)]);
    await one.until(() => one.far.confirmed.length === 1);
    await one.until(() => one.far.connections.all >= 2);
    expect(await one.waiting()).toEqual({ rows: 2, records: 2 });
    expect(await one.state()).toMatchObject({ confirmed: 0 });
  });
});

describe('a process that sends', () => {
  it('tells lag, waiting and confirmed records as metrics', async () => {
    const told = async (name: string, labels: string, value: number): Promise<boolean> => {
      const text = await one.world.server.deps.metrics.registry.metrics();
      return text.includes(`ridewatch_upstream_${name}{upstream="${one.id}"${labels}} ${value}\n`);
    };
    await one.far.close();
    await one.send([position(1), position(2)]);
    one.world.server.clock.advance(600_000);
    await one.until(() => told('lag_seconds', '', 600));
    expect(await told('waiting_records', '', 2)).toBe(true);
    const back = await one.world.openFar(one.far.port);
    await one.until(() => told('records_total', ',outcome="confirmed"', 2));
    await one.until(() => told('lag_seconds', '', 0));
    expect(secondsOf(back.confirmed)).toEqual([1, 2]);
    // Nobody sends it any more.
    await one.stop();
    expect(await told('lag_seconds', '', 0)).toBe(false);
  });
});
