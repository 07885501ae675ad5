// A record of the telemetry service tells where the object was, and who got on and off.
import { EPOCH_MS, FULL_SCALE, SUBRECORD } from './codes.ts';
import type { Subrecord } from './data-records.ts';

const POSITION_BYTES = 21;
/** As in the contract of the unit interface; a faster bus, or a course beyond the circle, is a faulty receiver. */
const MOST = { speedKmh: 400, course: 360, satellites: 99, hdop: 100 } as const;

/** A moment of a record, with a position if it has one. */
export interface Moment {
  /** s since 2010 UTC; null: unknown. */
  readonly seconds: number | null;
  readonly position: EgtsPosition | null;
  /** Subrecords with counts, as they came. */
  readonly counts: readonly Buffer[];
}

export interface EgtsPosition {
  /** Null without a valid fix. */
  readonly place: { readonly latitude: number; readonly longitude: number } | null;
  readonly speedKmh: number | null;
  /** Degrees clockwise from north. */
  readonly course: number | null;
  readonly satellites: number | null;
  readonly hdop: number | null;
}

/** ms since 1970 UTC. @param seconds of EGTS */
export const msOf = (seconds: number): number => EPOCH_MS + seconds * 1000;

/**
 * Reads the moments of a record. A position begins one; extensions and counts belong to the position before them.
 * @param seconds the time of the record, for counts without a position
 * @returns undefined when a subrecord is too short for its kind
 */
export function readMoments(
  subrecords: readonly Subrecord[],
  seconds: number | null,
): Moment[] | undefined {
  const moments: { seconds: number | null; position: EgtsPosition | null; counts: Buffer[] }[] = [];
  const early: Buffer[] = [];
  for (const { type, data } of subrecords) {
    const current = moments.at(-1);
    if (type === SUBRECORD.position) {
      if (data.length < POSITION_BYTES) return undefined;
      moments.push({ seconds: data.readUInt32LE(0), position: readPosition(data), counts: [] });
    } else if (type === SUBRECORD.extendedPosition) {
      const extension = readExtension(data);
      if (extension === undefined) return undefined;
      if (current?.position) current.position = { ...current.position, ...extension };
    } else if (type === SUBRECORD.passengers) {
      (current?.counts ?? early).push(data);
    }
  }
  if (early.length === 0) return moments;
  const [first] = moments;
  if (first !== undefined) first.counts.unshift(...early);
  else moments.push({ seconds, position: null, counts: early });
  return moments;
}

function readPosition(data: Buffer): EgtsPosition {
  const flags = data[12] ?? 0;
  const speed = data.readUInt16LE(13);
  const speedKmh = (speed & 0x3fff) / 10;
  const course = (data[15] ?? 0) + ((speed & 0x8000) === 0 ? 0 : 256);
  const latitude = (data.readUInt32LE(4) / FULL_SCALE) * 90;
  const longitude = (data.readUInt32LE(8) / FULL_SCALE) * 180;
  const isValid = (flags & 0x01) !== 0;
  return {
    place: isValid
      ? {
          latitude: (flags & 0x20) === 0 ? latitude : -latitude,
          longitude: (flags & 0x40) === 0 ? longitude : -longitude,
        }
      : null,
    speedKmh: speedKmh > MOST.speedKmh ? null : speedKmh,
    course: course > MOST.course ? null : course,
    satellites: null,
    hdop: null,
  };
}

function readExtension(data: Buffer): Pick<EgtsPosition, 'satellites' | 'hdop'> | undefined {
  const flags = data[0];
  if (flags === undefined) return undefined;
  const has = (flag: number, bytes: number): number => ((flags & flag) === 0 ? 0 : bytes);
  const hdopAt = 1 + has(0x01, 2);
  const satellitesAt = hdopAt + has(0x02, 2) + has(0x04, 2);
  if (data.length < satellitesAt + has(0x08, 1) + has(0x10, 2)) return undefined;
  const hdop = has(0x02, 2) === 0 ? null : data.readUInt16LE(hdopAt) / 100;
  const satellites = has(0x08, 1) === 0 ? null : (data[satellitesAt] ?? null);
  return {
    hdop: hdop === null || hdop > MOST.hdop ? null : hdop,
    satellites: satellites === null || satellites > MOST.satellites ? null : satellites,
  };
}
