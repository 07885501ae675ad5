// The bytes of EGTS: vectors of the standard's readers, and streams that are cut, joined and damaged.
import {
  countsSubrecord,
  egtsData,
  egtsPacket,
  positionSubrecord,
} from '@ridewatch/unit/src/egts/packet.ts';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { damage, damagePackets, expectWrongChecksums } from '../../test/damaged-packets.ts';
import { createAnswers } from './answers.ts';
import { crc8, crc16 } from './checksums.ts';
import { RESULT } from './codes.ts';
import { readRecords } from './data-records.ts';
import { createPacketReader, type ReadPacket } from './packets.ts';
import { readUnitRecords } from './unit-records.ts';

const STANDARD = { counts: 'delta', raw_flag: 'low', module_bytes: 'little' } as const;
const request = Buffer.from(
  '0100000B002F00050001D72400070081B0090200020210150080EE181E7022989E722680351345810E40E20101001C0900000505010003010002B770',
  'hex',
);
const reply = '0100000b0010000100002e05000006000100000202000300070000d991';

function readAll(pieces: readonly Buffer[]): ReadPacket[] {
  const reader = createPacketReader();
  const packets: ReadPacket[] = [];
  for (const piece of pieces) {
    reader.push(piece);
    for (let packet = reader.next(); packet; packet = reader.next()) packets.push(packet);
  }
  // In the end nothing more comes.
  while (reader.partBytes() > 0) {
    reader.giveUpPart();
    for (let packet = reader.next(); packet; packet = reader.next()) packets.push(packet);
  }
  return packets;
}

describe('the vector of the standard', () => {
  it('has the checksums that are published for them', () => {
    expect(crc8(Buffer.from('123456789'))).toBe(0xf7);
    expect(crc16(Buffer.from('123456789'))).toBe(0x29b1);
  });

  it('is read as one position and the people of two doors', () => {
    const [packet, ...more] = readAll([request]);
    expect(more).toEqual([]);
    expect(packet).toMatchObject({ id: 5, type: 1, result: RESULT.ok });
    const { records, isWhole } = readRecords(packet?.data ?? Buffer.alloc(0));
    expect(isWhole).toBe(true);
    expect(records).toMatchObject([{ number: 7, object: 133_552, sender: 2, receiver: 2 }]);
    const [record] = records;
    const read = record && readUnitRecords(record, STANDARD);
    if (typeof read !== 'object') throw new Error('not read');
    const [position, ...people] = read.records;
    expect(position).toMatchObject({ type: 'position', speedKmh: 32.5, course: 270 });
    if (position?.type !== 'position') throw new Error('no position');
    expect(new Date(position.sentMs).toISOString()).toBe('2026-01-01T08:00:00.000Z');
    expect(position.place?.latitude).toBeCloseTo(55.7558, 6);
    expect(position.place?.longitude).toBeCloseTo(37.6176, 6);
    expect(people).toMatchObject([
      { door: 1, direction: 'entered', count: 3 },
      { door: 1, direction: 'exited', count: 1 },
      { door: 3, direction: 'exited', count: 2 },
    ]);
  });

  it('is answered byte by byte as the standard says', () => {
    const record = { number: 7, sender: 2, receiver: 2 };
    const answer = createAnswers().response(5, RESULT.ok, [{ record, result: RESULT.ok }]);
    expect(answer.toString('hex')).toBe(reply);
  });

  it('is what a unit builds', () => {
    const timeMs = Date.UTC(2026, 0, 1, 8);
    const place = { latitude: 55.7558, longitude: 37.6176, speedKmh: 32.5, course: 270 };
    const subrecords = [
      positionSubrecord({ timeMs, ...place, odometerKm: 12_345.6, inputs: 1 }),
      countsSubrecord({ module: 1, doors: { 1: [3, 1], 3: [0, 2] } }),
    ];
    const built = egtsData(5, [{ number: 7, service: 2, object: 133_552, subrecords }]);
    expect(built.toString('hex')).toBe(request.toString('hex'));
  });
});

it('a packet that comes byte by byte is kept in one memory, not in a buffer for each byte', () => {
  const reader = createPacketReader();
  reader.push(Buffer.from(request.subarray(0, 1)));
  const byte = Buffer.alloc(1);
  for (const value of request.subarray(1)) {
    expect(reader.next()).toBeUndefined();
    // A reader that kept the buffer would have the last byte in place of each.
    byte[0] = value;
    reader.push(byte);
  }
  expect(reader.next()).toMatchObject({ id: 5, result: RESULT.ok });
  expect(reader.partBytes()).toBe(0);
});

/** The results of a packet with another byte in its header, and of the sound one after it. */
function resultsOf(at: number, byte: number): number[] {
  const packet = Buffer.from(request);
  packet[at] = byte;
  packet[10] = crc8(packet.subarray(0, 10));
  return readAll([Buffer.concat([packet, request])]).map(({ result }) => result);
}

describe('a packet that cannot be read', () => {
  it.each([
    ['of another version', RESULT.otherProtocol, 0, 2],
    ['with another prefix', RESULT.headerForm, 2, 0x40],
    ['with an encoding', RESULT.headerForm, 4, 1],
    ['that is encrypted', RESULT.encrypted, 2, 0x08],
    ['that is compressed', RESULT.dataForm, 2, 0x04],
    ['of an unknown type', RESULT.otherType, 9, 3],
    ['with routing without its fields', RESULT.headerForm, 2, 0x20],
  ])('%s is told so, and the next one is read', (_, result, at, byte) => {
    expect(resultsOf(at, byte)).toEqual([result, RESULT.ok]);
  });

  it('because of its header is told so, and the next one is read', () => {
    const packet = Buffer.from(request);
    packet[8] = 0x33;
    expect(readAll([packet, request]).map(({ result }) => result)).toEqual([
      RESULT.headerChecksum,
      RESULT.ok,
    ]);
  });

  it('because of its data is told so by its number, and the next ones are read', () => {
    const packet = Buffer.from(request);
    packet[30] = 0x33;
    const read = readAll([Buffer.concat([packet, packet, request])]);
    expect(read.map(({ id, result }) => [id, result])).toEqual([
      [5, RESULT.dataChecksum],
      [5, RESULT.dataChecksum],
      [5, RESULT.ok],
    ]);
  });

  it('because bytes of it were lost does not hide the next one', () => {
    const torn = Buffer.concat([request.subarray(0, 20), request.subarray(31)]);
    const read = readAll([Buffer.concat([torn, request, request])]);
    expect(read.filter(({ result }) => result === RESULT.ok)).toHaveLength(2);
  });

  it('with routing and with a signature is read without them', () => {
    const routed = Buffer.from('0100201000000005000101000200050000', 'hex').subarray(0, 16);
    const data = request.subarray(11, -2);
    routed.writeUInt16LE(data.length, 5);
    routed[15] = crc8(routed.subarray(0, 15));
    const plain = Buffer.concat([routed, request.subarray(11)]);
    const signed = egtsPacket(5, 2, Buffer.concat([Buffer.from([2, 0, 9, 9]), data]));
    for (const packet of readAll([plain, signed])) {
      expect(packet.result).toBe(RESULT.ok);
      expect(packet.data.equals(data)).toBe(true);
    }
  });
});

describe('a stream', () => {
  const packets = fc.array(fc.uint8Array({ minLength: 0, maxLength: 300 }), {
    minLength: 1,
    maxLength: 12,
  });
  const build = (parts: readonly Uint8Array[]) =>
    parts.map((data, id) => egtsPacket(id, 1, Buffer.from(data)));
  const cutAt = (bytes: Buffer, cuts: readonly number[]) => {
    const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length];
    at.sort((a, b) => a - b);
    return at.slice(1).map((end, n) => bytes.subarray(at[n], end));
  };

  it('is the same packets however TCP cuts and joins it', () => {
    fc.assert(
      fc.property(packets, fc.array(fc.nat(), { maxLength: 40 }), (parts, cuts) => {
        const read = readAll(cutAt(Buffer.concat(build(parts)), cuts));
        expect(read.map(({ id, data }) => [id, data.toString('hex')])).toEqual(
          parts.map((data, id) => [id, Buffer.from(data).toString('hex')]),
        );
      }),
    );
  });

  it('of single bytes is the same packets', () => {
    const bytes = Buffer.concat([request, request]);
    expect(readAll(cutAt(bytes, [...bytes.keys()]))).toHaveLength(2);
  });

  it('with damage keeps every sound packet, and makes none that was not sent', () => {
    fc.assert(
      fc.property(
        packets,
        fc.array(damage, { maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 20 }),
        (parts, damages, cuts) => {
          const sound = build(parts);
          const sent = sound.map((bytes) => bytes.toString('hex'));
          const link = damagePackets(sound, damages);
          expectWrongChecksums(link.packets, link.damaged);
          const read = readAll(cutAt(Buffer.concat(link.packets), cuts));
          const taken = read.filter(({ result }) => result === RESULT.ok);
          const again = taken.map(({ id, data }) => egtsPacket(id, 1, data).toString('hex'));
          for (const bytes of again) expect(sent).toContain(bytes);
          for (const [n, bytes] of sent.entries()) {
            if (!link.damaged.has(n)) expect(again).toContain(bytes);
          }
        },
      ),
      { numRuns: inject('triesEverything') ? 100_000 : 300 },
    );
  });

  it('of noise never costs more than it sends', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 2000 }), { maxLength: 20 }), (noise) => {
        const read = readAll(noise.map((bytes) => Buffer.from(bytes)));
        expect(read.filter(({ result }) => result === RESULT.ok)).toEqual([]);
      }),
    );
  });

  it('that is damaged beyond a limit is given up', () => {
    const reader = createPacketReader();
    for (let sent = 0; sent < 2_000_000 && !reader.isLost(); sent += 50_000) {
      reader.push(Buffer.alloc(50_000, 0x55));
      while (reader.next() !== undefined);
    }
    expect(reader.isLost()).toBe(true);
  });
});
