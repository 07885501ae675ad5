// Large batches come from units that were away for long. On the main thread one of 10,000 records would hold up the
// batches of all other units by 20 to 30 ms at a time, so a thread unpacks, parses, validates and stores them, one at a time, over
// a connection of its own. It rests between them: one unit's year leaves the database three quarters of the time for
// units that drive, and when many units were away they take turns with shorter rests.
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '@ridewatch/contract/errors';
import { AppError, hasErrorCode } from '../../core/errors.ts';
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
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
/** Rest before a batch of the same unit as the last one, as a multiple of that one's time; before any other. */
const REST = { same: 3, other: 1 };
/** Longest rest, ms. */
const LONGEST_REST_MS = 1000;

export interface LargeBatches {
  /**
   * Stores a batch when the ones before it are stored. Call it in the unit's turn, so that one unit's batches do not wait
   * here.
   * @returns the answer as JSON
   * @throws AppError as `takeBatch`; too_large when it takes too much memory; unavailable when too many wait, or storing
   *   takes too long
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
  let lane: Promise<unknown> = Promise.resolve();
  let waitingBytes = 0;
  let last = { unitId: 0, endMs: 0, tookMs: 0 };

  async function store(batch: LargeBatch, arrivedMs: number): Promise<string> {
    if (performance.now() - arrivedMs > LONGEST_WAIT_MS) throw tooMany();
    const { unitId } = batch.unit;
    const restMs = last.tookMs * (last.unitId === unitId ? REST.same : REST.other);
    const untilMs = last.endMs + Math.min(restMs, LONGEST_REST_MS);
    await pause(Math.max(0, untilMs - performance.now()));
    const beganMs = performance.now();
    try {
      return await ask(batch);
    } finally {
      const endMs = performance.now();
      last = { unitId, endMs, tookMs: endMs - beganMs };
    }
  }

  async function ask(batch: LargeBatch): Promise<string> {
    const answer = await thread.ask(batch).catch((error: unknown) => {
      throw hasErrorCode(error, OUT_OF_MEMORY) ? tooComplex(error) : error;
    });
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
      const stored = lane.then(() => store({ bytes, isPacked, unit, receivedMs }, arrivedMs));
      // A failure is the caller's; the next batch is stored all the same.
      lane = stored.catch(() => undefined);
      try {
        return await stored;
      } finally {
        waitingBytes -= bytes.length;
      }
    },
    close: async () => {
      await lane;
      await thread.close();
    },
  };
}

// JSON of millions of tiny values; records never are.
function tooComplex(cause: unknown): AppError {
  return new AppError('too_large', 'The batch has too many values.', { cause });
}

function tooMany(): AppError {
  return busy('Too many large batches are being stored; send this one again soon.');
}

function busy(message: string): AppError {
  return new AppError('unavailable', message, { retryAfterS: COME_BACK_S });
}
