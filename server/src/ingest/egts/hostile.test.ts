// Bytes that only look like packets cost the process little: anybody who connects may send them.
import { egtsPacket } from '@ridewatch/unit/src/egts/packet.ts';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { crc8, crc16 } from './checksums.ts';
import { MAX_PACKET_BYTES } from './codes.ts';
import { createPacketReader } from './packets.ts';

vi.mock('./checksums.ts', async (importOriginal) => {
  const real = await importOriginal<typeof import('./checksums.ts')>();
  return { ...real, crc16: vi.fn(real.crc16) };
});

/** Bytes that went through the checksum of data. */
const checkedBytes = (): number =>
  vi.mocked(crc16).mock.calls.reduce((sum, [bytes]) => sum + bytes.length, 0);
beforeEach(() => void vi.mocked(crc16).mockClear());

/** A header of the most data, with a right checksum. */
const header = Buffer.from([1, 0, 0, 11, 0, 0xf0, 0xff, 1, 0, 1, 0]);
header[10] = crc8(header.subarray(0, 10));
const times = (bytes: Buffer, count: number): Buffer =>
  Buffer.concat(Array.from({ length: count }, () => bytes));

/** Pushes bytes in pieces, and reads until nothing more comes. @returns whether the reader has given up */
function read(bytes: Buffer, pieceBytes = bytes.length): boolean {
  const reader = createPacketReader();
  for (let at = 0; at < bytes.length && !reader.isLost(); at += pieceBytes) {
    reader.push(bytes.subarray(at, at + pieceBytes));
    while (reader.next() !== undefined);
  }
  return reader.isLost();
}

describe('headers without packets', () => {
  it.each([140_000, 4096])('cost at most 65 checksums of data, pushed in pieces of %i', (piece) => {
    expect(read(times(header, 12_727), piece)).toBe(true);
    expect(vi.mocked(crc16).mock.calls.length).toBeLessThanOrEqual(66);
  });

  it('between sound packets cost no more than so many, and some for what is sound', () => {
    const group = Buffer.concat([times(header, 60), egtsPacket(1, 0, Buffer.alloc(0))]);
    const bytes = times(group, 200);
    expect(read(bytes)).toBe(true);
    expect(checkedBytes()).toBeLessThan(66 * MAX_PACKET_BYTES + 5 * bytes.length);
  });
});

it('a link that damages half of its packets is never given up', () => {
  const sound = egtsPacket(1, 1, Buffer.alloc(60_000, 7));
  const damaged = Buffer.from(sound);
  damaged[1000] = 8;
  expect(read(times(Buffer.concat([damaged, sound]), 72), 50_000)).toBe(false);
});
