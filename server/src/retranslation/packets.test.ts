// Packets for upstreams, byte by byte.
import { egtsPacket } from '@ridewatch/unit/src/egts/packet.ts';
import { describe, expect, it } from 'vitest';
import { readRecords, readSubrecords } from '../ingest/egts/data-records.ts';
import { createPacketReader } from '../ingest/egts/packets.ts';
import { readCounts } from '../ingest/egts/passenger-counts.ts';
import { createPacketWriter } from './packets.ts';
import { countsSubrecords, dispatcherSubrecord, positionSubrecord } from './subrecords.ts';

const point = {
  ...{ sentMs: 0, offsetMs: 0, streamId: 0, seq: 0, satellites: null, hdopE1: null },
  ...{ latitudeE6: 55_755_800, longitudeE6: 37_617_600, speedE1: 325, course: 270 },
};
const STANDARD = { counts: 'delta', raw_flag: 'low', module_bytes: 'little' } as const;

/** The numbers of modules by door, as a receiver reads them. */
function countsOf(subrecords: readonly Buffer[]) {
  return (readSubrecords(Buffer.concat(subrecords)) ?? []).map(({ data }) => {
    const read = readCounts(data, STANDARD);
    return [read?.module, read?.doors?.map(({ door, entered, exited }) => [door, entered, exited])];
  });
}

describe('a packet for an upstream', () => {
  it('has the bytes of a known packet, but for an input that nobody stores', () => {
    const known = Buffer.from(
      '0100000B002F00050001D72400070081B0090200020210150080EE181E7022989E722680351345810E40E20101001C0900000505010003010002B770',
      'hex',
    );
    const data = Buffer.from(known.subarray(11, -2));
    // The unit's side builds packets by itself.
    expect(egtsPacket(5, 1, data)).toEqual(known);
    data[data.length - 14] = 0;
    const seconds = Date.UTC(2026, 0, 1, 8) / 1000;
    const people = [
      [seconds, 3, 0, 2],
      [seconds, 1, 3, 1],
    ] as const;
    const subrecords = [
      positionSubrecord(point, { seconds, odometerKm: 12_345.6 }),
      ...countsSubrecords(people, 0),
    ];
    const { bytes } = createPacketWriter(5, 7).data([{ service: 2, object: 133_552, subrecords }]);
    expect(bytes.toString('hex')).toBe(egtsPacket(5, 1, data).toString('hex'));
  });

  it('says the time of people without a position, and is read by a reader of the standard', () => {
    const seconds = Date.UTC(2026, 0, 1, 8) / 1000;
    const subrecords = countsSubrecords([[seconds, 2, 3, 1]], 0);
    const packet = createPacketWriter(0xffff, 0xffff).data([
      { service: 2, object: 0xffff_ffff, seconds, subrecords },
      { service: 2, object: 1, seconds, subrecords },
    ]);
    const reader = createPacketReader();
    reader.push(packet.bytes);
    const read = reader.next();
    const { records, isWhole } = readRecords(read?.data ?? Buffer.alloc(0));
    expect([read?.id, read?.result, isWhole]).toEqual([0xffff, 0, true]);
    expect(records.map(({ number, object }) => [number, object])).toEqual([
      [0xffff, 0xffff_ffff],
      [0, 1],
    ]);
    expect(packet.numbers).toEqual([0xffff, 0]);
    expect(records[0]?.seconds).toBe(seconds - Date.UTC(2010) / 1000);
  });
});

describe('people of one second', () => {
  it('are of a second module at the doors above eight', () => {
    const people = [
      [0, 1, 1, 2],
      [0, 9, 3, 0],
    ] as const;
    expect(countsOf(countsSubrecords(people, 0))).toEqual([
      [1, [[1, 1, 2]]],
      [2, [[1, 3, 0]]],
    ]);
  });

  it('are of further modules when more than 255 pass one door, and when they come later', () => {
    expect(countsOf(countsSubrecords([[0, 1, 300, 0]], 0))).toEqual([
      [1, [[1, 255, 0]]],
      [20_003, [[1, 45, 0]]],
    ]);
    expect(countsOf(countsSubrecords([[0, 1, 1, 0]], 1))).toEqual([[3, [[1, 1, 0]]]]);
  });

  it('share no module, however many come for the second and pass a door', () => {
    const modulesOf = (turn: number, count: number) =>
      countsOf(countsSubrecords([[0, 16, count, 0]], turn)).map(([module]) => module);
    const all = [
      ...Array.from({ length: 21 }, (_, n) => modulesOf(n, 255_000)),
      ...[21, 32, 33, 9999, 10_000].map((turn) => modulesOf(turn, 255)),
    ].flat();
    expect(all).toHaveLength(21_005);
    expect(new Set(all).size).toBe(21_005);
  });
});

describe('the sign-in of a dispatcher', () => {
  it('is cut at whole characters', () => {
    const bytes = dispatcherSubrecord(7, 'Ж'.repeat(200));
    expect(bytes.subarray(8).toString()).toBe('Ж'.repeat(127));
    expect(bytes.readUInt32LE(4)).toBe(7);
  });
});
