// A day at one position a second takes a tenth of a second of a core, so it is computed in a thread and does not block
// the event loop. A day that takes too long or too much memory ends its thread, not the server; the next day starts a
// new one.
import { Worker } from 'node:worker_threads';
import { askWorker } from '../../core/ask-worker.ts';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import { threadMemory } from '../../core/thread-memory.ts';
import type { DayLaps } from '../engine/day-laps.ts';
import { DayLimitError, MAX_COMPUTATION_MS, MAX_HEAP_MB } from './day-limit.ts';
import type { ComputeDay, PackedDay } from './packed-day.ts';

/** What the thread answers. */
export type DayAnswer = { readonly laps: DayLaps } | { readonly error: unknown };

export interface DayThreads {
  /**
   * Computes a day when a thread is free.
   * @throws DayLimitError when it breaks a limit; AppError unavailable when too many wait
   */
  readonly computeDay: ComputeDay;
  /** Ends the threads; running days fail. */
  close(): Promise<void>;
}

interface Limits {
  readonly threads?: number;
  readonly maxComputationMs?: number | undefined;
  readonly maxHeapMb?: number;
}

interface Waiting extends PromiseWithResolvers<DayLaps> {
  readonly day: PackedDay;
}

/** Most waiting days; beyond it the caller must retry later. */
const MOST_WAITING = 16;
const COME_BACK_S = 10;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** Threads that compute days, one day at a time each. A thread starts with its first day, and again after it broke. */
export function createDayThreads({
  threads = 1,
  maxComputationMs = MAX_COMPUTATION_MS,
  maxHeapMb = MAX_HEAP_MB,
}: Limits = {}): DayThreads {
  const idle: Worker[] = [];
  const running = new Set<Worker>();
  const queue: Waiting[] = [];
  let isClosed = false;

  function start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: threadMemory(maxHeapMb),
    });
    // The threads must not keep an idle process alive.
    worker.unref();
    // Waiting callers have listeners of their own. Without any listener an error would end the process.
    worker.on('error', () => undefined);
    worker.once('exit', () => {
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    });
    return worker;
  }

  function next(): void {
    while (running.size < threads) {
      const one = queue.shift();
      if (one === undefined) return;
      const worker = idle.pop() ?? start();
      running.add(worker);
      void answerOf(worker, one.day, maxComputationMs)
        .then(
          (laps) => {
            idle.push(worker);
            one.resolve(laps);
          },
          (error: unknown) => {
            one.reject(error);
            return worker.terminate();
          },
        )
        .finally(() => {
          running.delete(worker);
          next();
        });
    }
  }

  return {
    computeDay: (day) => {
      if (isClosed) return Promise.reject(new Error('The threads that compute laps are closed.'));
      if (queue.length >= MOST_WAITING) {
        const details = { retryAfterS: COME_BACK_S };
        const message = 'Too many days wait for their computation. Try again soon.';
        return Promise.reject(new AppError('unavailable', message, details));
      }
      const one = { ...Promise.withResolvers<DayLaps>(), day };
      queue.push(one);
      next();
      return one.promise;
    },
    close: async () => {
      isClosed = true;
      for (const one of queue.splice(0)) {
        one.reject(new Error('The threads that compute laps are closed.'));
      }
      await Promise.all([...running, ...idle.splice(0)].map((worker) => worker.terminate()));
    },
  };
}

async function answerOf(
  worker: Worker,
  day: PackedDay,
  maxComputationMs: number,
): Promise<DayLaps> {
  const late = (): Error => new DayLimitError('too_long');
  const asked = askWorker<DayAnswer>(worker, day, maxComputationMs, late);
  const answer = await asked.catch((error: unknown) => {
    throw hasErrorCode(error, OUT_OF_MEMORY) ? new DayLimitError('too_large') : error;
  });
  if ('error' in answer) throw answer.error;
  return answer.laps;
}
