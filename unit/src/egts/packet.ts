// Packets as a unit of EGTS builds them (GOST 33472-2015, annexes Б and В). It shares nothing with the server: each reads
// the standard by itself.

/** Subrecords with their data. */
export interface EgtsSubrecord {
  readonly type: number;
  readonly data: Buffer;
}

export interface EgtsRecord {
  readonly number: number;
  readonly service: number;
  /** The object; undefined: the unit that has signed in, or the one of the record before. */
  readonly object?: number;
  /** s since 2010 UTC. */
  readonly seconds?: number;
  readonly subrecords: readonly EgtsSubrecord[];
}

export interface EgtsPosition {
  /** ms since 1970 UTC, whole seconds. */
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh?: number;
  /** Degrees clockwise from north. */
  readonly course?: number;
  /** False without a valid fix. */
  readonly isValid?: boolean;
  readonly odometerKm?: number;
  readonly source?: number;
  readonly inputs?: number;
}

/** People at the doors of a counter module, by door from 1. */
export interface EgtsCounts {
  readonly module: number;
  readonly doors: Readonly<Record<number, readonly [entered: number, exited: number]>>;
}

const EPOCH_MS = Date.UTC(2010);
const FULL_SCALE = 0xffff_ffff;

/** s since 2010 UTC. @param timeMs ms since 1970 UTC */
export const egtsSeconds = (timeMs: number): number => Math.floor((timeMs - EPOCH_MS) / 1000);

/** The bytes of a packet with data. */
export function egtsPacket(id: number, type: number, data: Buffer): Buffer {
  const header = Buffer.from([1, 0, 0, 11, 0, 0, 0, 0, 0, type]);
  header.writeUInt16LE(data.length, 5);
  header.writeUInt16LE(id, 7);
  const headed = Buffer.concat([header, Buffer.from([checksum(header, 0x31, 8)])]);
  if (data.length === 0) return headed;
  const end = Buffer.alloc(2);
  end.writeUInt16LE(checksum(data, 0x1021, 16));
  return Buffer.concat([headed, data, end]);
}

/** The bytes of a packet with records. */
export function egtsData(id: number, records: readonly EgtsRecord[]): Buffer {
  return egtsPacket(id, 1, Buffer.concat(records.map(recordBytes)));
}

function recordBytes({ number, service, object, seconds, subrecords }: EgtsRecord): Buffer {
  const data = Buffer.concat(
    subrecords.map((subrecord) => {
      const head = Buffer.from([subrecord.type, 0, 0]);
      head.writeUInt16LE(subrecord.data.length, 1);
      return Buffer.concat([head, subrecord.data]);
    }),
  );
  const first = Buffer.alloc(5);
  first.writeUInt16LE(data.length, 0);
  first.writeUInt16LE(number, 2);
  const isSaid = (value: number | undefined, flag: number) => (value === undefined ? 0 : flag);
  first[4] = 0x80 | isSaid(object, 1) | isSaid(seconds, 4);
  const optional = [object, seconds].flatMap((value) => (value === undefined ? [] : [u32(value)]));
  return Buffer.concat([first, ...optional, Buffer.from([service, service]), data]);
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Subrecord 16. */
export function positionSubrecord(position: EgtsPosition): EgtsSubrecord {
  const { timeMs, latitude, longitude, speedKmh = 0, course = 0, isValid = true } = position;
  const data = Buffer.alloc(21);
  data.writeUInt32LE(egtsSeconds(timeMs), 0);
  data.writeUInt32LE(Math.trunc((Math.abs(latitude) / 90) * FULL_SCALE), 4);
  data.writeUInt32LE(Math.trunc((Math.abs(longitude) / 180) * FULL_SCALE), 8);
  const isMoving = speedKmh > 0 ? 0x10 : 0;
  data[12] = (isValid ? 3 : 0) | isMoving | (latitude < 0 ? 0x20 : 0) | (longitude < 0 ? 0x40 : 0);
  const whole = Math.round(course);
  data.writeUInt16LE(Math.round(speedKmh * 10) | (whole > 255 ? 0x8000 : 0), 13);
  data[15] = whole & 0xff;
  data.writeUIntLE(Math.round((position.odometerKm ?? 0) * 10), 16, 3);
  data[19] = position.inputs ?? 0;
  data[20] = position.source ?? 0;
  return { type: 16, data };
}

/** Subrecord 28, by door. */
export function countsSubrecord({ module, doors }: EgtsCounts): EgtsSubrecord {
  const numbers = Object.keys(doors)
    .map(Number)
    .sort((a, b) => a - b);
  const present = numbers.reduce((bits, door) => bits | (1 << (door - 1)), 0);
  const head = Buffer.from([0, present, present, 0, 0]);
  head.writeUInt16LE(module, 3);
  return {
    type: 28,
    data: Buffer.concat([head, Buffer.from(numbers.flatMap((n) => doors[n] ?? []))]),
  };
}

/** Subrecord 1: a terminal's number (0: none) and the IMEI of its modem. */
export function terminalSubrecord(number: number, imei?: string): EgtsSubrecord {
  const data = Buffer.concat([
    u32(number),
    Buffer.from([imei === undefined ? 0x10 : 0x12]),
    Buffer.from(imei ?? '', 'latin1'),
  ]);
  return { type: 1, data };
}

// Bit by bit, as the standard defines it.
function checksum(bytes: Buffer, polynomial: number, bits: 8 | 16): number {
  const top = 1 << (bits - 1);
  let rest = (1 << bits) - 1;
  for (const byte of bytes) {
    rest ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit += 1) {
      rest = ((rest & top) === 0 ? rest << 1 : (rest << 1) ^ polynomial) & ((1 << bits) - 1);
    }
  }
  return rest;
}
