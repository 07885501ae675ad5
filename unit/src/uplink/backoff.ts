const FIRST_MS = 500;
const LONGEST_MS = 60_000;

/**
 * How long to wait before the next try: doubling from half a second to a minute, with a random part,
 * so that a fleet whose server comes back does not return all at once.
 * @param failures tries that failed in a row, from 1
 * @param random in [0, 1)
 * @returns ms
 */
export function backOffMs(failures: number, random: number = Math.random()): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(longest * (0.5 + random / 2));
}
