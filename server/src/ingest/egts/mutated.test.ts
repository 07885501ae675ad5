// Packets with changed bytes and right checksums: what a faulty device sends. Nothing fails, nothing is read beyond its
// bytes, and each record of the store is one that the store takes.
import {
  countsSubrecord,
  type EgtsSubrecord,
  egtsData,
  egtsPacket,
  positionSubrecord,
} from '@ridewatch/unit/src/egts/packet.ts';
import { identitySubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import { PACKET } from './codes.ts';
import { readRecords, readSubrecords } from './data-records.ts';
import { readTerminalIds } from './identities.ts';
import { createPacketReader } from './packets.ts';
import { readUnitRecords } from './unit-records.ts';

/** Packets that a run tries: a million where everything is tried. */
const PACKETS = inject('triesEverything') ? 1_000_000 : 5_000;

const subrecord: fc.Arbitrary<EgtsSubrecord> = fc.oneof(
  fc
    .record({
      timeMs: fc.integer({ min: 0, max: 0xffff_ffff }).map((s) => Date.UTC(2010) + s * 1000),
      latitude: fc.double({ min: -90, max: 90, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
      isValid: fc.boolean(),
    })
    .map((position) => positionSubrecord({ ...position, speedKmh: 30, course: 300 })),
  fc
    .record({
      module: fc.integer({ min: 0, max: 0xffff }),
      entered: fc.nat(255),
      exited: fc.nat(255),
    })
    .map(({ module, entered, exited }) =>
      countsSubrecord({ module, doors: { 1: [entered, exited], 8: [exited, entered] } }),
    ),
  fc
    .nat(0xffff_ffff)
    .map((number) => identitySubrecord({ number, imei: '866104029690008', isSimple: true })),
  fc
    .record({ type: fc.nat(255), data: fc.uint8Array({ maxLength: 40 }) })
    .map(({ type, data }) => ({
      ...{ type, data: Buffer.from(data) },
    })),
);

const settings = fc.record({
  counts: fc.constantFrom('delta' as const, 'cumulative' as const),
  raw_flag: fc.constantFrom('low' as const, 'high' as const, 'inverted' as const),
  module_bytes: fc.constantFrom('little' as const, 'big' as const),
});

it('a packet of any bytes with right checksums becomes records that can be stored, or a refusal', () => {
  fc.assert(
    fc.property(
      fc.array(subrecord, { maxLength: 5 }),
      fc.array(fc.record({ at: fc.nat(), byte: fc.nat(255) }), { maxLength: 6 }),
      settings,
      (subrecords, changes, own) => {
        const records = [{ number: 1, service: 2, object: 77, subrecords }];
        const data = Buffer.from(egtsData(1, records).subarray(11, -2));
        for (const { at, byte } of changes) data[at % data.length] = byte;
        const reader = createPacketReader();
        reader.push(egtsPacket(1, PACKET.appdata, data));
        const packet = reader.next();
        expect(packet?.data.equals(data)).toBe(true);
        for (const record of readRecords(packet?.data ?? data).records) {
          for (const one of readSubrecords(record.data) ?? []) readTerminalIds(one.data);
          const read = readUnitRecords(record, own);
          if (typeof read === 'number') continue;
          for (const one of read.records) {
            expect(Number.isSafeInteger(one.seq) && one.seq >= 0).toBe(true);
            expect(one.sentMs).toBeGreaterThanOrEqual(Date.UTC(2010));
            if (one.type === 'position' && one.place !== null) {
              expect(Math.abs(one.place.latitude)).toBeLessThanOrEqual(90);
              expect(Math.abs(one.place.longitude)).toBeLessThanOrEqual(180);
              expect(one.course ?? 0).toBeLessThanOrEqual(360);
              expect(one.speedKmh ?? 0).toBeLessThanOrEqual(400);
            }
            if (one.type === 'passenger') {
              expect(one.door).toBeGreaterThanOrEqual(1);
              expect(one.door).toBeLessThanOrEqual(8);
              expect(one.count).toBeLessThanOrEqual(255);
              if (own.counts === 'delta') expect(one.count).toBeGreaterThan(0);
            }
          }
        }
      },
    ),
    { numRuns: PACKETS },
  );
});

interface Count {
  readonly second: number;
  readonly module: number;
  readonly door: number;
  readonly isExit: boolean;
}

it('two counts have one number only if second, module, door and direction are the same', () => {
  const count = fc.record({
    second: fc.integer({ min: 0, max: 0xffff_ffff }),
    module: fc.integer({ min: 0, max: 0xffff }),
    door: fc.integer({ min: 1, max: 8 }),
    isExit: fc.boolean(),
  });
  const numberOf = ({ second, module, door, isExit }: Count): number => {
    const counts = countsSubrecord({ module, doors: { [door]: isExit ? [0, 1] : [1, 0] } });
    const records = [{ number: 1, service: 2, object: 1, seconds: second, subrecords: [counts] }];
    const [record] = readRecords(egtsData(1, records).subarray(11, -2)).records;
    const read = record && readUnitRecords(record, STANDARD);
    const [one, ...more] = typeof read === 'object' ? read.records : [];
    if (one === undefined || more.length > 0) throw new Error('not one count');
    return one.seq;
  };
  fc.assert(
    fc.property(count, count, (one, other) => {
      const isSame = JSON.stringify(one) === JSON.stringify(other);
      expect(numberOf(one) === numberOf(other)).toBe(isSame);
      expect(numberOf(one)).toBeGreaterThan(0xffff_ffff);
    }),
  );
});

const STANDARD = { counts: 'delta', raw_flag: 'low', module_bytes: 'little' } as const;
