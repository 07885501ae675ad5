import type { Timers } from '../uplink/timers.ts';

/** Resolves when the next piece of work may begin, or when the signal is aborted. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/** A pace without waits. */
export const atOnce: Pace = async () => {};

/** Creates a pace: pieces of work begin at least this time apart, whoever does them. @param everyMs ms */
export function createPace(timers: Timers, everyMs: number): Pace {
  let nextMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const nowMs = timers.nowMs();
    const dueMs = Math.max(nowMs, nextMs);
    nextMs = dueMs + everyMs;
    await timers.sleep(dueMs - nowMs, signal);
  };
}
