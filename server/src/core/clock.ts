/** The server's source of time; tests pass their own. */
export interface Clock {
  /** ms since 1970 UTC. */
  nowMs(): number;
  /** ms since some moment before; setting the machine's clock does not change it. Ages within a process are measured by it. */
  elapsedMs(): number;
}

/**
 * The clock of one process. Nothing else in the server reads the machine's clock.
 * @param offsetMs how far the clock is ahead of the machine's, ms; negative when behind. It keeps running, so that a
 *   demo or a test can live at any hour.
 */
export function createClock(offsetMs: number): Clock {
  return { nowMs: () => Date.now() + offsetMs, elapsedMs: () => performance.now() };
}
