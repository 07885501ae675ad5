const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/**
 * Computes the backoff before the next attempt: it doubles from half a second to a minute, with jitter, so that a fleet
 * does not reconnect all at once.
 * @param failures successive failed attempts, from 1
 * @param random in [0, 1)
 * @returns ms
 */
export function backoffMs(failures: number, random: number = Math.random()): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(longest * (0.5 + random / 2));
}
