// Packets of EGTS that a platform sends: records with their object, and confirmations of what it gets.
import { PACKET } from '../ingest/egts/codes.ts';
import type { DataRecord } from '../ingest/egts/data-records.ts';
import { beginPacket, endPacket, HEADER_BYTES, NUMBERS } from '../ingest/egts/written-packets.ts';
import { confirmationSubrecord, egtsSeconds } from './subrecords.ts';

const FLAG = { onDevice: 0x80, time: 0x04, object: 0x01 } as const;

/** A record before it has a number. */
export interface OutRecord {
  readonly service: number;
  /** The bus; undefined: the sender speaks of itself. */
  readonly object?: number;
  /** When it was made, s since 1970 UTC; undefined: a position in it says so. */
  readonly seconds?: number;
  readonly subrecords: readonly Buffer[];
}

/** A packet with the number of each of its records. */
export interface OutPacket {
  readonly id: number;
  readonly bytes: Buffer;
  readonly numbers: readonly number[];
}

/** Makes the packets of one connection, which number themselves. */
export interface PacketWriter {
  data(records: readonly OutRecord[]): OutPacket;
  /** Confirms a packet of the other side with all of its records. */
  confirmation(packetId: number, result: number, records: readonly DataRecord[]): Buffer;
}

/** Makes the writer of one connection. @param firstId of its packets, and the number of its first record */
export function createPacketWriter(firstId = 0, firstNumber = 0): PacketWriter {
  let [packets, records] = [firstId, firstNumber];
  const nextId = (): number => {
    const id = packets;
    packets = (packets + 1) % NUMBERS;
    return id;
  };
  const nextNumber = (): number => {
    const number = records;
    records = (records + 1) % NUMBERS;
    return number;
  };
  return {
    data: (some) => {
      const numbered = some.map((record) => ({ record, number: nextNumber() }));
      const id = nextId();
      const data = numbered.map(({ record, number }) => recordBytes(record, number));
      const bytes = packetBytes(id, PACKET.appdata, Buffer.concat(data));
      return { id, bytes, numbers: numbered.map(({ number }) => number) };
    },
    confirmation: (packetId, result, confirmed) => {
      const own = Buffer.from([0, 0, result]);
      own.writeUInt16LE(packetId);
      const data = confirmed.map(({ number, receiver }) => {
        const subrecords = [confirmationSubrecord(number, result)];
        return recordBytes({ service: receiver, subrecords }, nextNumber());
      });
      return packetBytes(nextId(), PACKET.response, Buffer.concat([own, ...data]));
    },
  };
}

function recordBytes({ service, object, seconds, subrecords }: OutRecord, number: number): Buffer {
  const data = Buffer.concat(subrecords);
  const first = Buffer.alloc(5);
  first.writeUInt16LE(data.length, 0);
  first.writeUInt16LE(number, 2);
  first[4] =
    FLAG.onDevice |
    (seconds === undefined ? 0 : FLAG.time) |
    (object === undefined ? 0 : FLAG.object);
  const named = object === undefined ? [] : [u32(object)];
  const timed = seconds === undefined ? [] : [u32(egtsSeconds(seconds))];
  return Buffer.concat([first, ...named, ...timed, Buffer.from([service, service]), data]);
}

function packetBytes(id: number, type: number, data: Buffer): Buffer {
  const bytes = beginPacket(id, type, data.length);
  bytes.set(data, HEADER_BYTES);
  return endPacket(bytes);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
