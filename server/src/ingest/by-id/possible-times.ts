// Times that units known by an id may say. Their protocols do not tell the sender's clock, so nothing shows how far it is off.
import { isPossible } from '../store/place-times.ts';

/**
 * A time may be so far ahead of the server's clock, ms. Clocks that satellites, a mobile network or NTP set are right to
 * seconds; those that drift or are set by hand, to minutes. One that is further ahead has another zone, and zones differ by at
 * least a quarter of an hour. Its records would stand where those of the hours to come belong, under their numbers.
 */
export const MOST_AHEAD_MS = 10 * 60_000;

/**
 * Whether a record may have this time.
 * @param receivedMs the server's clock at arrival
 * @param oldestMs an earlier time is of a clock that was never set
 * All are ms since 1970 UTC.
 */
export function isPossibleTold(timeMs: number, receivedMs: number, oldestMs = 0): boolean {
  const isTooEarly = timeMs < oldestMs;
  return !isTooEarly && timeMs <= receivedMs + MOST_AHEAD_MS && isPossible(timeMs, receivedMs);
}
