// Large batches come from units that were away for long. On the main thread one of 10,000 records would hold up the
// batches of all other units by 20 to 30 ms at a time, so a thread unpacks, parses, validates and stores them, one at a time, over
// a connection of its own. After each it rests as long as it worked: the database has the other half of the time for
// units that drive.
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '@ridewatch/contract/errors';
import { AppError } from '../../core/errors.ts';
import { createIdleThread } from '../../core/idle-thread.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import { addFigures, type BatchFigures } from '../store/batch-figures.ts';
import type { LargeBody } from './read-body.ts';

/** What the thread is asked. */
export interface LargeBatch {
  /** As it was sent. */
  readonly bytes: Uint8Array;
  readonly isPacked: boolean;
  readonly unit: KnownUnit;
  /** The server's clock at arrival. */
  readonly receivedMs: number;
}

/** What the thread answers. */
export type LargeAnswer = {
  /** 0 when unpacking failed. */
  readonly unpackedBytes: number;
} & ({ readonly json: string; readonly figures: BatchFigures } | { readonly refusal: Refusal });

/** An AppError as data. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;
}

/** Longest time for one batch, ms; each of its statements has its own, shorter one. */
const MAX_STORING_MS = 30_000;
/** Most memory of the thread, MB; a batch of 8 MB takes 100. */
const MAX_HEAP_MB = 512;
/** Most bytes of waiting batches. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
/** Longest wait of a batch for those before it, ms. */
const LONGEST_WAIT_MS = 8000;
const COME_BACK_S = 10;
/** Longest rest after a batch, ms. */
const LONGEST_REST_MS = 500;

export interface LargeBatches {
  /**
   * Stores a batch when the ones before it are stored. Call it in the unit's turn, so that one unit's batches do not wait
   * here.
   * @returns the answer as JSON
   * @throws AppError as `takeBatch`; unavailable when too many wait, or storing takes too long
   */
  take(unit: KnownUnit, body: LargeBody, receivedMs: number): Promise<string>;
  /** Waits until what was taken is stored, and ends the thread. */
  close(): Promise<void>;
}

/** Makes the lane of large batches of one process. */
export function createLargeBatches({
  database,
  metrics,
}: Pick<Deps, 'database' | 'metrics'>): LargeBatches {
  const { url, name, limits } = database;
  const late = (): AppError => busy('Storing this batch takes too long.');
  const thread = createIdleThread<LargeBatch, LargeAnswer>(
    new URL('./large-worker.ts', import.meta.url),
    { maxMs: MAX_STORING_MS, maxHeapMb: MAX_HEAP_MB, late, data: { url, name, limits } },
  );
  let last: Promise<unknown> = Promise.resolve();
  let waitingBytes = 0;
  let restUntilMs = 0;

  async function store(batch: LargeBatch, arrivedMs: number): Promise<string> {
    if (performance.now() - arrivedMs > LONGEST_WAIT_MS) throw tooMany();
    await pause(Math.max(0, restUntilMs - performance.now()));
    const beganMs = performance.now();
    try {
      return await ask(batch);
    } finally {
      const endMs = performance.now();
      restUntilMs = endMs + Math.min(endMs - beganMs, LONGEST_REST_MS);
    }
  }

  async function ask(batch: LargeBatch): Promise<string> {
    const answer = await thread.ask(batch);
    metrics.batchBytes.labels('unpacked').inc(answer.unpackedBytes);
    if ('json' in answer) {
      addFigures(metrics, answer.figures);
      return answer.json;
    }
    const { code, message, field, retryAfterS } = answer.refusal;
    throw new AppError(code, message, {
      ...(field === undefined ? {} : { field }),
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    });
  }

  return {
    take: async (unit, { bytes, isPacked }, receivedMs) => {
      if (waitingBytes + bytes.length > MOST_WAITING_BYTES) throw tooMany();
      waitingBytes += bytes.length;
      const arrivedMs = performance.now();
      const stored = last.then(() => store({ bytes, isPacked, unit, receivedMs }, arrivedMs));
      // A failure is the caller's; the next batch is stored all the same.
      last = stored.catch(() => undefined);
      try {
        return await stored;
      } finally {
        waitingBytes -= bytes.length;
      }
    },
    close: async () => {
      await last;
      await thread.close();
    },
  };
}

function tooMany(): AppError {
  return busy('Too many large batches are being stored; send this one again soon.');
}

function busy(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterS: COME_BACK_S });
}
