// Large batches and laps of past days: work of backlogs, for which nobody waits. Two pieces at once would keep two
// cores busy, and units that drive would wait for both.

/** A piece waits no longer than this for the piece before it, ms: one long piece delays no other for long. */
const LONGEST_WAIT_MS = 1000;

/** The work of backlogs in one process. */
export interface BacklogWork {
  /**
   * Runs a piece of work after the piece before it, or after the longest wait.
   * @throws whatever `work` throws
   */
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** Makes the order of one process. Callers limit how many pieces wait. */
export function createBacklogWork(longestWaitMs = LONGEST_WAIT_MS): BacklogWork {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run: async (work) => {
      const before = last;
      const own = Promise.withResolvers<void>();
      last = own.promise;
      await inTime(before, longestWaitMs);
      try {
        return await work();
      } finally {
        own.resolve();
      }
    },
  };
}

async function inTime(before: Promise<unknown>, longestWaitMs: number): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, longestWaitMs);
  await Promise.race([before, late.promise]);
  clearTimeout(timer);
}
