// Packets of a fleet that speaks EGTS, made before the clock runs: each with ten records and both checksums. Units sign in
// by their number, so the packets of many units are the same bytes; a few variants tell a record of another unit apart.
import { crc8, crc16 } from '@ridewatch/server/src/ingest/egts/checksums.ts';
import { drive } from './sample-records.ts';

/** Different drives; unit n has that of n modulo this. */
export const VARIANTS = 16;
/** Records of a packet. */
export const A_FRAME = 10;
/** The moment from which times of EGTS count, s since 1970 UTC. */
export const EPOCH_S = Date.UTC(2010) / 1000;

const FULL_SCALE = 0xffff_ffff;
const HEADER_BYTES = 11;
const CHECKSUM_BYTES = 2;
const SERVICE = { auth: 1, teledata: 2 } as const;
const APPDATA = 1;
const NUMBERS = 0x10000;
/** Distance between the drives of two variants, degrees. */
const APART = 0.01;
/** The shuffles of a disorder begin with this. */
const SEED = 7;

/** A record of a unit: a position, or how many people entered at door 1. */
export interface Made {
  /** s since 1970 UTC. */
  readonly second: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh: number;
  readonly course: number;
  /** People of a count; 0: it is a position. */
  readonly entered: number;
}

/** How the records of a unit are made and in which order they come. */
export interface Work {
  readonly kind: 'positions' | 'counts';
  /** 10 % come late, 2 % are of days ago, 5 % come twice, 1 % of the packets are replayed. */
  readonly isDisordered: boolean;
  /** The first record, s since 1970 UTC; one a second follows. */
  readonly startS: number;
  /** Packets of a unit, replayed ones left out. */
  readonly frames: number;
}

/** The records of a variant in order of time, each once. */
export function recordsOf(work: Work, variant: number): Made[] {
  const count = work.frames * A_FRAME;
  // A twentieth of them come twice.
  const own = work.isDisordered ? Math.floor(count / 1.05) : count;
  return drive(0, own, work.startS * 1000).map((one, n) => {
    const isOld = work.isDisordered && n % 50 === 7;
    return {
      second: work.startS + n - (isOld ? (1 + (n % 3)) * 86_400 : 0),
      latitude: one.latitude + variant * APART,
      longitude: one.longitude,
      speedKmh: one.speed_kmh,
      course: one.course,
      entered: work.kind === 'counts' ? 1 + (n % 3) : 0,
    };
  });
}

/** The packets of a variant in the order of sending. Their ids are their places in it. */
export function framesOf(work: Work, variant: number): Buffer[] {
  const records = recordsOf(work, variant);
  const ordered = work.isDisordered ? disordered(records) : records;
  const bodies = ordered.map((one, n) => recordBytes(n % NUMBERS, one));
  const datas: Buffer[] = [];
  for (let at = 0; at < bodies.length; at += A_FRAME) {
    datas.push(Buffer.concat(bodies.slice(at, at + A_FRAME)));
    if (work.isDisordered && datas.length % 100 === 50) datas.push(datas.at(-9) ?? Buffer.alloc(0));
  }
  return datas.map((data, id) => packet(id % NUMBERS, data));
}

/** The packet by which a unit signs in. */
export function signInFrame(object: number): Buffer {
  const data = Buffer.alloc(5);
  data.writeUInt32LE(object, 0);
  data[4] = 0x10;
  return packet(NUMBERS - 1, record({ number: 0, service: SERVICE.auth, type: 1, data }));
}

// A tenth comes up to two minutes late, a twentieth a second time within that.
function disordered(records: readonly Made[]): Made[] {
  let seed = SEED;
  const next = (): number => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return seed / 2 ** 32;
  };
  const placed = records.flatMap((one, n) => {
    const isLate = n % 10 === 3;
    const place = { at: n + (isLate ? 20 + next() * 100 : 0), one };
    return n % 20 === 11 ? [place, { at: n + 5 + next() * 100, one }] : [place];
  });
  return placed.sort((a, b) => a.at - b.at).map(({ one }) => one);
}

function recordBytes(number: number, made: Made): Buffer {
  const { second, entered } = made;
  return entered > 0
    ? record({
        ...{ number, service: SERVICE.teledata, type: 28, seconds: second - EPOCH_S },
        // Module 1, door 1 of door 1: entered and exited.
        data: Buffer.from([0, 1, 1, 1, 0, entered, 0]),
      })
    : record({ number, service: SERVICE.teledata, type: 16, data: positionBytes(made) });
}

function positionBytes({ second, latitude, longitude, speedKmh, course }: Made): Buffer {
  const data = Buffer.alloc(21);
  data.writeUInt32LE(second - EPOCH_S, 0);
  data.writeUInt32LE(Math.round((latitude / 90) * FULL_SCALE), 4);
  data.writeUInt32LE(Math.round((longitude / 180) * FULL_SCALE), 8);
  data[12] = 3 | (speedKmh > 0 ? 0x10 : 0);
  data.writeUInt16LE(Math.round(speedKmh * 10) | (course > 255 ? 0x8000 : 0), 13);
  data[15] = course & 0xff;
  return data;
}

function record(made: {
  readonly number: number;
  readonly service: number;
  readonly type: number;
  readonly data: Buffer;
  /** s since 2010 UTC. */
  readonly seconds?: number;
}): Buffer {
  const { number, service, type, data, seconds } = made;
  const time = Buffer.alloc(seconds === undefined ? 0 : 4);
  if (seconds !== undefined) time.writeUInt32LE(seconds);
  const head = Buffer.alloc(5);
  head.writeUInt16LE(3 + data.length, 0);
  head.writeUInt16LE(number, 2);
  head[4] = 0x80 | (seconds === undefined ? 0 : 4);
  const subrecord = Buffer.from([service, service, type, 0, 0]);
  subrecord.writeUInt16LE(data.length, 3);
  return Buffer.concat([head, time, subrecord, data]);
}

function packet(id: number, data: Buffer): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES + data.length + CHECKSUM_BYTES);
  bytes.set([1, 0, 0, HEADER_BYTES]);
  bytes.writeUInt16LE(data.length, 5);
  bytes.writeUInt16LE(id, 7);
  bytes[9] = APPDATA;
  bytes[10] = crc8(bytes.subarray(0, 10));
  data.copy(bytes, HEADER_BYTES);
  bytes.writeUInt16LE(crc16(data), HEADER_BYTES + data.length);
  return bytes;
}
