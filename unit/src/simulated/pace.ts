import type { Timers } from '../uplink/timers.ts';

/** Resolves when the next piece of work may begin, or when the signal is aborted. */
export type Pace = (signal: AbortSignal) => Promise<void>;

/** A pace without waits. */
export const atOnce: Pace = async () => {};

/**
 * Creates a pace: pieces of work begin at least this time apart, in any part of the fleet.
 * @param everyMs ms
 * @param leastMs the time between pieces while they are late, ms; as long unless given, so that delays add up
 */
export function createPace(timers: Timers, everyMs: number, leastMs = everyMs): Pace {
  let plannedMs: number | undefined;
  let earliestMs = Number.NEGATIVE_INFINITY;
  return async (signal) => {
    const nowMs = timers.nowMs();
    const dueMs = Math.max(nowMs, plannedMs ?? nowMs, earliestMs);
    plannedMs = (plannedMs ?? dueMs) + everyMs;
    earliestMs = dueMs + leastMs;
    await timers.sleep(dueMs - nowMs, signal);
  };
}
