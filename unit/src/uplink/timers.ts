/** Time as a unit lives it; tests put their own in its place. */
export interface Timers {
  /** Ms since 1970 UTC. */
  nowMs(): number;
  /** Ends after the time, or at once and quietly when the signal fires. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's own clock. */
export const systemTimers: Timers = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done, { once: true });
    }),
};
