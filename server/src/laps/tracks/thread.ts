// A day with three positions a second takes a second of a core to draw, write as JSON and compress: on the main thread
// nobody else would be answered meanwhile.
import { AppError } from '../../core/errors.ts';
import { createThreads } from '../../core/threads.ts';
import type { PackedDraft } from './draft.ts';

/** Longest time for one answer, ms; one of 240,000 positions takes up to 3,000 on a busy machine. */
const MAX_DRAWING_MS = 20_000;
/** Most memory of the thread, MB; the process grows by 400 MB for 240,000 positions, most of it this thread's. */
const MAX_HEAP_MB = 512;

/** JSON in gzip, in memory that belongs to nothing else. */
export type DrawnAnswer = Uint8Array<ArrayBuffer>;

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
  const file = new URL('./worker.ts', import.meta.url);
  const { ask, close } = createThreads<PackedDraft, DrawnAnswer>(file, 'answer', {
    maxMs: MAX_DRAWING_MS,
    maxHeapMb: MAX_HEAP_MB,
    late: () => new AppError('unavailable', 'Drawing the tracks of this day takes too long.'),
  });
  return {
    draw: async (draft) => {
      const { buffer, byteOffset, length } = await ask(draft);
      return Buffer.from(buffer, byteOffset, length);
    },
    close,
  };
}
