// A record that a unit of EGTS sends again counts once, also across restarts and while the server cannot store.
import { type EgtsRecord, type EgtsSubrecord, egtsData } from '@ridewatch/unit/src/egts/packet.ts';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { lockUnit, whileLocked } from '../../test/blocked.ts';
import { openFarDatabase } from '../../test/database-link.ts';
import {
  at,
  confirmationOf,
  createEgtsWorld,
  EGTS_DAY_MS,
  type EgtsBus,
  people,
  record,
  sendRecords,
  startTestEgts,
  storedOf,
} from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';

const WAIT = { timeout: 60_000, interval: 20 };

const world = useWorld(createEgtsWorld);

describe('what comes again', () => {
  const sent = ({ object }: EgtsBus): EgtsRecord[] => [
    record(object, [at(0), people({ 1: [3, 1] })]),
    record(object, [at(1)]),
    record(object, [at(2), people({ 2: [0, 4] }), people({ 1: [1, 0] }, 2)]),
  ];
  const stored = {
    seconds: [0, 1, 2],
    events: [
      [0, 1, 'entered', 3],
      [0, 1, 'exited', 1],
      [2, 1, 'entered', 1],
      [2, 2, 'exited', 4],
    ],
    hours: { entered: 4, exited: 5 },
  };

  it('counts once, also after a restart of the server, in other packets and pieces', async () => {
    const bus = await world.freshBus();
    const records = sent(bus);
    const link = await world.egts.open();
    expect((await sendRecords(link, records)).records).toEqual([0, 0, 0]);
    expect((await sendRecords(link, records, 2)).records).toEqual([0, 0, 0]);
    expect(await storedOf(world, bus)).toEqual(stored);
    // Another process remembers nothing of the unit.
    const restarted = await world.startAnother();
    const again = await restarted.open();
    for (const byte of egtsData(3, records.toReversed())) again.send(Buffer.from([byte]));
    expect((await confirmationOf(again, 3)).records).toEqual([0, 0, 0]);
    // The device has restarted, too: its records have other numbers.
    expect((await sendRecords(again, sent(bus), 4)).records).toEqual([0, 0, 0]);
    expect(await storedOf(world, bus)).toEqual(stored);
  });

  it('is one statement when it follows, also with repeats of the last minutes', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const statementsOf = async (seconds: readonly number[]): Promise<number> => {
      const query = vi.spyOn(pg.Client.prototype, 'query');
      try {
        const records = seconds.map((second) => record(bus.object, [at(second)]));
        expect((await sendRecords(link, records)).records).toEqual(records.map(() => RESULT.ok));
        return query.mock.calls.length;
      } finally {
        query.mockRestore();
      }
    };
    await statementsOf([0]);
    expect(await statementsOf([1, 2])).toBe(1);
    expect(await statementsOf([2, 3])).toBe(1);
    expect(await statementsOf([1, 2])).toBe(1);
    expect(await statementsOf([4])).toBe(1);
    expect((await storedOf(world, bus)).seconds).toEqual([0, 1, 2, 3, 4]);
  });

  it('with other content does not replace what is stored', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    await sendRecords(link, [record(bus.object, [at(0), people({ 1: [3, 0] })])]);
    const other = [record(bus.object, [at(0, { latitude: 10 }), people({ 1: [5, 0] })])];
    expect((await sendRecords(link, other)).records).toEqual([RESULT.alreadyProcessed]);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [0],
      events: [[0, 1, 'entered', 3]],
    });
  });

  it('in many packets at once is stored once, each packet answered in its order', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const ids = [...Array(200).keys()];
    const packets = ids.map((n) => egtsData(n, [record(bus.object, [at(n % 100)])]));
    link.send(Buffer.concat(packets));
    for (const id of ids) expect((await confirmationOf(link, id)).records).toEqual([0]);
    expect((await storedOf(world, bus)).seconds).toEqual([...Array(100).keys()]);
  });

  it('from a black box of many months is stored whole', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const days = [...Array(100).keys()].map((n) => (n - 100) * 86_400);
    const records = days.map((seconds) => record(bus.object, [at(seconds)]));
    expect((await sendRecords(link, records)).records).toEqual(days.map(() => RESULT.ok));
    expect((await storedOf(world, bus)).seconds).toEqual(days);
  });
});

describe('while the server cannot store', () => {
  it('a full disk leaves a packet without an answer, and the next attempt is stored', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const records = [record(bus.object, [at(0)])];
    world.server.disk.set({ totalBytes: 100, freeBytes: 1 });
    link.send(egtsData(1, records));
    // An answer of another object's packet would come after the one of this packet.
    link.send(egtsData(2, [record(777_777, [at(0)])]));
    await confirmationOf(link, 2);
    world.server.disk.set({ totalBytes: 100, freeBytes: 50 });
    expect((await sendRecords(link, records, 3)).records).toEqual([RESULT.ok]);
    expect((await storedOf(world, bus)).seconds).toEqual([0]);
  });

  it('a database that dies in the middle leaves a packet without an answer, and the next attempt counts once', async () => {
    const bus = await world.freshBus();
    const { database } = world.server.deps;
    const { far, database: own } = await openFarDatabase(database.url);
    const egts = await startTestEgts({ ...world.server.deps, database: own });
    onTestFinished(() => egts.stop());
    const link = await egts.open();
    const records = [record(bus.object, [at(0), people({ 1: [2, 1] })])];
    expect((await sendRecords(link, [record(bus.object, [at(9)])])).records).toEqual([0]);
    const send = async () => link.send(egtsData(2, records));
    await whileLocked(database.db, lockUnit(bus.unitId), [send], async () => far.fallSilent());
    far.speak();
    let answered: unknown;
    void link.next().then((answer) => {
      answered = answer;
    });
    await vi.waitFor(() => {
      if (answered === undefined) link.send(egtsData(3, records));
      expect(answered).toMatchObject({ kind: 'confirmation', packet: 3, result: RESULT.ok });
    }, WAIT);
    expect(await storedOf(world, bus)).toMatchObject({
      ...{ seconds: [0, 9], hours: { entered: 2, exited: 1 } },
    });
  });
});

describe('a counter that never starts anew', () => {
  it('adds what it has counted since, also when it begins again at 0', async () => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    const link = await world.egts.open();
    const shows = (seconds: number, entered: number, exited: number) =>
      record(bus.object, [at(seconds), people({ 1: [entered, exited] })]);
    // The first reading is where it stood.
    const first = [shows(0, 250, 7), shows(10, 253, 7)];
    expect((await sendRecords(link, first)).records).toEqual([0, 0]);
    expect((await sendRecords(link, [shows(20, 2, 9)])).records).toEqual([0]);
    // Again, late, and as it was before.
    await sendRecords(link, [...first, shows(20, 2, 9), shows(15, 255, 8), shows(30, 2, 9)]);
    // It was switched off, and begins at 0: nobody counts 249 people.
    await sendRecords(link, [shows(40, 2, 2)]);
    expect(await storedOf(world, bus)).toMatchObject({
      seconds: [0, 10, 15, 20, 30, 40],
      events: [
        [10, 1, 'entered', 3],
        [20, 1, 'entered', 5],
        [20, 1, 'exited', 2],
        [40, 1, 'exited', 2],
      ],
      hours: { entered: 8, exited: 4 },
    });
  });

  it('of an impossible time is refused: the next reading has its people', async () => {
    const bus = await world.freshBus({ counts: 'cumulative' });
    const link = await world.egts.open();
    // The day began an hour ago. A clock that was never set says 2010.
    const never = (Date.UTC(2010, 0) - EGTS_DAY_MS) / 1000;
    for (const seconds of [3600 + 601, 40 * 86_400, never]) {
      const future = [record(bus.object, [at(seconds), people({ 1: [9, 9] })])];
      expect((await sendRecords(link, future)).records).toEqual([RESULT.impossibleTime]);
    }
    const shows = (seconds: number, entered: number) =>
      record(bus.object, [at(seconds), people({ 1: [entered, 9] })]);
    await sendRecords(link, [shows(3600, 7), shows(3600 + 600, 8)]);
    expect((await storedOf(world, bus)).events).toEqual([[3600 + 600, 1, 'entered', 1]]);
  });

  it('of a device with its own order of bytes and flag is read as its settings say', async () => {
    const bus = await world.freshBus({ raw_flag: 'inverted', module_bytes: 'big' });
    const link = await world.egts.open();
    const counts: EgtsSubrecord = { type: 28, data: Buffer.from([1, 1, 1, 0, 5, 4, 3]) };
    await sendRecords(link, [record(bus.object, [at(0), counts])]);
    expect((await storedOf(world, bus)).events).toEqual([
      [0, 1, 'entered', 4],
      [0, 1, 'exited', 3],
    ]);
  });
});
