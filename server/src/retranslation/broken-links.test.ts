// Upstreams that cut, or do not answer: nothing leaves the queue before it is confirmed, and nobody else waits.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { sql } from 'kysely';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createAnswers } from '../ingest/egts/answers.ts';
import { readRecords } from '../ingest/egts/data-records.ts';
import { createPacketReader } from '../ingest/egts/packets.ts';
import { DAY_MS, people, position, secondsOf, useOneUpstream } from '../test/upstream-world.ts';

const one = useOneUpstream();
const sorted = (some: Iterable<number>): number[] => [...some].sort((a, b) => a - b);

describe('an upstream that does not answer', () => {
  beforeEach(async () => {
    await one.stop();
    one.start({ answerMs: 100 });
  });

  it('gets the packet three times, then a new connection; nothing leaves the queue', async () => {
    one.far.reply = () => 'nothing';
    await one.send([position(1)]);
    await one.until(() => one.far.packets.length === 3);
    await one.until(async () => (await one.state()).fault === 'no_answer');
    expect(new Set(one.far.packets.slice(0, 3)).size).toBe(1);
    await one.until(() => one.far.connections.all >= 2);
    expect(await one.waiting()).toEqual({ rows: 1, records: 1 });
    one.far.reply = () => ({});
    await one.until(async () => {
      await one.makeDue();
      return one.isEmpty();
    });
    expect(new Set(secondsOf(one.far.confirmed))).toEqual(new Set([1]));
  });

  it('delays no other upstream', async () => {
    one.far.reply = () => 'nothing';
    const other = await one.world.openFar();
    await one.world.makeUpstream({ port: other.port, numbers: new Map([[one.bus, 9]]) });
    for (let seq = 0; seq < 20; seq += 1) await one.send([position(seq)]);
    await one.until(() => new Set(secondsOf(other.confirmed)).size === 20);
    expect(one.far.confirmed).toEqual([]);
    expect((await one.waiting()).rows).toBe(20);
  });
});

describe('an upstream that cuts the connection', () => {
  it('gets everything at least once, whatever was on the way', async () => {
    let packets = 0;
    one.far.reply = () => {
      packets += 1;
      return packets % 3 === 0 ? 'cut' : {};
    };
    for (let seq = 0; seq < 30; seq += 1) await one.send([position(seq)]);
    await one.until(async () => {
      await one.makeDue();
      return one.isEmpty();
    });
    expect(sorted(new Set(secondsOf(one.far.confirmed)))).toEqual(
      Array.from({ length: 30 }, (_, n) => n),
    );
  });

  it('at one of the records: the others get through', async () => {
    one.far.reply = (records) =>
      records.some(({ timeMs }) => timeMs === DAY_MS + 5000) ? 'cut' : {};
    await one.stop();
    for (let seq = 0; seq < 10; seq += 1) await one.send([position(seq)]);
    one.start();
    await one.until(async () => (await one.waiting()).rows === 1);
    expect(sorted(new Set(secondsOf(one.far.confirmed)))).toEqual([0, 1, 2, 3, 4, 6, 7, 8, 9]);
  });

  it('is shown as closed, and as refused when nobody listens any more', async () => {
    one.far.reply = () => 'cut';
    await one.send([position(1)]);
    await one.until(async () => (await one.state()).fault === 'closed');
    await one.far.close();
    await one.until(async () => (await one.state()).fault === 'refused');
    expect(await one.state()).toMatchObject({ connected_since: null });
  });

  it.each(['none', 'dispatcher'] as const)(
    'and is signed in again as %s works, also when nothing waits for it',
    async (signIn) => {
      const far = await one.world.openFar();
      const id = await one.world.makeUpstream({ port: far.port, signIn });
      const state = () => one.world.stateOf(id);
      await one.until(async () => (await state()).connected_since !== null);
      await far.close();
      await one.until(async () => (await state()).fault === 'refused');
      await one.world.openFar(far.port);
      await one.until(async () => (await state()).connected_since !== null);
      const nothing = { fault: null, fault_code: null, fault_since: null };
      expect(await state()).toMatchObject({ fault: 'refused' });
      await one.until(async () => {
        one.world.server.clock.advance(20_000);
        return (await state()).fault === null;
      });
      expect(await state()).toMatchObject(nothing);
    },
  );

  it('only while nothing is sent has no fault, and gets the next record at once', async () => {
    await one.stop();
    one.start({ reconnectMs: 600_000, longestReconnectMs: 600_000 });
    const isConnected = async () => (await one.state()).connected_since !== null;
    for (const second of [1, 2, 3]) {
      await one.until(isConnected);
      one.world.server.clock.advance(6000);
      one.far.drop();
      await one.until(async () => !(await isConnected()));
      expect(await one.state()).toMatchObject({ fault: null, next_try_at: null });
      await one.send([position(second)]);
      // The row leaves the queue a moment before the sender knows of it.
      const told = `ridewatch_upstream_records_total{upstream="${one.id}",outcome="confirmed"} ${second}\n`;
      const { registry } = one.world.server.deps.metrics;
      await one.until(async () => (await registry.metrics()).includes(told));
    }
    expect(secondsOf(one.far.confirmed)).toEqual([1, 2, 3]);
  });

  it('while the queue is read has no fault, and gets what was read at once', async () => {
    await one.stop();
    one.start({ reconnectMs: 600_000, longestReconnectMs: 600_000 });
    await one.until(async () => (await one.state()).connected_since !== null);
    one.world.server.clock.advance(6000);
    const { db } = one.world.server.deps.database;
    await db.transaction().execute(async (tx) => {
      await sql`lock table upstream_queue in access exclusive mode`.execute(tx);
      await tx
        .insertInto('upstream_queue')
        .values({
          ...{ upstream_id: one.id, unit_id: one.bus.unitId, workplace_id: one.bus.busId },
          ...{ stored_at: new Date(DAY_MS), due_at: new Date(DAY_MS), records: 1 },
          people: JSON.stringify([[DAY_MS / 1000 + 7, 1, 1, 0]]),
        })
        .execute();
      const isReading = async () => {
        const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
          and datname = current_database() and query like '%queue.workplace_id as "busId"%'`.execute(
          db,
        );
        return rows.length > 0;
      };
      await one.until(isReading);
      one.far.drop();
      await one.until(() => one.far.connections.now === 0);
    });
    await one.until(one.isEmpty);
    expect(secondsOf(one.far.confirmed)).toEqual([7]);
    expect(await one.state()).toMatchObject({ fault: null });
  });

  it('after each sign-in puts nothing off: nothing was sent', async () => {
    await one.stop();
    let connections = 0;
    let packets = 0;
    const closing = createServer((socket) => {
      connections += 1;
      const [reader, answers] = [createPacketReader(), createAnswers()];
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        reader.push(bytes);
        for (let read = reader.next(); read !== undefined; read = reader.next()) {
          packets += 1;
          const { records } = readRecords(read.data);
          const confirmed = records.map((record) => ({ record, result: 0 }));
          socket.end(answers.response(read.id, 0, confirmed));
        }
      });
    }).listen(0, '127.0.0.1');
    await once(closing, 'listening');
    const { port } = closing.address() as AddressInfo;
    const bus = await one.world.freshBus();
    const numbers = new Map([[bus, 2]]);
    const id = await one.world.makeUpstream({ port, numbers, signIn: 'dispatcher' });
    for (const second of [1, 2]) await one.world.send(bus, [position(second)]);
    one.start();
    await one.until(() => connections > 5);
    await one.stop();
    closing.close();
    expect(packets).toBeLessThanOrEqual(connections);
    const { rows } = await sql`select from upstream_queue
      where upstream_id = ${id} and due_at <= now()`.execute(one.world.server.deps.database.db);
    expect(rows).toHaveLength(2);
    expect(await one.world.stateOf(id)).toMatchObject({ fault: 'closed' });
  });

  it('is tried again at once when an administrator asks for it, each time once', async () => {
    const { server, openFar, stateOf, makeUpstream, until } = one.world;
    await one.stop();
    let tries = 0;
    const cutting = createServer((socket) => {
      tries += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(cutting, 'listening');
    const { port } = cutting.address() as AddressInfo;
    const id = await makeUpstream({ port });
    one.start({ reconnectMs: 600_000, longestReconnectMs: 600_000 });
    const nextTryMs = async () => Number((await stateOf(id)).next_try_at);
    const nowMs = server.clock.nowMs();
    await until(async () => (await nextTryMs()) === nowMs + 600_000);
    // The call of any process asks by this.
    const askNow = () =>
      server.deps.database.db
        .updateTable('upstreams')
        .set({ next_try_at: new Date(nowMs) })
        .where('id', '=', id)
        .execute();
    for (const asked of [2, 3]) {
      await askNow();
      // It failed, and the next wait is the first one again.
      await until(async () => (await nextTryMs()) === nowMs + 600_000);
      expect(tries).toBe(asked);
    }
    cutting.close();
    await once(cutting, 'close');
    await openFar(port);
    await askNow();
    await until(async () => (await stateOf(id)).connected_since !== null);
  });

  it('at once each time: that is a fault, and says when the next try is', async () => {
    await one.stop();
    one.start({ reconnectMs: 60_000 });
    await one.until(async () => (await one.state()).connected_since !== null);
    one.far.drop();
    await one.until(async () => (await one.state()).fault === 'closed');
    const next_try_at = new Date(one.world.server.clock.nowMs() + 60_000);
    expect(await one.state()).toMatchObject({ connected_since: null, next_try_at });
  });

  it.each(['none', 'dispatcher'] as const)(
    'and stays away (sign-in: %s) is in the log once, and once when it works again',
    async (signIn) => {
      await one.stop();
      await one.world.server.deps.database.db.deleteFrom('upstreams').execute();
      const warn = vi.spyOn(one.world.server.deps.log, 'warn').mockReturnValue(undefined);
      const lines = () => warn.mock.calls.map(([fields, text]) => [text, Object(fields).fault]);
      const far = await one.world.openFar();
      await far.close();
      const id = await one.world.makeUpstream({ port: far.port, signIn });
      const state = () => one.world.stateOf(id);
      one.start();
      let tries = 0;
      let last = 0;
      await one.until(async () => {
        one.world.server.clock.advance(1000);
        const next = Number((await state()).next_try_at);
        if (next !== last) tries += 1;
        last = next;
        return tries > 5;
      });
      expect(lines()).toEqual([['an upstream is not connected', 'refused']]);
      await one.world.openFar(far.port);
      await one.until(async () => {
        one.world.server.clock.advance(20_000);
        return lines().length > 1;
      });
      expect(lines().slice(1)).toEqual([['an upstream works again', undefined]]);
      expect(await state()).toMatchObject({ fault: null });
      warn.mockRestore();
    },
  );

  it('at each packet is in the log once, without a line for each packet', async () => {
    const warn = vi.spyOn(one.world.server.deps.log, 'warn').mockReturnValue(undefined);
    one.far.reply = () => 'cut';
    for (let seq = 0; seq < 5; seq += 1) await one.send([position(seq)]);
    await one.until(() => one.far.connections.all > 5);
    const texts = warn.mock.calls.map(([, text]) => text);
    warn.mockRestore();
    expect(texts).toEqual(['an upstream is not connected']);
  });

  it('comes back after an hour, and gets all of that hour', async () => {
    await one.far.close();
    await one.until(async () => (await one.state()).fault === 'refused');
    for (let minute = 0; minute < 60; minute += 5) {
      one.world.server.clock.advance(300_000);
      await one.send([position(minute * 2, minute * 60), people(minute * 2 + 1, minute * 60)]);
    }
    expect(await one.waiting()).toEqual({ rows: 12, records: 12 });
    const back = await one.world.openFar(one.far.port);
    await one.until(one.isEmpty);
    expect(secondsOf(back.confirmed)).toEqual(Array.from({ length: 12 }, (_, n) => n * 300));
    expect(back.confirmed.every(({ people: seen }) => seen.length === 1)).toBe(true);
    expect(await one.state()).toMatchObject({ fault: null, confirmed: 12 });
  });
});
