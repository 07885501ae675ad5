// Upstreams that refuse records: the others go on, and what may pass comes again.
import { describe, expect, it } from 'vitest';
import { DAY_MS, people, position, secondsOf, useOneUpstream } from '../test/upstream-world.ts';

const one = useOneUpstream();
const sorted = (some: Iterable<number>): number[] => [...some].sort((a, b) => a - b);

describe('an upstream that refuses one record', () => {
  it('gets the others of its packet, and the refusal is counted by its code', async () => {
    one.far.reply = () => ({ codeOf: ({ timeMs }) => (timeMs === DAY_MS + 2000 ? 154 : 0) });
    await one.send([position(1), position(2), position(3)]);
    await one.send([position(4)]);
    await one.until(one.isEmpty);
    expect(sorted(secondsOf(one.far.confirmed))).toEqual([1, 3, 4]);
    expect(await one.refusals()).toEqual([[154, 1]]);
    expect((await one.state()).confirmed).toBe(3);
  });

  it('has it already: that counts as confirmed', async () => {
    one.far.reply = () => ({ codeOf: () => 135 });
    await one.send([position(1)]);
    await one.until(one.isEmpty);
    expect(await one.refusals()).toEqual([]);
    expect((await one.state()).confirmed).toBe(1);
  });

  it.each([
    ['its machine is busy', 156],
    ['a permission is taken away', 151],
  ])(
    'because %s, which may pass: the record comes again later, the others go on',
    async (_, code) => {
      let isRefusing = true;
      one.far.reply = () => ({
        codeOf: ({ timeMs }) => (isRefusing && timeMs < DAY_MS + 2000 ? code : 0),
      });
      await one.send([position(1)]);
      await one.send([position(2)]);
      await one.until(() => one.far.confirmed.length === 1);
      await one.until(async () => (await one.waiting()).rows === 1);
      expect(one.far.arrived).toHaveLength(2);
      isRefusing = false;
      await one.until(async () => {
        await one.makeDue();
        return one.isEmpty();
      });
      expect(secondsOf(one.far.confirmed)).toEqual([2, 1]);
      expect(await one.refusals()).toEqual([]);
    },
  );

  it('for 20 times: then it counts as refused', async () => {
    one.far.reply = () => ({ codeOf: () => 156 });
    await one.send([position(1)]);
    await one.until(async () => {
      await one.makeDue();
      return one.isEmpty();
    });
    expect(await one.refusals()).toEqual([[156, 1]]);
    expect(one.far.arrived.length).toBe(21);
  });

  it('and says so of the whole packet: each batch of it goes alone', async () => {
    one.far.reply = (records) => ({
      result: records.some(({ people: p }) => p.length > 0) ? 132 : 0,
    });
    // Both wait in one packet.
    await one.stop();
    await one.send([position(1)]);
    await one.send([people(2, 2)]);
    await one.send([position(3)]);
    one.start();
    await one.until(one.isEmpty);
    expect(sorted(secondsOf(one.far.confirmed))).toEqual([1, 3]);
    expect(await one.refusals()).toEqual([[132, 1]]);
  });
});

describe('an upstream that tells results of records in a packet of their own', () => {
  it('has its refusals counted, and the records of buses that it does not know kept', async () => {
    const codes = new Map([
      [DAY_MS + 1000, 154],
      [DAY_MS + 3000, 153],
    ]);
    one.far.reply = () => ({ results: 'apart', codeOf: ({ timeMs }) => codes.get(timeMs) ?? 0 });
    for (const second of [1, 2, 3]) await one.send([position(second)]);
    await one.until(one.isEmpty);
    expect(await one.refusals()).toEqual([[154, 1]]);
    expect(await one.unregistered()).toEqual({ rows: 1 });
    expect((await one.state()).confirmed).toBe(1);
  });

  it('is not waited for over and over when it closes each connection instead', async () => {
    one.far.reply = () => ({ results: 'cut' });
    await one.send([position(1)]);
    await one.until(async () => {
      await one.makeDue();
      return one.isEmpty();
    });
    expect((await one.state()).confirmed).toBe(1);
    expect(one.far.arrived.length).toBeGreaterThanOrEqual(3);
  });
});

describe('a bus that the upstream does not know', () => {
  const others = async () => {
    const other = await one.world.freshBus();
    await one.world.server.deps.database.db
      .insertInto('upstream_buses')
      .values({ upstream_id: one.id, workplace_id: other.busId, object_id: 2 })
      .execute();
    one.world.server.clock.advance(3000);
    return other;
  };
  const kept = async () => (await one.unregistered()).rows;

  it.each([146, 153])(
    'has its records kept (%i) while others go on, and sent once it is known there',
    async (code) => {
      const other = await others();
      let isKnown = false;
      one.far.reply = () => ({ codeOf: ({ object }) => (object === 1 && !isKnown ? code : 0) });
      for (const second of [1, 2, 3])
        await one.send([position(second), people(9 + second, second)]);
      await one.world.send(other, [position(1), position(2)]);
      await one.until(async () => (await kept()) === 3 && one.far.confirmed.length === 2);
      await one.until(one.isEmpty);
      const tries = one.far.packets.length;
      await one.world.send(other, [position(3)]);
      await one.until(() => one.far.packets.length > tries);
      isKnown = true;
      one.world.server.clock.advance(600_000);
      await one.until(async () => (await kept()) === 0 && (await one.isEmpty()));
      expect(sorted(secondsOf(one.far.confirmed))).toEqual([1, 1, 2, 2, 3, 3]);
      expect(await one.refusals()).toEqual([]);
    },
  );

  it('or whose number goes while its records wait has them kept until it has one', async () => {
    await one.stop();
    const { db } = one.world.server.deps.database;
    for (const second of [1, 2]) await one.send([position(second), people(9 + second, second)]);
    const own = await db.deleteFrom('upstream_buses').returningAll().executeTakeFirstOrThrow();
    one.start();
    await one.until(one.isEmpty);
    expect([await kept(), one.far.arrived]).toEqual([2, []]);
    await db.insertInto('upstream_buses').values(own).execute();
    one.world.server.clock.advance(600_000);
    await one.until(async () => (await kept()) === 0 && (await one.isEmpty()));
    expect(sorted(secondsOf(one.far.confirmed))).toEqual([1, 2]);
  });

  it('is asked for with one of its records, also by another process', async () => {
    one.far.reply = () => ({ codeOf: () => 153 });
    for (const second of [1, 2, 3]) await one.send([position(second)]);
    await one.until(async () => (await kept()) === 3);
    await one.stop();
    const { length } = one.far.arrived;
    one.start();
    await one.until(async () => one.far.arrived.length > length && (await kept()) === 3);
    expect(one.far.arrived).toHaveLength(length + 1);
    await one.send([position(4)]);
    one.far.reply = () => ({});
    await one.send([position(5)]);
    await one.until(async () => (await kept()) === 0 && (await one.isEmpty()));
    expect(new Set(secondsOf(one.far.confirmed))).toEqual(new Set([1, 2, 3, 4, 5]));
  });
});
