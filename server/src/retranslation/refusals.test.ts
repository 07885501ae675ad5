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

  it('for a reason that may pass: the record comes again later, the others go on', async () => {
    let isBusy = true;
    one.far.reply = () => ({
      codeOf: ({ timeMs }) => (isBusy && timeMs < DAY_MS + 2000 ? 156 : 0),
    });
    await one.send([position(1)]);
    await one.send([position(2)]);
    await one.until(() => one.far.confirmed.length === 1);
    await one.until(async () => (await one.waiting()).rows === 1);
    expect(one.far.arrived).toHaveLength(2);
    isBusy = false;
    await one.until(async () => {
      one.world.server.clock.advance(31_000);
      return one.isEmpty();
    });
    expect(secondsOf(one.far.confirmed)).toEqual([2, 1]);
    expect(await one.refusals()).toEqual([]);
  });

  it('for 20 times: then it counts as refused', async () => {
    one.far.reply = () => ({ codeOf: () => 156 });
    await one.send([position(1)]);
    await one.until(async () => {
      one.world.server.clock.advance(3_600_000);
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

  it('has its records kept while others go on, and sent once it is known there', async () => {
    const other = await others();
    let isKnown = false;
    one.far.reply = () => ({ codeOf: ({ object }) => (object === 1 && !isKnown ? 153 : 0) });
    for (const second of [1, 2, 3]) await one.send([position(second), people(9 + second, second)]);
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
    await one.until(async () => (await kept()) > 0);
    await one.send([position(5)]);
    await one.until(async () => (await kept()) === 0 && (await one.isEmpty()));
    expect(new Set(secondsOf(one.far.confirmed))).toEqual(new Set([1, 2, 3, 4, 5]));
  });
});
