// The parts that packets of both directions share.
import { crc8, crc16 } from './checksums.ts';
import { SUBRECORD } from './codes.ts';

/** A header without fields of routing, bytes. */
export const HEADER_BYTES = 11;
export const CHECKSUM_BYTES = 2;
/** The confirmation of a record, bytes. */
export const CONFIRMATION_BYTES = 6;
/** Packet and record numbers begin anew after so many. */
export const NUMBERS = 0x10000;

/**
 * Makes a packet with its header. Its data are still to be written, and then its end.
 * @param type of `PACKET`
 * @param dataBytes at most 65,522
 */
export function beginPacket(id: number, type: number, dataBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + dataBytes + CHECKSUM_BYTES);
  bytes.fill(0, 0, HEADER_BYTES);
  bytes[0] = 1;
  bytes[3] = HEADER_BYTES;
  bytes[9] = type;
  bytes.writeUInt16LE(dataBytes, 5);
  bytes.writeUInt16LE(id, 7);
  bytes[HEADER_BYTES - 1] = crc8(bytes.subarray(0, HEADER_BYTES - 1));
  return bytes;
}

/** Writes the checksum of a packet's data. @returns the packet */
export function endPacket(bytes: Buffer): Buffer {
  const checksumAt = bytes.length - CHECKSUM_BYTES;
  bytes.writeUInt16LE(crc16(bytes.subarray(HEADER_BYTES, checksumAt)), checksumAt);
  return bytes;
}

/** Writes the confirmation of a record at a place. */
export function writeConfirmation(bytes: Buffer, at: number, record: number, result: number): void {
  bytes[at] = SUBRECORD.recordResponse;
  bytes.writeUInt16LE(3, at + 1);
  bytes.writeUInt16LE(record, at + 3);
  bytes[at + 5] = result;
}
