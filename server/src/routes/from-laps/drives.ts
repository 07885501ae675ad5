// A thread follows one drive at a time, and users take turns. A day with three positions a second and rounds of 300 km
// takes seconds of a core.
import { AppError } from '../../core/errors.ts';
import { createThreads } from '../../core/threads.ts';
import { createTurns } from '../../core/turns.ts';
import type { Drive, DriveAnswer, DriveQuestion, Wanted } from './drive.ts';

/** Longest time for one drive, ms. */
const MAX_FOLLOWING_MS = 20_000;
/** Most memory of the thread, MB. */
const MAX_HEAP_MB = 512;
/** Longest wait for a turn, ms. */
const MAX_WAIT_MS = 20_000;
const limits = {
  mostWaiting: 48,
  mostOfOne: 16,
  message: 'Other drives are being read; try again soon.',
  retryAfterS: 5,
};

/** The drives of one process. */
export interface Drives {
  /**
   * Follows a drive when it is the user's turn. Call it outside a transaction, which would hold a connection and locks
   * meanwhile.
   * @param read reads the drive
   * @throws AppError unavailable when too many wait, or it takes too long; whatever `read` throws
   */
  follow(userId: number, wanted: Wanted, read: () => Promise<Drive>): Promise<DriveAnswer>;
  /** Ends the thread. */
  close(): Promise<void>;
}

/** Makes the turns and the thread of one process. */
export function createDrives(): Drives {
  const turns = createTurns(limits);
  const file = new URL('./drive.ts', import.meta.url);
  const thread = createThreads<DriveQuestion, DriveAnswer>(file, 'followDrive', {
    maxMs: MAX_FOLLOWING_MS,
    maxHeapMb: MAX_HEAP_MB,
    late: () => new AppError('unavailable', 'Following this drive takes too long.'),
  });
  return {
    follow: async (userId, wanted, read) => {
      const end = await turns.take(userId, MAX_WAIT_MS);
      try {
        return await thread.ask({ ...wanted, drive: await read() });
      } finally {
        end();
      }
    },
    close: thread.close,
  };
}
