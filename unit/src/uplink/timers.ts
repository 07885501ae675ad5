/** Time as a unit lives it; tests put their own in its place. */
export interface Timers {
  /** Ms since 1970 UTC. */
  nowMs(): number;
  /** Ends after the time, or at once and quietly when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * The clock of one program.
 * @param offsetMs so far it is ahead of the machine's, ms; below 0 behind it. It runs on like the machine's.
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
