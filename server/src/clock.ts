/** Where the server takes the time from; tests hand in their own. */
export interface Clock {
  /** ms since 1970 UTC. */
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };
