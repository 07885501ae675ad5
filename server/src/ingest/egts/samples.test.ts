// Packets of real devices, where they are at hand: each position as other programs read it.
import { beforeEach, describe, expect, it } from 'vitest';
import { sampleRows, samples } from '../../test/samples.ts';
import { PACKET, RESULT } from './codes.ts';
import { readRecords } from './data-records.ts';
import { readTerminalIds } from './identities.ts';
import { createPacketReader } from './packets.ts';
import { readUnitRecords } from './unit-records.ts';

const STANDARD = { counts: 'delta', raw_flag: 'low', module_bytes: 'little' } as const;

describe('packets of real devices', () => {
  beforeEach(({ skip }) => skip(!samples.areThere, `${samples.folder} is not there`));
  const readPackets = () => sampleRows('units/egts_packets.csv');
  const read = (hex: string) => {
    const reader = createPacketReader();
    reader.push(Buffer.from(hex, 'hex'));
    return reader.next();
  };

  it('are read whole, each position as it is known to be', () => {
    const known = sampleRows('units/egts_expected_positions.csv');
    const positions = readPackets().flatMap(({ id, hex = '' }) => {
      const packet = read(hex);
      expect([id, packet?.result]).toEqual([id, RESULT.ok]);
      if (packet?.type !== PACKET.appdata) return [];
      const { records, isWhole } = readRecords(packet.data);
      expect([id, isWhole]).toEqual([id, true]);
      return records.flatMap((record) => {
        const told = record.sender === 2 ? readUnitRecords(record, STANDARD) : { records: [] };
        if (typeof told === 'number') throw new Error(`${id}: ${told}`);
        return [...told.records].flatMap((one) =>
          one.type === 'position' ? [{ id, record, one }] : [],
        );
      });
    });
    expect(positions).toHaveLength(known.length);
    for (const [n, { id, record, one }] of positions.entries()) {
      const row = known[n] ?? {};
      const number = (name: string) => (row[name] === '' ? null : Number(row[name]));
      expect(id).toBe(row.packet_id);
      expect(record.number).toBe(number('record_no'));
      expect(record.object ?? 0).toBe(number('object_id') ?? 0);
      expect(one.sentMs).toBe(Date.parse(row.navigation_time_utc ?? ''));
      expect(one.place !== null).toBe(row.valid === '1');
      if (one.place !== null) {
        expect(one.place.latitude).toBeCloseTo(Number(row.lat), 6);
        expect(one.place.longitude).toBeCloseTo(Number(row.lon), 6);
      }
      expect(one.speedKmh).toBeCloseTo(Number(row.speed_kmh), 6);
      expect(one.course).toBe(number('course_deg'));
      expect(one.satellites).toBe(number('satellites'));
      expect(one.hdop === null ? null : Math.round(one.hdop * 100)).toBe(number('hdop'));
    }
  });

  it('tell the IMEI of a terminal', () => {
    const [row] = readPackets().filter(({ id }) => id === 'ld03');
    const [record] = readRecords(read(row?.hex ?? '')?.data ?? Buffer.alloc(0)).records;
    expect(readTerminalIds(record?.data.subarray(3) ?? Buffer.alloc(0))).toEqual([
      '866104029690008',
    ]);
  });
});
