// The bodies of a terminal's messages.
import { type Jt808Form, u16 } from './message.ts';

/** Ids of a terminal's messages. */
export const JT808 = {
  answer: 0x0001,
  heartbeat: 0x0002,
  signOff: 0x0003,
  register: 0x0100,
  signIn: 0x0102,
  location: 0x0200,
  locations: 0x0704,
  passengerFlow: 0x1005,
} as const;

export interface Jt808Location {
  /** ms since 1970 UTC, whole seconds. */
  readonly timeMs: number;
  readonly latitude: number;
  readonly longitude: number;
  readonly speedKmh?: number;
  /** Degrees clockwise from north. */
  readonly course?: number;
  readonly satellites?: number;
  /** False without a fix. */
  readonly isValid?: boolean;
  readonly odometerKm?: number;
  readonly alarms?: number;
  /** Channels without a video signal, channel 1 in the lowest bit; undefined: not told. */
  readonly lostChannels?: number;
}

/** The people who passed in an interval, ms since 1970 UTC, whole seconds. */
export interface Jt808Flow {
  readonly startMs: number;
  readonly endMs: number;
  readonly entered: number;
  readonly exited: number;
}

const HOUR_MS = 3_600_000;

/** A time in half bytes. @param clockHours how far the terminal's clock is ahead of UTC */
export function bcdTime(timeMs: number, clockHours: number): Buffer {
  const digits = new Date(timeMs + clockHours * HOUR_MS).toISOString().replaceAll(/\D/g, '');
  return Buffer.from(digits.slice(2, 14), 'hex');
}

/** The body of a position (0x0200), with mileage, signal and satellites. */
export function locationBody(location: Jt808Location, clockHours = 8): Buffer {
  const { latitude, longitude, speedKmh = 0, course = 0, isValid = true } = location;
  const first = Buffer.alloc(22);
  first.writeUInt32BE(location.alarms ?? 0, 0);
  const status = 1 | (isValid ? 2 : 0) | (latitude < 0 ? 4 : 0) | (longitude < 0 ? 8 : 0);
  first.writeUInt32BE(status, 4);
  first.writeUInt32BE(Math.round(Math.abs(latitude) * 1e6), 8);
  first.writeUInt32BE(Math.round(Math.abs(longitude) * 1e6), 12);
  first.writeUInt16BE(Math.round(speedKmh * 10), 18);
  first.writeUInt16BE(Math.round(course), 20);
  const mileage = Buffer.from([0x01, 4, 0, 0, 0, 0]);
  mileage.writeUInt32BE(Math.round((location.odometerKm ?? 0) * 10), 2);
  const { satellites } = location;
  const extras = [mileage, Buffer.from([0x30, 1, 25])];
  if (satellites !== undefined) extras.push(Buffer.from([0x31, 1, satellites]));
  if (location.lostChannels !== undefined) {
    const lost = Buffer.from([0x15, 4, 0, 0, 0, 0]);
    lost.writeUInt32BE(location.lostChannels, 2);
    extras.push(lost);
  }
  return Buffer.concat([first, bcdTime(location.timeMs, clockHours), ...extras]);
}

/** The body of several positions (0x0704). @param isLate recorded without a connection */
export function batchBody(locations: readonly Buffer[], isLate = true): Buffer {
  return Buffer.concat([
    u16(locations.length),
    Buffer.from([isLate ? 1 : 0]),
    ...locations.flatMap((location) => [u16(location.length), location]),
  ]);
}

/** The message of positions: one alone, several in a batch. @param locations their bodies, one at least */
export function locationsMessage(locations: readonly Buffer[]): { id: number; body: Buffer } {
  const [only] = locations;
  return only !== undefined && locations.length === 1
    ? { id: JT808.location, body: only }
    : { id: JT808.locations, body: batchBody(locations) };
}

/** The body of a passenger flow (0x1005). */
export function flowBody({ startMs, endMs, entered, exited }: Jt808Flow, clockHours = 8): Buffer {
  return Buffer.concat([
    ...[bcdTime(startMs, clockHours), bcdTime(endMs, clockHours), u16(entered, exited)],
  ]);
}

/** The body of a registration (0x0100): places, maker, model, device and a number plate, which the server does not need. */
export function registerBody(form: Jt808Form): Buffer {
  const [maker, model, device] = form === '2019' ? [11, 30, 30] : [5, 20, 7];
  return Buffer.concat([
    ...[u16(0, 0), padded('RIDEW', maker), padded('test', model), padded('1', device)],
    ...[Buffer.from([0]), Buffer.from('A000AA', 'latin1')],
  ]);
}

/** The body of a sign-in (0x0102). */
export function signInBody(form: Jt808Form, code: string): Buffer {
  const bytes = Buffer.from(code, 'latin1');
  if (form === '2013') return bytes;
  return Buffer.concat([
    ...[Buffer.from([bytes.length]), bytes, padded('866104029690008', 15), padded('1.0', 20)],
  ]);
}

/** The body of an answer to a message of the server (0x0001). */
export const answerBody = (serial: number, id: number, result: number): Buffer =>
  Buffer.concat([u16(serial, id), Buffer.from([result])]);

function padded(text: string, bytes: number): Buffer {
  return Buffer.concat([Buffer.from(text, 'latin1'), Buffer.alloc(bytes)]).subarray(0, bytes);
}
