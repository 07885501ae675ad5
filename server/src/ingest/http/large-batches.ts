// Large batches come from units that were away for long. On the main thread one of 10,000 records would hold up the
// batches of all other units by 20 to 30 ms at a time. Therefore a thread unpacks, parses, validates and stores them,
// one at a time, over a connection of its own. While units drive it rests between them, so that one unit's year leaves
// the database time for them. When many units were away they take turns with shorter rests.
import { setTimeout as pause } from 'node:timers/promises';
import type { ErrorCode } from '@ridewatch/contract/errors';
import type { Batch } from '@ridewatch/contract/unit';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import { createThreads } from '../../core/threads.ts';
import { createTurns } from '../../core/turns.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import { addFigures, type BatchFigures } from '../store/batch-figures.ts';
import type { LargeBody } from './read-body.ts';
import type { Facts } from './unit-facts.ts';

/** A batch for the thread. */
export interface LargeBatch {
  /** As it was sent. */
  readonly bytes: Uint8Array;
  readonly isPacked: boolean;
  readonly unit: KnownUnit;
  /** The server's clock at arrival. */
  readonly receivedMs: number;
}

/** The thread's answer. */
export type LargeAnswer = {
  /** 0 when unpacking failed. */
  readonly unpackedBytes: number;
} & ((StoredBatch & { readonly figures: BatchFigures }) | { readonly refusal: Refusal });

/** A stored batch. */
export interface StoredBatch {
  /** The answer. */
  readonly json: string;
  readonly facts: Facts;
}

/** An AppError as data. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly field: string | undefined;
  readonly retryAfterS: number | undefined;
  /** For the log. */
  readonly cause: string | undefined;
}

/** Longest time for one batch, ms; each of its statements has its own, shorter one. */
const MAX_STORING_MS = 30_000;
/** Most memory of the thread, MB; a batch of 8 MB takes 100. */
const MAX_HEAP_MB = 512;
/** Most bytes of waiting batches. */
const MOST_WAITING_BYTES = 32 * 1024 * 1024;
const OUT_OF_MEMORY = 'ERR_WORKER_OUT_OF_MEMORY';
/** Longest wait for the batches of other units, ms. */
const LONGEST_WAIT_MS = 8000;
/** Rest before a batch of the same unit as the last one, as a multiple of that one's time; before any other. */
const REST = { same: 3, other: 1 };
/** Longest rest, ms. */
const LONGEST_REST_MS = 1000;
/** Units that drive send at least this often; without them nobody gains by a rest, ms. */
const DRIVES_MS = 30_000;
/** Oldest last record of a batch from a unit that drives, ms. */
const LAST_RECORD_MS = 5_000;
const LIMITS = {
  // A batch that gzip made small counts little towards the bytes.
  mostWaiting: 1024,
  // The unit's own turn lets one through at a time.
  mostOfOne: 1,
  message: 'Too many large batches are being stored; send this one again soon.',
  retryAfterS: 10,
};

export interface LargeBatches {
  /**
   * Stores a batch when its turn comes. Call it in the unit's own turn, so that one unit has one batch here.
   * @returns the answer as JSON, and what the batch says of its unit
   * @throws AppError as `takeBatch`; too_large when it takes too much memory; unavailable when too many wait or storing
   *   takes too long
   */
  take(unit: KnownUnit, body: LargeBody, receivedMs: number): Promise<StoredBatch>;
  /** Notes a small batch: its unit drives if its last record is new. */
  noteSmall(batch: Batch): void;
  /** Waits until what was taken is stored, and ends the thread. */
  close(): Promise<void>;
}

/**
 * Makes the thread for large batches of one process, with its turns.
 * @param rest pauses before a batch, for ms
 */
export function createLargeBatches(
  { database, metrics, backlogWork }: Pick<Deps, 'database' | 'metrics' | 'backlogWork'>,
  rest: (ms: number) => Promise<void> = pause,
): LargeBatches {
  const { url, name, limits } = database;
  const late = (): AppError => new AppError('unavailable', 'Storing this batch takes too long.');
  const thread = createThreads<LargeBatch, LargeAnswer>(
    new URL('./large-worker.ts', import.meta.url),
    'answer',
    { maxMs: MAX_STORING_MS, maxHeapMb: MAX_HEAP_MB, late, data: { url, name, limits } },
  );
  const turns = createTurns(LIMITS);
  const taken = new Set<Promise<StoredBatch>>();
  let waitingBytes = 0;
  let isClosed = false;
  let last = { unitId: 0, endMs: 0, tookMs: 0 };
  let drivingMs = Number.NEGATIVE_INFINITY;

  // How long the batch before still makes this one of a unit wait.
  function restOf(unitId: number): number {
    const nowMs = performance.now();
    if (nowMs - drivingMs > DRIVES_MS) return 0;
    const restMs = last.tookMs * (last.unitId === unitId ? REST.same : REST.other);
    return Math.max(0, last.endMs + Math.min(restMs, LONGEST_REST_MS) - nowMs);
  }

  async function store(batch: LargeBatch): Promise<StoredBatch> {
    const { unitId } = batch.unit;
    const end = await turns.take(unitId, LONGEST_WAIT_MS);
    await rest(restOf(unitId));
    try {
      return await backlogWork.run(async () => {
        const beganMs = performance.now();
        try {
          return await ask(batch);
        } finally {
          const endMs = performance.now();
          last = { unitId, endMs, tookMs: endMs - beganMs };
        }
      });
    } finally {
      end();
    }
  }

  async function ask(batch: LargeBatch): Promise<StoredBatch> {
    const answer = await thread.ask(batch).catch((error: unknown) => {
      throw hasErrorCode(error, OUT_OF_MEMORY) ? tooComplex(error) : error;
    });
    metrics.batchBytes.labels('unpacked').inc(answer.unpackedBytes);
    if ('json' in answer) {
      addFigures(metrics, batch.unit.unitId, answer.figures);
      return { json: answer.json, facts: answer.facts };
    }
    const { code, message, field, retryAfterS, cause } = answer.refusal;
    throw new AppError(code, message, {
      cause,
      ...(field === undefined ? {} : { field }),
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    });
  }

  return {
    take: async (unit, { bytes, isPacked }, receivedMs) => {
      const isFull = waitingBytes + bytes.length > MOST_WAITING_BYTES;
      if (isClosed || isFull) {
        throw new AppError('unavailable', LIMITS.message, { retryAfterS: LIMITS.retryAfterS });
      }
      waitingBytes += bytes.length;
      const stored = store({ bytes, isPacked, unit, receivedMs });
      taken.add(stored);
      try {
        return await stored;
      } finally {
        taken.delete(stored);
        waitingBytes -= bytes.length;
      }
    },
    noteSmall: ({ sent_at, records }) => {
      const { time } = (records.at(-1) ?? {}) as { time?: unknown };
      const ageMs = Date.parse(sent_at) - Date.parse(String(time));
      if (ageMs < LAST_RECORD_MS) drivingMs = performance.now();
    },
    close: async () => {
      isClosed = true;
      // Their callers get the failures.
      await Promise.allSettled(taken);
      await thread.close();
    },
  };
}

// JSON of millions of tiny values; records never are.
function tooComplex(cause: unknown): AppError {
  return new AppError('too_large', 'The batch has too many values.', { cause });
}
