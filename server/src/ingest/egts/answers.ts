// Packets that the server sends: the confirmation of a packet, and the result of a sign-in.
import { MAX_PACKET_BYTES, PACKET, SERVICE, SUBRECORD } from './codes.ts';
import type { DataRecord } from './data-records.ts';
import {
  beginPacket,
  CHECKSUM_BYTES,
  CONFIRMATION_BYTES,
  endPacket,
  HEADER_BYTES,
  NUMBERS,
  writeConfirmation,
} from './written-packets.ts';

/** A record's fields before its data. */
const RECORD_BYTES = 7;
/** The packet that a response confirms, and its result. */
const OWN_BYTES = 3;
/** Room of a response for records. */
const MOST_RECORDS_BYTES = MAX_PACKET_BYTES - HEADER_BYTES - CHECKSUM_BYTES - OWN_BYTES;

/** A record and what became of it. */
export interface Confirmed {
  readonly record: Pick<DataRecord, 'number' | 'sender' | 'receiver'>;
  readonly result: number;
}

/** The packets of one connection, which number themselves. */
export interface Answers {
  /**
   * The confirmation of a packet.
   * @param result of the packet
   * @param records in the order of the packet
   */
  response(packetId: number, result: number, records: readonly Confirmed[]): Buffer;
  /** The result of a sign-in. */
  signInResult(result: number): Buffer;
}

/** Makes the packets of one connection. */
export function createAnswers(): Answers {
  let [packets, records] = [0, 0];
  const begin = (type: number, dataBytes: number): Buffer => {
    packets = (packets + 1) % NUMBERS;
    return beginPacket(packets, type, dataBytes);
  };
  // Writes the fields of a record. Gives the place of its data.
  const beginRecord = (
    bytes: Buffer,
    at: number,
    sender: number,
    receiver: number,
    dataBytes: number,
  ): number => {
    records = (records + 1) % NUMBERS;
    bytes.writeUInt16LE(dataBytes, at);
    bytes.writeUInt16LE(records, at + 2);
    bytes[at + 4] = 0;
    bytes[at + 5] = sender;
    bytes[at + 6] = receiver;
    return at + RECORD_BYTES;
  };
  return {
    response: (packetId, result, confirmed) => {
      const together = confirmationsOfRecord(confirmed.length);
      const recordsBytes =
        (confirmed.length / together) * RECORD_BYTES + confirmed.length * CONFIRMATION_BYTES;
      const bytes = begin(PACKET.response, OWN_BYTES + recordsBytes);
      let at = HEADER_BYTES;
      bytes.writeUInt16LE(packetId, at);
      bytes[at + 2] = result;
      at += OWN_BYTES;
      // Field by field: an array for each record would be most of what a packet leaves to collect.
      for (const [n, { record, result: own }] of confirmed.entries()) {
        // The services change places.
        if (n % together === 0) {
          const dataBytes = together * CONFIRMATION_BYTES;
          at = beginRecord(bytes, at, record.receiver, record.sender, dataBytes);
        }
        writeConfirmation(bytes, at, record.number, own);
        at += CONFIRMATION_BYTES;
      }
      return endPacket(bytes);
    },
    signInResult: (result) => {
      const subrecord = [SUBRECORD.resultCode, 1, 0, result];
      const bytes = begin(PACKET.appdata, RECORD_BYTES + subrecord.length);
      const { auth } = SERVICE;
      bytes.set(subrecord, beginRecord(bytes, HEADER_BYTES, auth, auth, subrecord.length));
      return endPacket(bytes);
    },
  };
}

// A record for each confirmed one. Of a packet with thousands of tiny records these would not fit into one packet: then
// they share one.
function confirmationsOfRecord(count: number): number {
  return count * (RECORD_BYTES + CONFIRMATION_BYTES) <= MOST_RECORDS_BYTES ? 1 : count;
}
