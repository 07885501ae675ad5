/** Where the server takes the time from; tests hand in their own. */
export interface Clock {
  /** ms since 1970 UTC. */
  nowMs(): number;
}

/**
 * The clock of one process; nothing else in the server asks the machine what time it is.
 * @param offsetMs so far the clock is ahead of the machine's, ms; below 0 behind it. It runs on like the machine's, so
 *   that a demo or a test lives at any hour.
 */
export function createClock(offsetMs: number): Clock {
  return { nowMs: () => Date.now() + offsetMs };
}
