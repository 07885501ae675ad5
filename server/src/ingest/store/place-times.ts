// Places records in time when a clock is wrong. A unit's clock starts at 1970 or 2000, stands at a receiver that is 1,024
// weeks behind, or is set between a record and its sending. No rule invents a time: a record that none of them places is
// kept aside.
import type { CorrectionReason } from '@ridewatch/contract/unit';
import { MAX_AHEAD_MS, OLDEST_RECORD } from '@ridewatch/contract/unit';
import { CLOCK_TOLERANCE_MS } from './records.ts';

/** Earlier times are of clocks that were never set, ms since 1970 UTC. */
export const OLDEST_MS = Date.parse(OLDEST_RECORD);
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 3_600_000;
/** A record this near to its sending was made by the clock that tells `sent_at`, ms. */
const NEAR_MS = 10 * MINUTE_MS;
/** Longest pause between two records of one run of a clock, ms. */
const LONGEST_PAUSE_MS = DAY_MS;
/** A clock that is wrong by less drifts, or has a wrong zone, for all of its records, ms. */
const DRIFT_MS = DAY_MS;
/** After so many weeks the week number of GPS starts anew (IS-GPS-200, 20.3.3.3.1.1: ten bits). */
const ROLLOVER_MS = 1024 * 7 * DAY_MS;
/** Oldest record that a receiver 1,024 weeks behind may still send, ms. */
const ROLLOVER_AGE_MS = 31 * DAY_MS;

/** A number of a stream with its time as sent, ms since 1970 UTC. */
export interface Sent {
  readonly seq: number;
  readonly sentMs: number;
}

/** The time of a record, ms since 1970 UTC, and why it is not as sent; null: no rule places it. */
export interface Place {
  readonly timeMs: number | null;
  readonly reason: CorrectionReason | null;
}

/**
 * The offset of the unit's clock.
 * @param sentAtMs the unit's clock when sending, @param receivedMs the server's at arrival
 * @returns ms to add to the unit's times; 0 within the tolerance
 */
export function clockOffsetMs(sentAtMs: number, receivedMs: number): number {
  const offsetMs = receivedMs - sentAtMs;
  return Math.abs(offsetMs) > CLOCK_TOLERANCE_MS ? offsetMs : 0;
}

/** Whether a record may have this corrected time: from 2010 on, and at most 24 h ahead. @param receivedMs its arrival */
export function isPossible(timeMs: number, receivedMs: number): boolean {
  return timeMs >= OLDEST_MS && timeMs <= receivedMs + MAX_AHEAD_MS;
}

/**
 * Places the records of a batch.
 * @param records in any order
 * @param offsetMs from clockOffsetMs
 * @param receivedMs the server's clock at arrival
 * @returns the place of each record, in the same order
 */
export function placeBatch(
  records: readonly Sent[],
  offsetMs: number,
  receivedMs: number,
): Place[] {
  const places: Place[] = records.map(({ sentMs }) => placeAlone(sentMs, offsetMs, receivedMs));
  // The usual batch: its clock is right, and so are all of its records.
  if (offsetMs === 0 && places.every(({ timeMs }) => timeMs !== null)) return places;
  const ordered = records.map(({ seq, sentMs }, index) => ({ seq, sentMs, index }));
  ordered.sort((a, b) => a.seq - b.seq);
  /** The record after it that the batch's clock made. */
  let nextSentMs: number | undefined;
  for (const { sentMs, index } of ordered.toReversed()) {
    if (offsetMs !== 0 && isOfClock(sentMs, offsetMs, receivedMs, nextSentMs)) {
      nextSentMs = sentMs;
      places[index] = { timeMs: sentMs + offsetMs, reason: reasonOf(offsetMs) };
    }
  }
  const timed = ordered.map((record) => ({
    ...record,
    timeMs: places[record.index]?.timeMs ?? null,
  }));
  if (timed.every(({ timeMs }) => timeMs !== null)) return places;
  const byNeighbours = placeByNeighbours(timed, receivedMs);
  for (const { seq, index } of ordered) {
    const timeMs = byNeighbours.get(seq);
    if (timeMs !== undefined && places[index]?.timeMs === null) {
      places[index] = { timeMs, reason: 'neighbours' };
    }
  }
  return places;
}

// Whether the clock that tells `sent_at` also told the time of a record.
function isOfClock(
  sentMs: number,
  offsetMs: number,
  receivedMs: number,
  nextSentMs: number | undefined,
): boolean {
  const timeMs = sentMs + offsetMs;
  if (!isPossible(timeMs, receivedMs)) return false;
  if (Math.abs(timeMs - receivedMs) <= NEAR_MS) return true;
  if (Math.abs(offsetMs) <= DRIFT_MS && isPossible(sentMs, receivedMs)) return true;
  return nextSentMs !== undefined && isRunOn(sentMs, nextSentMs);
}

/** Whether one clock may have told both times as sent, in this order, ms since 1970 UTC. */
export function isRunOn(sentMs: number, nextSentMs: number): boolean {
  return sentMs <= nextSentMs + CLOCK_TOLERANCE_MS && nextSentMs - sentMs <= LONGEST_PAUSE_MS;
}

const reasonOf = (offsetMs: number): CorrectionReason =>
  Math.abs(offsetMs - ROLLOVER_MS) <= NEAR_MS ? 'week_rollover' : 'clock';

// A record that the batch's clock did not make: it has its own time, or its receiver's.
function placeAlone(sentMs: number, offsetMs: number, receivedMs: number): Place {
  const rolledMs = sentMs + ROLLOVER_MS;
  const ageMs = receivedMs - rolledMs;
  const isPlausible = isPossible(sentMs, receivedMs);
  if (Math.abs(ageMs) <= NEAR_MS || (!isPlausible && ageMs > 0 && ageMs <= ROLLOVER_AGE_MS)) {
    return { timeMs: rolledMs, reason: 'week_rollover' };
  }
  // Two clocks are possible where the batch's is wrong, unless that one would make the record impossible.
  const isClear = offsetMs === 0 || !isPossible(sentMs + offsetMs, receivedMs);
  return { timeMs: isPlausible && isClear ? sentMs : null, reason: null };
}

/** A record of a stream whose time may be known, ms since 1970 UTC. */
export interface Timed extends Sent {
  readonly timeMs: number | null;
}

/**
 * Places records by those around them in their stream: the clock of a neighbour made them, or the clock was set between
 * two neighbours that are at most ten minutes apart, or they are the first of their stream and end right before the
 * next number.
 * @param stream ascending by number
 * @param receivedMs the server's clock when the last of them arrived
 * @param firstSeq the first number of the whole stream, if known
 * @returns the corrected times of those that were placed, by number
 */
export function placeByNeighbours(
  stream: readonly Timed[],
  receivedMs: number,
  firstSeq?: number,
): Map<number, number> {
  const placed = new Map<number, number>();
  for (let start = 0; start < stream.length; ) {
    let end = start;
    while (stream[end]?.timeMs === null) end += 1;
    if (end > start) {
      const run = stream.slice(start, end);
      const shift = shiftOf(run, stream[start - 1], stream[end], receivedMs, firstSeq);
      const leastMs = stream[start - 1]?.timeMs ?? Number.NEGATIVE_INFINITY;
      for (const { seq, sentMs } of shift === undefined ? [] : run) {
        placed.set(seq, Math.max(sentMs + (shift ?? 0), leastMs));
      }
    }
    start = end + 1;
  }
  return placed;
}

// The difference that the neighbours tell for the times of a run without places, ms; undefined where they do not.
function shiftOf(
  run: readonly Sent[],
  before: Timed | undefined,
  after: Timed | undefined,
  receivedMs: number,
  firstSeq: number | undefined,
): number | undefined {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const isOneRun = run.every(
    ({ sentMs }, n) => n === 0 || isRunOn(run[n - 1]?.sentMs ?? 0, sentMs),
  );
  if (!isOneRun) return undefined;
  const latestMs = (after?.timeMs ?? receivedMs) + CLOCK_TOLERANCE_MS;
  const fits = (addedMs: number): boolean =>
    first.sentMs + addedMs >= (before?.timeMs ?? OLDEST_MS) - CLOCK_TOLERANCE_MS &&
    last.sentMs + addedMs <= latestMs;
  const [shiftBefore, shiftAfter] = [shiftBy(before), shiftBy(after)];
  if (before !== undefined && isRunOn(before.sentMs, first.sentMs) && fits(shiftBefore)) {
    return shiftBefore;
  }
  if (after === undefined) return undefined;
  if (isRunOn(last.sentMs, after.sentMs) && fits(shiftAfter)) return shiftAfter;
  const afterMs = after.timeMs ?? 0;
  const isStart = first.seq === firstSeq && after.seq === last.seq + 1;
  const gapMs = before === undefined ? undefined : afterMs - (before.timeMs ?? 0);
  const isNarrow = gapMs !== undefined && gapMs >= 0 && gapMs <= NEAR_MS;
  return isStart || isNarrow ? afterMs - last.sentMs : undefined;
}

const shiftBy = (neighbour: Timed | undefined): number =>
  (neighbour?.timeMs ?? 0) - (neighbour?.sentMs ?? 0);
