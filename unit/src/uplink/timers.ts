/** A unit's source of time; tests pass their own. */
export interface Timers {
  /** Ms since 1970 UTC. */
  nowMs(): number;
  /** Resolves after the time, or at once when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Creates the timers of one program.
 * @param offsetMs how far the clock is ahead of the machine's, ms; negative when behind. It keeps running.
 */
export function createTimers(offsetMs: number): Timers {
  return { nowMs: () => Date.now() + offsetMs, sleep };
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
