// Numbers of records in the timed stream, made of their times: a device that restarts begins its own numbers anew, so they
// are no key. All are exact in a number of JavaScript (below 2⁵³).

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
/** Recordings and states of cameras are above these, of each second or ms and channel. */
const FIRST_RECORDING = FIRST_BETWEEN_SECONDS + 2 ** 32 * 1000;
const CHANNELS = 0x100;
const FIRST_STATE = FIRST_RECORDING + 2 ** 32 * CHANNELS * 2;

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

/** The number of a count with another second. @param seq from countNumber, @param byMs what its time changes by, ms */
export function movedCountNumber(seq: number, byMs: number): number {
  const { first, counters } = COUNT_NUMBERS;
  const counter = (seq - first) % counters;
  const seconds = (seq - first - counter) / counters + Math.round(byMs / 1000);
  return first + (((seconds % 2 ** 32) + 2 ** 32) % 2 ** 32) * counters + counter;
}

/** A registrar's file, as its list names it. */
export interface RecordingKey {
  /** Whole seconds, ms since 1970 UTC. A file that is still written is listed again with a later end. */
  readonly endMs: number;
  /** 0 to 255. */
  readonly channel: number;
  /** Its upload is asked for. */
  readonly isQueued: boolean;
}

/** The number of the announcement of a recording: two files of a channel with one end are one. */
export function recordingNumber({ endMs, channel, isQueued }: RecordingKey): number {
  const seconds = Math.floor(sinceEpoch(endMs) / 1000);
  return FIRST_RECORDING + (seconds * CHANNELS + channel) * 2 + (isQueued ? 1 : 0);
}

/** The number of a camera's state. @param timeMs whole ms since 1970 UTC @param n of the camera in its bus, 0 to 255 */
export const stateNumber = (timeMs: number, n: number): number =>
  FIRST_STATE + sinceEpoch(timeMs) * CHANNELS + n;

const sinceEpoch = (timeMs: number): number =>
  (((timeMs - EPOCH_MS) % ROUND_MS) + ROUND_MS) % ROUND_MS;
