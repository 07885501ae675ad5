// A day at one position a second takes a tenth of a second of a core, so it is computed in a thread and does not block
// the event loop. A day that takes too long or too much memory ends its thread, not the server; the next day starts a
// new one.
import { AppError, hasErrorCode } from '../../core/errors.ts';
import { createThreads } from '../../core/threads.ts';
import type { DayLaps } from '../engine/day-laps.ts';
import { DayLimitError, MAX_COMPUTATION_MS, MAX_HEAP_MB } from './day-limit.ts';
import type { ComputeDay, PackedDay } from './packed-day.ts';

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

/** Most waiting days; beyond it the caller must retry later. */
const MOST_WAITING = 16;
const COME_BACK_S = 10;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';

/** Threads that compute days, one day at a time each. */
export function createDayThreads({
  threads = 1,
  maxComputationMs = MAX_COMPUTATION_MS,
  maxHeapMb = MAX_HEAP_MB,
}: Limits = {}): DayThreads {
  const { ask, close } = createThreads<PackedDay, DayLaps>(
    new URL('./packed-day.ts', import.meta.url),
    'lapsOfPackedDay',
    {
      threads,
      maxMs: maxComputationMs,
      maxHeapMb,
      mostWaiting: MOST_WAITING,
      busy: () => {
        const message = 'Too many days wait for their computation. Try again soon.';
        return new AppError('unavailable', message, { retryAfterS: COME_BACK_S });
      },
      late: () => new DayLimitError('too_long'),
    },
  );
  return {
    computeDay: (day) =>
      ask(day).catch((error: unknown) => {
        throw hasErrorCode(error, OUT_OF_MEMORY) ? new DayLimitError('too_large') : error;
      }),
    close,
  };
}
