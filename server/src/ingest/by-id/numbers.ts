// Numbers of records in the timed stream, made of their times: a device that restarts begins its own numbers anew, so they
// are no key. All are exact in a number of JavaScript (below 2⁵³).
import { createHash } from 'node:crypto';

/** Numbers count from 2010 UTC, ms since 1970 UTC. */
export const EPOCH_MS = Date.UTC(2010);
/** They begin anew after 136 years, ms: a wrong clock's records have numbers, too, and are kept aside. */
const ROUND_MS = 2 ** 32 * 1000;

/** Counts are above positions of whole seconds, which are seconds in 32 bits; positions between seconds are above both. */
const FIRST_COUNT = 2 ** 33;
const MODULES = 0x10000;
const DOORS = 8;
/** The remainder of a count's number, less `first`, by `counters` tells its module, door and direction. */
export const COUNT_NUMBERS = { first: FIRST_COUNT, counters: MODULES * DOORS * 2 } as const;
const FIRST_BETWEEN_SECONDS = FIRST_COUNT + 2 ** 32 * MODULES * DOORS * 2;
/** Above these are the numbers that recordings had before their lengths were in them. */
const FIRST_OLD_RECORDING = FIRST_BETWEEN_SECONDS + 2 ** 32 * 1000;
const CHANNELS = 0x100;
/** States of cameras are above these, of each ms and camera. */
const FIRST_STATE = FIRST_OLD_RECORDING + 2 ** 32 * CHANNELS * 2;
/** Positions whose time nothing tells are above states. */
const FIRST_TIMELESS = FIRST_STATE + ROUND_MS * CHANNELS;
/** Recordings are above all others, of each second, channel and length. */
const FIRST_RECORDING = FIRST_TIMELESS + 2 ** 48;
/** Lengths differ from this on, ms: no rest of a recording is shorter. */
const LENGTH_MS = 10_000;
/** Up to four hours. */
const LENGTHS = 1441;

/** The number of a position: of its second, or of its ms. @param timeMs whole ms since 1970 UTC */
export function positionNumber(timeMs: number): number {
  const sinceMs = sinceEpoch(timeMs);
  return sinceMs % 1000 === 0 ? sinceMs / 1000 : FIRST_BETWEEN_SECONDS + sinceMs;
}

/** A count's key. */
export interface CountKey {
  /** Its second, ms since 1970 UTC. */
  readonly timeMs: number;
  /** The module of a counter, 0 to 65,535; it tells two counts of a door and a second apart. */
  readonly module: number;
  /** 1 to 8. */
  readonly door: number;
  readonly direction: 'entered' | 'exited';
}

/**
 * Makes the number of a count, of its second: what `timeMs` has beyond whole seconds is left out. It throws nothing.
 * @returns a whole number from 2³³ on, below 2⁵³
 */
export function countNumber({ timeMs, module, door, direction }: CountKey): number {
  const seconds = Math.floor(sinceEpoch(timeMs) / 1000);
  const way = direction === 'entered' ? 0 : 1;
  return FIRST_COUNT + ((seconds * MODULES + module) * DOORS + door - 1) * 2 + way;
}

/**
 * The number of a count at another time, whatever second its number had: that of a count without a date is made of bytes.
 * @param seq from countNumber @param timeMs ms since 1970 UTC, rounded to its second
 */
export function countNumberAt(seq: number, timeMs: number): number {
  const { first, counters } = COUNT_NUMBERS;
  const seconds = sinceEpoch(Math.round(timeMs / 1000) * 1000) / 1000;
  return first + seconds * counters + seq - secondOfCount(seq);
}

/** Whether bytes made the number of a count (timelessNumbers), not its time. @param sentMs its time, ms since 1970 UTC */
export const isCountOfBytes = (seq: number, sentMs: number): boolean =>
  countNumberAt(seq, Math.floor(sentMs / 1000) * 1000) !== seq;

/** The first number of the second of a count. @param seq from countNumber */
export function secondOfCount(seq: number): number {
  const { first, counters } = COUNT_NUMBERS;
  return seq - ((seq - first) % counters);
}

/** The number of a count with the next module, after the last one the first. @param seq from countNumber */
export function nextCountNumber(seq: number): number {
  const second = secondOfCount(seq);
  return second + ((seq - second + DOORS * 2) % COUNT_NUMBERS.counters);
}

/** Whether a number is that of a position whose time nothing tells. */
export const isTimelessPosition = (seq: number): boolean =>
  seq >= FIRST_TIMELESS && seq < FIRST_RECORDING;

/** A part of a registrar's recordings. */
export interface RecordingKey {
  /** Whole seconds, ms since 1970 UTC; at most four hours before the end. */
  readonly startMs: number;
  /** A file that is still written is listed again with a later end. */
  readonly endMs: number;
  /** 0 to 255. */
  readonly channel: number;
}

/** The number of the announcement of a recording: two of a channel have two unless both ends are within ten seconds. */
export function recordingNumber({ startMs, endMs, channel }: RecordingKey): number {
  const seconds = Math.floor(sinceEpoch(endMs) / 1000);
  const length = Math.min(LENGTHS - 1, Math.floor((endMs - startMs) / LENGTH_MS));
  return FIRST_RECORDING + (seconds * CHANNELS + channel) * LENGTHS + length;
}

/** The number of a camera's state. @param timeMs whole ms since 1970 UTC @param n of the camera in its bus, 0 to 255 */
export const stateNumber = (timeMs: number, n: number): number =>
  FIRST_STATE + sinceEpoch(timeMs) * CHANNELS + n;

/**
 * Numbers of a record whose time nothing tells: its bytes make them, so that it is one record when it comes again.
 * @returns the number of its position, and the second (ms since 1970 UTC) and module of the number of its count
 */
export function timelessNumbers(bytes: Buffer): {
  readonly position: number;
  readonly count: Pick<CountKey, 'timeMs' | 'module'>;
} {
  const digest = createHash('sha256').update(bytes).digest();
  return {
    position: FIRST_TIMELESS + digest.readUIntBE(0, 6),
    count: { timeMs: EPOCH_MS + digest.readUInt32BE(0) * 1000, module: digest.readUInt16BE(4) },
  };
}

const sinceEpoch = (timeMs: number): number =>
  (((timeMs - EPOCH_MS) % ROUND_MS) + ROUND_MS) % ROUND_MS;
