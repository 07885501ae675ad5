// A packet may have 43,000 records. They are stored a part at a time, and no other is stored for it.
import type { EgtsSubrecord } from '@ridewatch/unit/src/egts/packet.ts';
import { describe, expect, it } from 'vitest';
import { at, createEgtsWorld, people, record, sendRecords, storedOf } from '../../test/egts.ts';
import { useWorld } from '../../test/use-world.ts';
import { RESULT } from './codes.ts';
import { lastSubrecords, readSubrecords } from './data-records.ts';

const world = useWorld(createEgtsWorld);

it('readings of a counter that come the latest first count by their times, also beyond a slice', async () => {
  const bus = await world.freshBus({ counts: 'cumulative' });
  const link = await world.egts.open();
  const SECONDS = 1100;
  const latestFirst = Array.from({ length: SECONDS }, (_, n) => SECONDS - n);
  const subrecords = latestFirst.flatMap((s) => [at(s), people({ 1: [s % 256, 0] })]);
  const sent = await sendRecords(link, [record(bus.object, subrecords)]);
  expect(sent.records).toEqual([RESULT.ok]);
  const { seconds, hours } = await storedOf(world, bus);
  expect(seconds).toHaveLength(SECONDS);
  expect(hours).toEqual({ entered: SECONDS - 1, exited: 0 });
});

describe('the end of a record', () => {
  const bytesOf = (some: readonly EgtsSubrecord[]): Buffer =>
    Buffer.concat(some.map(({ type, data }) => Buffer.from([type, data.length, 0, ...data])));

  it('is its last subrecords, or all of it', () => {
    const all = Array.from({ length: 40 }, (_, n) => ({ type: n, data: Buffer.alloc(n) }));
    const types = (data: Buffer | undefined) =>
      data && readSubrecords(data)?.map(({ type }) => type);
    expect(types(lastSubrecords(bytesOf(all), 3))).toEqual([37, 38, 39]);
    expect(types(lastSubrecords(bytesOf(all.slice(0, 2)), 3))).toEqual([0, 1]);
    expect(types(lastSubrecords(Buffer.alloc(0), 3))).toEqual([]);
  });

  it('is none of a record that ends within a subrecord', () => {
    const bytes = bytesOf([{ type: 1, data: Buffer.alloc(5) }]);
    expect(lastSubrecords(bytes.subarray(0, -1), 3)).toBeUndefined();
    expect(lastSubrecords(bytes.subarray(0, 2), 3)).toBeUndefined();
  });
});
