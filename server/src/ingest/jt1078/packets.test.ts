import { type Jt1078Frame, jt1078Packets } from '@ridewatch/unit/src/jt1078/packet.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPacketReader, type Packet, type PacketReader } from './packets.ts';

const camera = { phone: '13912345678', channel: 3, codec: 'h264' } as const;
const frame = (n: number, more: Partial<Jt1078Frame> = {}): Jt1078Frame => ({
  ...{ kind: 'key', timeMs: n * 40, bytes: Buffer.alloc(20 + n, n) },
  ...more,
});

/** Takes the first reading, and all packets that are there. */
function readAll(reader: PacketReader): Packet[] {
  const [reading] = reader.readings() ?? [];
  if (reading !== undefined) reader.choose(reading);
  const packets: Packet[] = [];
  for (let packet = reader.next(); packet !== undefined; packet = reader.next()) {
    packets.push({ ...packet, body: Buffer.from(packet.body) });
  }
  return packets;
}

const read = (...parts: readonly Buffer[]): Packet[] => {
  const reader = createPacketReader();
  return parts.flatMap((part) => {
    reader.push(part);
    return readAll(reader);
  });
};

describe('stream packets', () => {
  it.each([6, 10] as const)('with a number of %i bytes are read', (phoneBytes) => {
    const kinds = ['key', 'predicted', 'bidirectional', 'audio', 'other'] as const;
    const packets = kinds.flatMap((kind, n) =>
      jt1078Packets({ ...camera, phoneBytes }, frame(n, { kind }), n),
    );
    const reader = createPacketReader();
    reader.push(Buffer.concat(packets));
    const reading = reader.readings()?.find((one) => one.phoneBytes === phoneBytes);
    expect(reading).toEqual({ phoneBytes, terminal: camera.phone, channel: 3 });
    if (reading) reader.choose(reading);
    expect(readAll(reader)).toEqual(
      kinds.map((kind, n) => ({
        ...{ payloadType: kind === 'audio' ? 6 : 98, serial: n, channel: 3 },
        ...{ data: n, part: 0, timeMs: kind === 'other' ? 0 : n * 40 },
        body: frame(n).bytes,
      })),
    );
  });

  it('of a long picture are its first, middle and last one', () => {
    const long = frame(7, { bytes: Buffer.alloc(2500, 7) });
    expect(
      read(...jt1078Packets(camera, long, 65_535)).map(({ part, serial, body }) => [
        part,
        serial,
        body.length,
      ]),
    ).toEqual([
      [1, 65_535, 950],
      [3, 0, 950],
      [2, 1, 600],
    ]);
  });

  it('are the same however the bytes are cut', () => {
    const bytes = Buffer.concat(
      [1, 2, 3].flatMap((n) =>
        jt1078Packets(camera, frame(n, { bytes: Buffer.alloc(n * 700, n) }), n * 10),
      ),
    );
    const whole = read(bytes);
    expect(whole).toHaveLength(6);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 20 }), (cuts) => {
        const ends = [...cuts, bytes.length].sort((a, b) => a - b);
        const parts = ends.map((end, n) => bytes.subarray(ends[n - 1] ?? 0, end));
        expect(read(...parts)).toEqual(whole);
      }),
    );
  });
});

describe('what is damaged', () => {
  const [first, second, third] = [1, 2, 3].map((n) =>
    Buffer.concat(jt1078Packets(camera, frame(n), n)),
  );
  const serials = (...parts: (Buffer | undefined)[]): number[] =>
    read(...parts.map((part) => part ?? Buffer.alloc(0))).map(({ serial }) => serial);

  it('between packets is skipped, also if it holds the marker', () => {
    const noise = Buffer.concat([
      Buffer.from('3031636430316364ffff', 'hex'),
      Buffer.alloc(40, 0x30),
    ]);
    expect(serials(noise, first, noise, second, third)).toEqual([1, 2, 3]);
  });

  it('in a header costs its packet', () => {
    for (const at of [0, 3, 4, 8, 13]) {
      const broken = Buffer.from(second ?? '');
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      expect(serials(first, broken, third)).toEqual([1, 3]);
    }
  });

  it('because its end is missing takes the beginning of the next packet with it', () => {
    expect(serials(first, second?.subarray(0, 40), third, first)).toEqual([1, 2, 1]);
    expect(serials(first, second?.subarray(0, 25), third, first)).toEqual([1, 3, 1]);
  });

  it('because it claims too great a length costs its packet', () => {
    const long = Buffer.from(second ?? '');
    long.writeUInt16BE(60_000, 28);
    expect(serials(first, long, third)).toEqual([1, 3]);
  });

  it('without an end is no connection of a terminal', () => {
    const reader = createPacketReader();
    for (let n = 0; n < 17 && !reader.isLost(); n += 1) {
      reader.push(Buffer.alloc(65_536, 0x31));
      readAll(reader);
    }
    expect(reader.isLost()).toBe(true);
  });
});

it('any bytes are read to their end', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 200 })), (parts) => {
      const marked = parts.map((part) => Buffer.concat([Buffer.from('30316364', 'hex'), part]));
      expect(read(...marked).every(({ body }) => body.length <= 4096)).toBe(true);
    }),
  );
});
