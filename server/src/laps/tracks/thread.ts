// A day with three positions a second takes a second of a core to draw, write as JSON and compress: on the main thread
// nobody else would be answered meanwhile.
import { Worker } from 'node:worker_threads';
import { askWorker } from '../../core/ask-worker.ts';
import { AppError } from '../../core/errors.ts';
import type { PackedDraft } from './draft.ts';

/** What the thread answers: JSON in gzip, or why there is none. */
export type DrawnAnswer =
  | { readonly packed: Uint8Array<ArrayBuffer> }
  | { readonly error: unknown };

/** Longest time for one answer, ms; one of 240,000 positions takes up to 3,000 on a busy machine. */
const MAX_DRAWING_MS = 20_000;
/** Most memory of the thread, MB; the process grows by 400 MB for 240,000 positions, most of it this thread's. */
const MAX_HEAP_MB = 512;
/** An idle thread ends after this time, and gives its memory back, ms. */
const IDLE_MS = 15_000;

/** A thread that draws one answer at a time; it starts when it is needed. */
export interface DrawingThread {
  /**
   * Draws an answer; the caller waits for the one before.
   * @returns its JSON in gzip
   * @throws AppError unavailable when it takes too long
   */
  draw(draft: PackedDraft): Promise<Buffer>;
  /** Ends the thread; what it has not answered fails. */
  close(): Promise<void>;
}

/** Makes the drawing thread of one process. */
export function createDrawingThread(): DrawingThread {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(new URL('./worker.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    // A process that has nothing else to do may end.
    started.unref();
    // Whoever waits for an answer hears of a failure by a listener of its own; without any it would end the process.
    started.on('error', () => undefined);
    started.once('exit', () => {
      if (worker === started) worker = undefined;
    });
    return started;
  }

  async function close(): Promise<void> {
    const ended = worker;
    worker = undefined;
    clearTimeout(idle);
    await ended?.terminate();
  }

  return {
    draw: async (draft) => {
      clearTimeout(idle);
      worker ??= start();
      try {
        const answer = await askWorker<DrawnAnswer>(worker, draft, MAX_DRAWING_MS, tooLate);
        if ('error' in answer) throw answer.error;
        const { buffer, byteOffset, length } = answer.packed;
        idle = setTimeout(() => void close(), IDLE_MS).unref();
        return Buffer.from(buffer, byteOffset, length);
      } catch (error) {
        await close();
        throw error;
      }
    },
    close,
  };
}

function tooLate(): AppError {
  return new AppError('unavailable', 'Drawing the tracks of this day takes too long.');
}
