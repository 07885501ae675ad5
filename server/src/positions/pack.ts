// The packed form of a unit's five minutes: columns of differences as variable-length integers (zigzag if signed),
// about 10 bytes a point at 1 Hz. Points are ordered by (sent time, stream, number), so that the bytes do not depend on
// the order of arrival.

/** A stored position. */
export interface StoredPoint {
  /** As the unit sent it, ms since 1970 UTC. */
  readonly sentMs: number;
  /** Correction to add, ms. */
  readonly offsetMs: number;
  /** Row of unit_streams, and the number in it. */
  readonly streamId: number;
  readonly seq: number;
  /** Millionths of a degree. */
  readonly latitudeE6: number;
  readonly longitudeE6: number;
  /** Tenths of km/h, whole degrees, count, tenths; null where the unit sent no value. */
  readonly speedE1: number | null;
  readonly course: number | null;
  readonly satellites: number | null;
  readonly hdopE1: number | null;
}

const VERSION = 1;
/** Bytes of the longest number, 2^55; of a usual point; of version, count and constant columns. */
const MOST_NUMBER = 8;
/**
 * Steps below the first are exact numbers of JavaScript in all that is made of them, and coded in less than the second, bytes.
 * The differences of others have up to 55 bits.
 */
const LONG_STEP = 2 ** 47;
const LONG_BYTES = 8;
const USUAL = 12;
const MOST_HEAD = 64;
const numberOf = (value: number | null): number => (value === null ? 0 : value + 1);
const nullableOf = (value: number): number | null => (value === 0 ? null : value - 1);

type Column = {
  readonly get: (point: StoredPoint) => number;
  /** How often differences are taken: 2 for evenly changing values. */
  readonly order: 1 | 2;
};

const columns = {
  sentMs: { get: (point) => point.sentMs, order: 2 },
  offsetMs: { get: (point) => point.offsetMs, order: 1 },
  streamId: { get: (point) => point.streamId, order: 1 },
  seq: { get: (point) => point.seq, order: 2 },
  latitudeE6: { get: (point) => point.latitudeE6, order: 1 },
  longitudeE6: { get: (point) => point.longitudeE6, order: 1 },
  speed: { get: (point) => numberOf(point.speedE1), order: 1 },
  course: { get: (point) => numberOf(point.course), order: 1 },
  satellites: { get: (point) => numberOf(point.satellites), order: 1 },
  hdop: { get: (point) => numberOf(point.hdopE1), order: 1 },
} as const satisfies Record<string, Column>;

type ColumnName = keyof typeof columns;
const names = Object.keys(columns) as ColumnName[];

/** Packs points, in any order. */
export function packPoints(points: readonly StoredPoint[]): Buffer {
  const ordered = [...points].sort(
    (a, b) => a.sentMs - b.sentMs || a.streamId - b.streamId || a.seq - b.seq,
  );
  const out: Writer = { bytes: Buffer.allocUnsafe(MOST_HEAD + ordered.length * USUAL), at: 0 };
  writeUnsigned(out, VERSION);
  writeUnsigned(out, ordered.length);
  for (const name of names) {
    const { get, order } = columns[name];
    writeColumn(out, ordered, get, order);
  }
  return out.bytes.subarray(0, out.at);
}

/** The columns of packed points as encoded: 0 is a missing value, 1 is 0. */
export type PackedColumns = Readonly<Record<ColumnName, readonly number[]>>;

/**
 * Unpacks the columns, for callers that need few columns of many points.
 * @throws Error when the bytes are not of this form
 */
export function unpackColumns(bytes: Buffer): PackedColumns {
  const reader = { bytes, at: 1 };
  if (bytes[0] !== VERSION)
    throw new Error(`Packed positions have the unknown version ${bytes[0]}.`);
  const count = readUnsigned(reader);
  const read = {} as Record<ColumnName, number[]>;
  for (const name of names) read[name] = readColumn(reader, count, columns[name].order);
  return read;
}

/** Unpacks points. @throws Error when the bytes are not of this form */
export function unpackPoints(bytes: Buffer): StoredPoint[] {
  const read = unpackColumns(bytes);
  const at = (name: ColumnName, index: number): number => read[name][index] ?? 0;
  return Array.from({ length: read.sentMs.length }, (_, index) => ({
    sentMs: at('sentMs', index),
    offsetMs: at('offsetMs', index),
    streamId: at('streamId', index),
    seq: at('seq', index),
    latitudeE6: at('latitudeE6', index),
    longitudeE6: at('longitudeE6', index),
    speedE1: nullableOf(at('speed', index)),
    course: nullableOf(at('course', index)),
    satellites: nullableOf(at('satellites', index)),
    hdopE1: nullableOf(at('hdop', index)),
  }));
}

/** Bytes that grow. */
interface Writer {
  bytes: Buffer;
  at: number;
}

interface Reader {
  readonly bytes: Buffer;
  at: number;
}

// A constant column costs two numbers: its value and the length of the run of zeros.
function writeColumn(
  out: Writer,
  points: readonly StoredPoint[],
  get: Column['get'],
  order: Column['order'],
): void {
  let [before, stepBefore, zeros] = [0, 0, 0];
  for (const point of points) {
    const value = get(point);
    const step = value - before;
    const taken = order === 2 ? stepBefore : 0;
    before = value;
    stepBefore = step;
    if (step === taken) {
      zeros += 1;
      continue;
    }
    writeZeros(out, zeros);
    zeros = 0;
    if (Math.max(Math.abs(step), Math.abs(taken)) >= LONG_STEP) {
      writeLong(out, BigInt(step) - BigInt(taken));
    } else {
      const difference = step - taken;
      writeUnsigned(out, difference > 0 ? 2 * difference : -2 * difference - 1);
    }
  }
  writeZeros(out, zeros);
}

function writeZeros(out: Writer, zeros: number): void {
  if (zeros === 0) return;
  writeUnsigned(out, 0);
  writeUnsigned(out, zeros);
}

function readColumn(reader: Reader, count: number, order: Column['order']): number[] {
  const values: number[] = [];
  let [value, step, zeros] = [0, 0, 0];
  while (values.length < count) {
    const taken = order === 2 ? step : 0;
    step = taken;
    if (zeros > 0) zeros -= 1;
    else {
      const { at } = reader;
      const coded = readUnsigned(reader);
      if (coded === 0) zeros = readUnsigned(reader) - 1;
      else if (reader.at - at >= LONG_BYTES) step = Number(BigInt(taken) + longFrom(reader, at));
      else step += coded % 2 === 0 ? coded / 2 : -(coded + 1) / 2;
    }
    value += step;
    values.push(value);
  }
  return values;
}

// Seven bits a byte, the lowest first; by division, because values pass 2^32.
function writeUnsigned(out: Writer, value: number): void {
  makeRoom(out);
  let rest = value;
  while (rest >= 128) {
    out.bytes[out.at] = (rest % 128) + 128;
    out.at += 1;
    rest = Math.floor(rest / 128);
  }
  out.bytes[out.at] = rest;
  out.at += 1;
}

// The same form, of a difference that may have 55 bits.
function writeLong(out: Writer, difference: bigint): void {
  makeRoom(out);
  let rest = difference > 0n ? 2n * difference : -2n * difference - 1n;
  while (rest >= 128n) {
    out.bytes[out.at] = Number(rest % 128n) + 128;
    out.at += 1;
    rest /= 128n;
  }
  out.bytes[out.at] = Number(rest);
  out.at += 1;
}

function makeRoom(out: Writer): void {
  if (out.at + MOST_NUMBER <= out.bytes.length) return;
  out.bytes = Buffer.concat([out.bytes, Buffer.allocUnsafe(out.bytes.length)]);
}

// The difference that was read last, exactly.
function longFrom({ bytes, at }: Reader, from: number): bigint {
  let coded = 0n;
  for (const byte of bytes.subarray(from, at).toReversed())
    coded = coded * 128n + BigInt(byte % 128);
  return coded % 2n === 0n ? coded / 2n : -(coded + 1n) / 2n;
}

function readUnsigned(reader: Reader): number {
  let value = 0;
  let scale = 1;
  for (;;) {
    const byte = reader.bytes[reader.at];
    if (byte === undefined) throw new Error('Packed positions are truncated.');
    reader.at += 1;
    value += (byte % 128) * scale;
    if (byte < 128) return value;
    scale *= 128;
  }
}
