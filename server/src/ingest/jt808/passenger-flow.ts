// Reads the people who got on and off in an interval: message 0x1005 of JT/T 1078. It names no door, class or place.
import type { Jt808Settings } from '@ridewatch/contract/unit-protocols';
import { countNumber, timelessNumbers } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/store-told.ts';
import { OLDEST_MS } from '../store/place-times.ts';
import { readTime, TIME_BYTES, UNKNOWN_TIME_MS } from './bcd.ts';

/** Start, end, how many got on, how many got off. */
const BYTES = 2 * TIME_BYTES + 4;
/** More people than a record has, and more than any bus carries between two messages. */
const MOST_PEOPLE = 0x7fff;
const LONGEST_S = 0xffff;

/**
 * Reads a passenger flow. Its people are counted at the end of the interval: terminals end it when doors close, so the
 * bus still stands at the stop, or has just left it. The length of the interval tells two of one end apart; one in which
 * the clock was set is very long.
 * @param serial of the message: a clock that was never set says the same intervals after each start
 * @returns the people, of UNKNOWN_TIME_MS when start or end is no date, none when nobody passed; undefined when there is no
 *   such number or interval
 */
export function readPassengerFlow(
  body: Buffer,
  { clock_hours, door }: Jt808Settings,
  serial: number,
): ToldRecord[] | undefined {
  if (body.length < BYTES) return undefined;
  const startMs = readTime(body, 0, clock_hours);
  const endMs = readTime(body, TIME_BYTES, clock_hours);
  const isTimed = startMs !== undefined && endMs !== undefined;
  // A clock that was lost in the interval says an end before 2010: its people are real.
  const isEndSet = isTimed && endMs >= OLDEST_MS;
  if (isEndSet && endMs < startMs) return undefined;
  const people = [body.readUInt16BE(2 * TIME_BYTES), body.readUInt16BE(2 * TIME_BYTES + 2)];
  if (people.some((count) => count > MOST_PEOPLE)) return undefined;
  const key = isEndSet
    ? { timeMs: endMs, module: Math.min((endMs - startMs) / 1000, LONGEST_S) }
    : timelessNumbers(Buffer.concat([Buffer.from([serial >> 8, serial & 0xff]), body])).count;
  const sentMs = isTimed ? endMs : UNKNOWN_TIME_MS;
  return people.flatMap((count, way) => {
    const direction = way === 0 ? ('entered' as const) : ('exited' as const);
    const seq = countNumber({ ...key, door, direction });
    const told = { type: 'passenger', door, passenger: 'adult', count, direction } as const;
    return count === 0 ? [] : [{ ...told, seq, sentMs }];
  });
}
