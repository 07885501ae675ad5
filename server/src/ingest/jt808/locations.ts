// Reads positions of terminals: message 0x0200, and each item of a batch 0x0704.
import type { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { positionNumber, timelessNumbers } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/store-told.ts';
import { readTime, TIME_BYTES, UNKNOWN_TIME_MS } from './bcd.ts';

/** Alarms, status, latitude, longitude, altitude, speed, course, time. */
const TIME_AT = 22;
const FIRST_BYTES = TIME_AT + TIME_BYTES;
const STATUS = { fix: 0x02, south: 0x04, west: 0x08 } as const;
const SATELLITES = 0x31;
/** The number of items of a batch, and its type: the present, or what was recorded without a connection. */
const BATCH_BYTES = 3;
/** As in the contract of the unit interface; a faster bus, or a course beyond the circle, is a faulty receiver. */
const MOST = { latitude: 90, longitude: 180, speedKmh: 400, course: 360, satellites: 99 } as const;

/**
 * Reads a location.
 * @returns its position, of UNKNOWN_TIME_MS when its time is no date; nothing of one without fix and time, as before the
 *   first fix; undefined when there is no such place
 */
export function readLocation(
  body: Buffer,
  { clock_hours }: Pick<Jt808Settings, 'clock_hours'>,
): ToldRecord[] | undefined {
  if (body.length < FIRST_BYTES) return undefined;
  const status = body.readUInt32BE(4);
  const hasFix = (status & STATUS.fix) !== 0;
  const sentMs = readLocationTime(body, { clock_hours });
  if (sentMs === undefined && !hasFix) return [];
  const latitude = body.readUInt32BE(8) / 1e6;
  const longitude = body.readUInt32BE(12) / 1e6;
  if (hasFix && (latitude > MOST.latitude || longitude > MOST.longitude)) return undefined;
  const place = {
    latitude: (status & STATUS.south) === 0 ? latitude : -latitude,
    longitude: (status & STATUS.west) === 0 ? longitude : -longitude,
  };
  const within = (value: number | undefined, most: number): number | null =>
    value === undefined || value > most ? null : value;
  const seq = sentMs === undefined ? timelessNumbers(body).position : positionNumber(sentMs);
  return [
    {
      ...{ type: 'position', seq, sentMs: sentMs ?? UNKNOWN_TIME_MS },
      place: hasFix ? place : null,
      speedKmh: within(body.readUInt16BE(18) / 10, MOST.speedKmh),
      course: within(body.readUInt16BE(20), MOST.course),
      satellites: within(readExtras(body).get(SATELLITES)?.[0], MOST.satellites),
      hdop: null,
    },
  ];
}

/** Reads the time of a location, ms since 1970 UTC; undefined when it is no date. It throws nothing. */
export function readLocationTime(
  body: Buffer,
  { clock_hours }: Pick<Jt808Settings, 'clock_hours'>,
): number | undefined {
  return readTime(body, TIME_AT, clock_hours);
}

/** Reads the extras of a location by their ids, as far as their lengths fit. Of two with one id the last holds. */
export function readExtras(body: Buffer): Map<number, Buffer> {
  const extras = new Map<number, Buffer>();
  let at = FIRST_BYTES;
  while (at + 2 <= body.length) {
    const end = at + 2 + (body[at + 1] ?? 0);
    if (end > body.length) break;
    extras.set(body[at] ?? 0, body.subarray(at + 2, end));
    at = end;
  }
  return extras;
}

/**
 * Cuts a batch into locations: how many there are, a type, and for each its length and its bytes. Their number is not
 * believed: none that is there is left out.
 * @returns also an item that is cut off, which no reader takes; undefined when not even number and type are there
 */
export function readBatch(body: Buffer): Buffer[] | undefined {
  if (body.length < BATCH_BYTES) return undefined;
  const items: Buffer[] = [];
  for (let at = BATCH_BYTES; at < body.length; ) {
    const end = at + 2 + (at + 2 > body.length ? 0 : body.readUInt16BE(at));
    // A cut one is no location, even if its beginning looks like one.
    items.push(end <= body.length ? body.subarray(at + 2, end) : body.subarray(body.length));
    at = end;
  }
  return items;
}
