// Packets that the server sends: the confirmation of a packet, and the result of a sign-in.
import { crc8, crc16 } from './checksums.ts';
import { MAX_PACKET_BYTES, PACKET, SERVICE, SUBRECORD } from './codes.ts';
import type { DataRecord } from './data-records.ts';

const HEADER_BYTES = 11;
const CHECKSUM_BYTES = 2;
/** A record's fields before its data, and the confirmation of a record in it. */
const RECORD_BYTES = 7;
const CONFIRMATION_BYTES = 6;
/** Room of a response for records, beside its header, checksum, and the packet that it confirms. */
const MOST_RECORDS_BYTES = MAX_PACKET_BYTES - HEADER_BYTES - CHECKSUM_BYTES - 3;
/** Packet and record numbers begin anew after this one. */
const NUMBERS = 0x10000;

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
  const packet = (type: number, data: Buffer): Buffer => {
    packets = (packets + 1) % NUMBERS;
    const header = Buffer.from([1, 0, 0, HEADER_BYTES, 0, 0, 0, 0, 0, type]);
    header.writeUInt16LE(data.length, 5);
    header.writeUInt16LE(packets, 7);
    const end = Buffer.alloc(CHECKSUM_BYTES);
    end.writeUInt16LE(crc16(data));
    return Buffer.concat([header, Buffer.from([crc8(header)]), data, end]);
  };
  const record = (sender: number, receiver: number, subrecords: readonly Buffer[]): Buffer => {
    records = (records + 1) % NUMBERS;
    const data = Buffer.concat(subrecords);
    const fields = Buffer.from([0, 0, 0, 0, 0, sender, receiver]);
    fields.writeUInt16LE(data.length, 0);
    fields.writeUInt16LE(records, 2);
    return Buffer.concat([fields, data]);
  };
  return {
    response: (packetId, result, confirmed) => {
      const own = Buffer.from([0, 0, result]);
      own.writeUInt16LE(packetId, 0);
      const groups = groupsOf(confirmed).map((group) => {
        // The services change places.
        const { receiver = 0, sender = 0 } = group[0]?.record ?? {};
        return record(receiver, sender, group.map(confirmationOf));
      });
      return packet(PACKET.response, Buffer.concat([own, ...groups]));
    },
    signInResult: (result) => {
      const subrecord = Buffer.from([SUBRECORD.resultCode, 1, 0, result]);
      return packet(PACKET.appdata, record(SERVICE.auth, SERVICE.auth, [subrecord]));
    },
  };
}

function confirmationOf({ record, result }: Confirmed): Buffer {
  const bytes = Buffer.from([SUBRECORD.recordResponse, 3, 0, 0, 0, result]);
  bytes.writeUInt16LE(record.number, 3);
  return bytes;
}

// A record for each confirmed one. Of a packet with thousands of tiny records these would not fit into one packet: then
// they share one.
function groupsOf(confirmed: readonly Confirmed[]): (readonly Confirmed[])[] {
  const bytes = confirmed.length * (RECORD_BYTES + CONFIRMATION_BYTES);
  return bytes <= MOST_RECORDS_BYTES ? confirmed.map((one) => [one]) : [confirmed];
}
