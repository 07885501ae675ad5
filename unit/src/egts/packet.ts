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
  /** The number of an event; the server has no use for it. */
  readonly event?: number;
  /** Whether the sender is a device; false: a platform. */
  readonly isFromDevice?: boolean;
  /** 0 is the highest of four. */
  readonly priority?: number;
  readonly subrecords: readonly EgtsSubrecord[];
}

/** The optional parts of a packet. */
export interface EgtsHeader {
  /** 0 is the highest of four. */
  readonly priority?: number;
  /** Addresses of the platforms between which it is passed on, and how many more it may pass. */
  readonly route?: { readonly from: number; readonly to: number; readonly hops: number };
  /** Bytes that sign the records. */
  readonly signature?: Buffer;
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
  /** m; below the level of the sea if negative. */
  readonly altitudeM?: number;
  /** A value that belongs to the source, two bytes with a sign. */
  readonly sourceData?: number;
  /** Whether the fix has an altitude; the ellipsoid is that of PZ-90.02; the position was kept while there was no link. */
  readonly is3d?: boolean;
  readonly isPz90?: boolean;
  readonly isFromBlackBox?: boolean;
}

/** People at the doors of a counter module, by door from 1. */
export interface EgtsCounts {
  readonly module: number;
  readonly doors: Readonly<Record<number, readonly [entered: number, exited: number]>>;
  /** Those that opened since the last counts; all unless given. */
  readonly opened?: readonly number[];
  /** How a device departs from the standard: its flags, and the order of the module's bytes. */
  readonly flags?: number;
  readonly moduleBytes?: 'little' | 'big';
}

const EPOCH_MS = Date.UTC(2010);
const FULL_SCALE = 0xffff_ffff;

/** s since 2010 UTC. @param timeMs ms since 1970 UTC */
export const egtsSeconds = (timeMs: number): number => Math.floor((timeMs - EPOCH_MS) / 1000);

/** The bytes of a packet with data. */
export function egtsPacket(
  id: number,
  type: number,
  data: Buffer,
  { priority = 0, route }: EgtsHeader = {},
): Buffer {
  const flags = priority | (route === undefined ? 0 : 0x20);
  const fields = Buffer.from([1, 0, flags, 11, 0, 0, 0, 0, 0, type]);
  fields.writeUInt16LE(data.length, 5);
  fields.writeUInt16LE(id, 7);
  const header = route === undefined ? fields : Buffer.concat([fields, routeBytes(route)]);
  header[3] = header.length + 1;
  const headed = Buffer.concat([header, Buffer.from([checksum(header, 0x31, 8)])]);
  return data.length === 0
    ? headed
    : Buffer.concat([headed, data, u16(checksum(data, 0x1021, 16))]);
}

function routeBytes({ from, to, hops }: NonNullable<EgtsHeader['route']>): Buffer {
  return Buffer.concat([u16(from), u16(to), Buffer.from([hops])]);
}

/** The bytes of a packet with records. */
export function egtsData(
  id: number,
  records: readonly EgtsRecord[],
  header: EgtsHeader = {},
): Buffer {
  const data = records.map(recordBytes);
  const { signature } = header;
  if (signature === undefined) return egtsPacket(id, 1, Buffer.concat(data), header);
  return egtsPacket(id, 2, Buffer.concat([u16(signature.length), signature, ...data]), header);
}

function recordBytes(record: EgtsRecord): Buffer {
  const { number, service, object, event, seconds, priority = 0, isFromDevice = true } = record;
  const data = Buffer.concat(
    record.subrecords.map((subrecord) =>
      Buffer.concat([
        Buffer.from([subrecord.type]),
        u16(subrecord.data.length),
        Buffer.from(subrecord.data),
      ]),
    ),
  );
  const isSaid = (value: number | undefined, flag: number) => (value === undefined ? 0 : flag);
  const fields = isSaid(object, 1) | isSaid(event, 2) | isSaid(seconds, 4);
  const flags = (isFromDevice ? 0x80 : 0) | (priority << 3) | fields;
  const optional = [object, event, seconds].flatMap((value) =>
    value === undefined ? [] : [u32(value)],
  );
  const first = [u16(data.length), u16(number), Buffer.from([flags])];
  return Buffer.concat([...first, ...optional, Buffer.from([service, service]), data]);
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

/** Subrecord 16. */
export function positionSubrecord(position: EgtsPosition): EgtsSubrecord {
  const { timeMs, latitude, longitude, speedKmh = 0, course = 0, altitudeM, sourceData } = position;
  const data = Buffer.alloc(21);
  data.writeUInt32LE(egtsSeconds(timeMs), 0);
  data.writeUInt32LE(Math.trunc((Math.abs(latitude) / 90) * FULL_SCALE), 4);
  data.writeUInt32LE(Math.trunc((Math.abs(longitude) / 180) * FULL_SCALE), 8);
  data[12] = positionFlags(position);
  const whole = Math.round(course);
  const isBelowSea = altitudeM !== undefined && altitudeM < 0;
  const bits = (isBelowSea ? 0x4000 : 0) | (whole > 255 ? 0x8000 : 0);
  data.writeUInt16LE(Math.round(speedKmh * 10) | bits, 13);
  data[15] = whole & 0xff;
  data.writeUIntLE(Math.round((position.odometerKm ?? 0) * 10), 16, 3);
  data[19] = position.inputs ?? 0;
  data[20] = position.source ?? 0;
  const altitude = u32(Math.abs(Math.round(altitudeM ?? 0))).subarray(0, 3);
  const more = [
    ...(altitudeM === undefined ? [] : [altitude]),
    ...(sourceData === undefined ? [] : [u16(sourceData & 0xffff)]),
  ];
  return { type: 16, data: Buffer.concat([data, ...more]) };
}

function positionFlags(position: EgtsPosition): number {
  const { latitude, longitude, speedKmh = 0, isValid = true, is3d = isValid } = position;
  const flags: readonly (readonly [boolean | undefined, number])[] = [
    [isValid, 0x01],
    [is3d, 0x02],
    [position.isPz90, 0x04],
    [position.isFromBlackBox, 0x08],
    [speedKmh > 0, 0x10],
    [latitude < 0, 0x20],
    [longitude < 0, 0x40],
    [position.altitudeM !== undefined, 0x80],
  ];
  return flags.reduce((bits, [isSet, flag]) => (isSet ? bits | flag : bits), 0);
}

/** Subrecord 28, by door. */
export function countsSubrecord(counts: EgtsCounts): EgtsSubrecord {
  const { module, doors, flags = 0, moduleBytes = 'little' } = counts;
  const numbers = Object.keys(doors)
    .map(Number)
    .sort((a, b) => a - b);
  const head = Buffer.from([flags, bitsOf(numbers), bitsOf(counts.opened ?? numbers), 0, 0]);
  if (moduleBytes === 'little') head.writeUInt16LE(module, 3);
  else head.writeUInt16BE(module, 3);
  return {
    type: 28,
    data: Buffer.concat([head, Buffer.from(numbers.flatMap((n) => doors[n] ?? []))]),
  };
}

const bitsOf = (doors: readonly number[]): number =>
  doors.reduce((bits, door) => bits | (1 << (door - 1)), 0);

/**
 * A checksum bit by bit, as the standard defines it: of a header 8 bits and the polynomial 0x31, of data 16 bits and
 * 0x1021.
 */
export function checksum(bytes: Buffer, polynomial: number, bits: 8 | 16): number {
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
