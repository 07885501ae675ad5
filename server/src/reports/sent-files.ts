// Files that are sent while they are written. They are few at a time, and end when nobody reads them.
import { Readable } from 'node:stream';
import { AppError } from '../core/errors.ts';
import type { WrittenFile } from './file-thread.ts';

/** Most files that a process sends at once, and most of one user. */
const MOST_FILES = 4;
const MOST_OF_ONE = 2;
/** A reader who takes nothing for this long has gone, ms. */
const STALLED_MS = 60_000;
/** When to ask again, s. */
const RETRY_S = 10;

/** The files that one process sends. */
export interface SentFiles {
  /**
   * Begins to send a file.
   * @throws AppError unavailable when too many are sent; whatever `open` throws
   */
  begin(userId: number, open: () => Promise<WrittenFile>): Promise<Readable>;
}

/** @param stalledMs see STALLED_MS */
export function createSentFiles(stalledMs = STALLED_MS): SentFiles {
  const users: number[] = [];
  return {
    begin: async (userId, open) => {
      const own = users.filter((one) => one === userId);
      if (users.length >= MOST_FILES || own.length >= MOST_OF_ONE) {
        const message = 'Too many files are being sent. Wait for one, or request a report.';
        throw new AppError('unavailable', message, { retryAfterS: RETRY_S });
      }
      users.push(userId);
      const leave = (): void => void users.splice(users.indexOf(userId), 1);
      try {
        const written = await open();
        const stream: Readable = Readable.from(
          watched(written, stalledMs, () => {
            stream.destroy(new Error(`Nobody read the file for ${stalledMs} ms.`));
          }),
        );
        return stream.once('close', () => {
          leave();
          void written.close();
        });
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}

async function* watched<Part>(
  parts: AsyncIterable<Part>,
  stalledMs: number,
  onStalled: () => void,
): AsyncGenerator<Part> {
  for await (const part of parts) {
    const timer = setTimeout(onStalled, stalledMs).unref();
    try {
      yield part;
    } finally {
      clearTimeout(timer);
    }
  }
}
