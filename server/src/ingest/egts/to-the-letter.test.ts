// Rules of the standard that readers get wrong, each by itself.
import { egtsData } from '@ridewatch/unit/src/egts/packet.ts';
import { passwordSubrecord, platformSubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import { describe, expect, it } from 'vitest';
import {
  at,
  createEgtsWorld,
  egtsSecond,
  people,
  record,
  sendRecords,
  storedOf,
} from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';
import { readCounts } from './passenger-counts.ts';

const world = useWorld(createEgtsWorld);

describe('people at doors', () => {
  const standard = { counts: 'delta', raw_flag: 'low', module_bytes: 'little' } as const;
  // Published with the tests of kuznetsovin/egts-protocol.
  const doors = Buffer.from('0015149210000007030A0F', 'hex');

  it('are those of the doors with a counter, not of the doors that opened', () => {
    expect(readCounts(doors, standard)).toEqual({
      module: 4242,
      doors: [
        { door: 1, entered: 0, exited: 0 },
        { door: 3, entered: 7, exited: 3 },
        { door: 5, entered: 10, exited: 15 },
      ],
    });
  });

  it("are nobody's where the flag says that the form is the vendor's own", () => {
    const raw = Buffer.concat([Buffer.from([1]), doors.subarray(1)]);
    expect(readCounts(raw, standard)).toEqual({ module: 4242, doors: null });
  });
});

describe('the records of a packet', () => {
  it('of one object share the time that the first one says', async () => {
    const bus = await world.freshBus();
    const link = await world.egts.open();
    const sent = await sendRecords(link, [
      record(bus.object, [people({ 1: [1, 0] })], { seconds: egtsSecond(5) }),
      record(undefined, [people({ 2: [2, 0] })]),
      record(bus.object, [people({ 3: [3, 0] })]),
    ]);
    expect(sent.records).toEqual([RESULT.ok, RESULT.ok, RESULT.ok]);
    expect((await storedOf(world, bus)).events).toEqual([
      [5, 1, 'entered', 1],
      [5, 2, 'entered', 2],
      [5, 3, 'entered', 3],
    ]);
  });

  it('of another object do not have that time', async () => {
    const [one, other] = [await world.freshBus(), await world.freshBus()];
    const link = await world.egts.open();
    const sent = await sendRecords(link, [
      record(one.object, [people({ 1: [1, 0] })], { seconds: egtsSecond(5) }),
      record(other.object, [people({ 2: [2, 0] })]),
    ]);
    expect(sent.records).toEqual([RESULT.ok, RESULT.notEnough]);
    expect((await storedOf(world, other)).events).toEqual([]);
  });
});

describe('a platform', () => {
  it('that says its name is told that it is welcome, and passes on many objects', async () => {
    const buses = [await world.freshBus(), await world.freshBus(), await world.freshBus()];
    const link = await world.egts.open();
    const name = record(undefined, [platformSubrecord(7, 'РНИЦ')], { service: 1 });
    expect((await sendRecords(link, [name])).records).toEqual([RESULT.ok]);
    expect(await link.next()).toEqual({ kind: 'sign_in', result: RESULT.ok });
    const records = buses.map(({ object }, n) => record(object, [at(n)], { isFromDevice: false }));
    expect((await sendRecords(link, records)).records).toEqual([0, 0, 0]);
    for (const [n, bus] of buses.entries()) {
      expect((await storedOf(world, bus)).seconds).toEqual([n]);
    }
  });

  it('that also sends a password has one result for each packet', async () => {
    const link = await world.egts.open();
    const [name, password] = [platformSubrecord(7), passwordSubrecord('rnic', 'secret')];
    const signIn = (...subrecords: readonly (typeof name)[]) =>
      record(undefined, subrecords, { service: 1 });
    await sendRecords(link, [signIn(name, password)]);
    expect(await link.next()).toEqual({ kind: 'sign_in', result: RESULT.ok });
    await sendRecords(link, [signIn(password)], 2);
    expect(await link.next()).toEqual({ kind: 'sign_in', result: RESULT.ok });
    link.send(egtsData(3, [signIn()]));
    expect(await link.next()).toMatchObject({ kind: 'confirmation', packet: 3 });
  });
});
