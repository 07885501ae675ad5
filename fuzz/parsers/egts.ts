// EGTS for the run of its parser: packets of the unit's encoder, and the server's reader and decoder as a session uses them.
import { createAnswers } from '@ridewatch/server/src/ingest/egts/answers.ts';
import { PACKET, RESULT, SERVICE } from '@ridewatch/server/src/ingest/egts/codes.ts';
import { readRecords, readSubrecords } from '@ridewatch/server/src/ingest/egts/data-records.ts';
import {
  isPlatformIdentity,
  readTerminalIds,
} from '@ridewatch/server/src/ingest/egts/identities.ts';
import { createPacketReader, type ReadPacket } from '@ridewatch/server/src/ingest/egts/packets.ts';
import { readUnitRecords } from '@ridewatch/server/src/ingest/egts/unit-records.ts';
import {
  checksum,
  countsSubrecord,
  type EgtsRecord,
  type EgtsSubrecord,
  egtsData,
  positionSubrecord,
} from '@ridewatch/unit/src/egts/packet.ts';
import { identitySubrecord, precisionSubrecord } from '@ridewatch/unit/src/egts/subrecords.ts';
import type { Chance } from '@ridewatch/unit/src/simulated/random.ts';
import { FIRST_OBJECT } from '../../harness/told-objects.ts';
import { pick, whole } from '../values.ts';
import { checkRecord } from './check-record.ts';
import type { ParserLink, SoundFrame, StreamParser } from './parser.ts';

const LENGTH_AT = 5;
/** The place of the checksum of the header, without and with fields of routing. */
const CHECKSUM_AT = [10, 15] as const;
const SIGNED = 2;
const MOST_PACKET_BYTES = 65_535;
/** A server may give up after so many damaged bytes in a row, or places that look like a header (docs/egts.md). */
const MOST_DAMAGED_BYTES = 2 ** 20;
const MOST_CANDIDATES = 64;
/** Share of long packets, and of the most records that they have. */
const LONG = 0.001;
const LONG_RECORDS = 900;

/** EGTS. */
export const egtsParser: StreamParser = {
  ...{ protocol: 'egts', makeFrame, changeLength, repair, findSound, sharedBytes: 0 },
  mayBeLost: (stream) =>
    stream.length > MOST_DAMAGED_BYTES || headersIn(stream).length > MOST_CANDIDATES,
  endless: [
    Buffer.from([1]),
    Buffer.from([1, 0, 0, 11]),
    Buffer.from([0]),
    // The header of the longest packet, with a right checksum: a reader waits for its rest.
    repair(Buffer.from([1, 0, 0, 11, 0, 0xf0, 0xff, 1, 0, 1, 0])),
  ],
  // A packet, and the bytes that a socket gives at once.
  ...{ mostKeptBytes: 2 * MOST_PACKET_BYTES, mostDamagedBytes: MOST_DAMAGED_BYTES },
  open: openLink,
};

function makeFrame(chance: Chance): Buffer {
  const most = chance.happens(LONG) ? LONG_RECORDS : 4;
  const records = Array.from({ length: whole(chance, 0, most) }, () => makeRecord(chance));
  const route = { from: whole(chance, 0, 0xffff), to: 1, hops: 3 };
  return egtsData(whole(chance, 0, 0xffff), records, {
    ...(chance.happens(0.1) && { route }),
    ...(chance.happens(0.1) && { signature: Buffer.from('signed') }),
  });
}

function makeRecord(chance: Chance): EgtsRecord {
  const isSignIn = chance.happens(0.1);
  const subrecords = Array.from({ length: whole(chance, 0, 3) }, () => makeSubrecord(chance));
  return {
    ...{ number: whole(chance, 0, 0xffff), service: isSignIn ? SERVICE.auth : SERVICE.teledata },
    ...(chance.happens(0.7) && { object: makeObject(chance) }),
    ...(chance.happens(0.3) && { seconds: whole(chance, 0, 0xffff_ffff) }),
    subrecords: isSignIn
      ? [identitySubrecord({ number: 7, imei: '866104029690008', isSimple: true }), ...subrecords]
      : subrecords,
  };
}

// Some are of a bus of the run over sockets: what they tell is stored.
const makeObject = (chance: Chance): number =>
  chance.happens(0.5) ? FIRST_OBJECT.egts + 1 : whole(chance, 0, 0xffff_ffff);

function makeSubrecord(chance: Chance): EgtsSubrecord {
  const kind = chance.choose([5, 3, 1, 1]);
  if (kind === 0) {
    return positionSubrecord({
      timeMs: Date.UTC(2010) + whole(chance, 0, 0xffff_ffff) * 1000,
      latitude: chance.between(-90, 90),
      longitude: chance.between(-180, 180),
      speedKmh: chance.between(0, 120),
      course: whole(chance, 0, 359),
      isValid: chance.happens(0.8),
    });
  }
  if (kind === 1) {
    const some = (): [number, number] => [whole(chance, 0, 255), whole(chance, 0, 255)];
    return countsSubrecord({ module: whole(chance, 0, 0xffff), doors: { 1: some(), 8: some() } });
  }
  if (kind === 2) {
    return precisionSubrecord({ satellites: whole(chance, 0, 99), hdop: chance.between(0, 99) });
  }
  const data = Buffer.from(
    Array.from({ length: whole(chance, 0, 30) }, () => whole(chance, 0, 255)),
  );
  return { type: whole(chance, 0, 255), data };
}

// The length is that of the packet, or of the first record or subrecord behind a header of the usual length.
function changeLength(chance: Chance, frame: Buffer): Buffer {
  const at = pick(chance, [3, LENGTH_AT, 11, 19, 23]);
  if (at + 2 > frame.length) return frame;
  const changed = Buffer.from(frame);
  const near = changed.readUInt16LE(at) + whole(chance, -8, 8);
  changed.writeUInt16LE((chance.happens(0.6) ? near : whole(chance, 0, 0xffff)) & 0xffff, at);
  return changed;
}

function repair(frame: Buffer): Buffer {
  const headerBytes = frame[3] ?? 0;
  if (headerBytes < 11 || headerBytes > frame.length) return frame;
  const repaired = Buffer.from(frame);
  repaired[headerBytes - 1] = checksum(repaired.subarray(0, headerBytes - 1), 0x31, 8);
  const end = headerBytes + repaired.readUInt16LE(LENGTH_AT);
  if (end + 2 > repaired.length || end === headerBytes) return repaired;
  repaired.writeUInt16LE(checksum(repaired.subarray(headerBytes, end), 0x1021, 16), end);
  return repaired;
}

/** The places of a stream where a header with a right checksum is. */
function headersIn(stream: Buffer): { readonly start: number; readonly dataAt: number }[] {
  const headers: { start: number; dataAt: number }[] = [];
  for (let start = stream.indexOf(1); start >= 0; start = stream.indexOf(1, start + 1)) {
    for (const at of CHECKSUM_AT) {
      if (stream[start + 3] !== at + 1 || start + at >= stream.length) continue;
      const sum = checksum(stream.subarray(start, start + at), 0x31, 8);
      if (sum === stream[start + at]) headers.push({ start, dataAt: start + at + 1 });
    }
  }
  return headers;
}

function findSound(stream: Buffer): SoundFrame[] {
  return headersIn(stream).flatMap(({ start, dataAt }) => {
    const dataEnd = dataAt + stream.readUInt16LE(start + LENGTH_AT);
    const end = dataEnd === dataAt ? dataEnd : dataEnd + 2;
    if (end > stream.length) return [];
    const data = stream.subarray(dataAt, dataEnd);
    if (end > dataEnd && checksum(data, 0x1021, 16) !== stream.readUInt16LE(dataEnd)) return [];
    const [id, type] = [stream.readUInt16LE(start + 7), stream[start + 9] ?? 0];
    const isSigned = type === SIGNED && data.length >= 2;
    const told = isSigned ? data.subarray(2 + data.readUInt16LE(0)) : data;
    return [{ start, end, key: keyOf(id, type, told) }];
  });
}

const keyOf = (id: number, type: number, data: Buffer): string =>
  `${id} ${type} ${data.toString('latin1')}`;

function openLink(chance: Chance): ParserLink {
  const reader = createPacketReader();
  const answers = createAnswers();
  const settings = {
    counts: pick(chance, ['delta', 'cumulative'] as const),
    raw_flag: pick(chance, ['low', 'high', 'inverted'] as const),
    module_bytes: pick(chance, ['little', 'big'] as const),
  };

  function decode({ id, result, type, data }: ReadPacket): void {
    const { records } = readRecords(type === PACKET.response ? Buffer.alloc(0) : data);
    const confirmed = records.map((record) => {
      if (record.receiver === SERVICE.auth) {
        for (const one of readSubrecords(record.data) ?? []) {
          readTerminalIds(one.data);
          isPlatformIdentity(one.data);
        }
        return { record, result: RESULT.ok };
      }
      const read = readUnitRecords(record, settings);
      if (typeof read === 'number') return { record, result: read };
      for (const one of read.records) checkRecord(one, settings.counts === 'cumulative' ? 0 : 1);
      return { record, result: RESULT.ok };
    });
    const answer = answers.response(id, result, confirmed);
    if (answer.length > MOST_PACKET_BYTES) throw new Error(`an answer of ${answer.length} bytes`);
  }

  function readAll(): string[] {
    const keys: string[] = [];
    for (let packet = reader.next(); packet !== undefined; packet = reader.next()) {
      decode(packet);
      if (packet.result === RESULT.ok) keys.push(keyOf(packet.id, packet.type, packet.data));
    }
    return keys;
  }

  return {
    push: (bytes) => {
      reader.push(bytes);
      return readAll();
    },
    giveUp: () => {
      if (reader.partBytes() === 0) return undefined;
      reader.giveUpPart();
      return readAll();
    },
    isLost: () => reader.isLost(),
    close: () => undefined,
  };
}
