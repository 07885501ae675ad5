// Restarts a job runner that ended by itself.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runner } from 'graphile-worker';
import type { Log } from '../log.ts';

/** First and longest backoff before a restart, ms. */
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A runner that ran this long was healthy: the backoff starts again, ms. */
const WELL_AFTER_MS = 60_000;

/** A runner that is kept going. */
export interface SupervisedRunner {
  /** Stops the runner, waits for its running jobs, and does not restart it. Never throws. */
  stop(): Promise<void>;
}

/**
 * Keeps a job runner running. It logs what ends the runner or prevents its start, and starts another one after a
 * backoff that doubles from 0.5 s to 30 s.
 * @param start starts a runner; called again for each that ended
 * @param onRestart called at each further start, to count them
 * @returns once the first start was attempted
 */
export async function keepRunning(
  start: () => Promise<Runner>,
  log: Log,
  onRestart: () => void = () => undefined,
): Promise<SupervisedRunner> {
  const stopping = new AbortController();
  const tried = Promise.withResolvers<void>();
  let runner: Runner | undefined;

  const runOnce = async (): Promise<void> => {
    try {
      runner = await start();
      tried.resolve();
      if (stopping.signal.aborted) await stop(runner);
      await runner.promise;
      if (!stopping.signal.aborted) log.error('a runner of jobs ended by itself');
    } catch (error) {
      if (!stopping.signal.aborted) log.error({ err: error }, 'a runner of jobs failed');
    } finally {
      runner = undefined;
      tried.resolve();
    }
  };
  const stop = async (one: Runner): Promise<void> => {
    // A runner that is ending by itself refuses to be stopped.
    await one.stop().catch((error: unknown) => log.warn({ err: error }, 'a runner had ended'));
  };
  const loop = async (): Promise<void> => {
    let waitMs = FIRST_WAIT_MS;
    for (;;) {
      const startedMs = performance.now();
      await runOnce();
      if (performance.now() - startedMs > WELL_AFTER_MS) waitMs = FIRST_WAIT_MS;
      await sleep(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      onRestart();
    }
  };
  const ended = loop();
  await tried.promise;
  return {
    stop: async () => {
      stopping.abort();
      if (runner !== undefined) await stop(runner);
      await ended;
    },
  };
}
