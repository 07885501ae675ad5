// Large batches come from units that were away for long. On the main thread one of 10,000 records would hold up the
// batches of all other units by 20 to 30 ms at a time, so a thread unpacks, parses, validates and stores them, one at a time, over
// a connection of its own. It rests between them, so that one unit's year leaves the database time for units that
// drive. When many units were away they take turns with shorter rests.
import type { ErrorCode } from '@ridewatch/contract/errors';
import { AppError, hasErrorCode } from '../../core/errors.ts';
import { createIdleThread } from '../../core/idle-thread.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { Deps } from '../../deps.ts';
import { addFigures, type BatchFigures } from '../store/batch-figures.ts';
import { createLane, type LaneLimits, tooMany } from './lane.ts';
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
const LIMITS: LaneLimits = {
  longestWaitMs: 8000,
  rest: { same: 3, other: 1 },
  longestRestMs: 1000,
};

export interface LargeBatches {
  /**
   * Stores a batch when its turn comes. Call it in the unit's own turn, so that one unit has one batch here.
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
  const late = (): AppError => new AppError('unavailable', 'Storing this batch takes too long.');
  const thread = createIdleThread<LargeBatch, LargeAnswer>(
    new URL('./large-worker.ts', import.meta.url),
    { maxMs: MAX_STORING_MS, maxHeapMb: MAX_HEAP_MB, late, data: { url, name, limits } },
  );
  let waitingBytes = 0;

  async function ask(batch: LargeBatch): Promise<string> {
    const answer = await thread.ask(batch).catch((error: unknown) => {
      throw hasErrorCode(error, OUT_OF_MEMORY) ? tooComplex(error) : error;
    });
    metrics.batchBytes.labels('unpacked').inc(answer.unpackedBytes);
    if ('json' in answer) {
      addFigures(metrics, answer.figures);
      return answer.json;
    }
    const { code, message, field, retryAfterS, cause } = answer.refusal;
    throw new AppError(code, message, {
      cause,
      ...(field === undefined ? {} : { field }),
      ...(retryAfterS === undefined ? {} : { retryAfterS }),
    });
  }

  const lane = createLane(ask, LIMITS);
  return {
    take: async (unit, { bytes, isPacked }, receivedMs) => {
      if (waitingBytes + bytes.length > MOST_WAITING_BYTES) throw tooMany();
      waitingBytes += bytes.length;
      try {
        return await lane.take(unit.unitId, { bytes, isPacked, unit, receivedMs });
      } finally {
        waitingBytes -= bytes.length;
      }
    },
    close: async () => {
      await lane.close();
      await thread.close();
    },
  };
}

// JSON of millions of tiny values; records never are.
function tooComplex(cause: unknown): AppError {
  return new AppError('too_large', 'The batch has too many values.', { cause });
}
