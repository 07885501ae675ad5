// A player requests ten ranges of a file a second. Opening and closing it for each costs as much as sending 64 KiB.
import { type FileHandle, open } from 'node:fs/promises';
import { Cache } from '../core/cache.ts';
import { hasErrorCode, notFound } from '../core/errors.ts';

/** How long a file stays in use after another process deleted or replaced it, ms. */
const KEEP_MS = 2000;
const MOST_KEPT = 256;

/** A file open for one user, who releases it once. */
export interface LentFile {
  readonly handle: FileHandle;
  giveBack(): Promise<void>;
}

export interface OpenFiles {
  /** @throws AppError not_found */
  lend(file: string): Promise<LentFile>;
  /** The next caller opens the key anew. */
  forget(file: string): void;
}

interface Entry {
  readonly handle: Promise<FileHandle>;
  users: number;
  isKept: boolean;
  timer?: NodeJS.Timeout;
}

/** Files that stay open for a moment. */
export function createOpenFiles(): OpenFiles {
  const kept = new Cache<string, Entry>({
    most: MOST_KEPT,
    onLeave: (entry) => {
      entry.isKept = false;
      clearTimeout(entry.timer);
      void closeUnused(entry);
    },
  });
  const openAnew = (file: string): Entry => {
    const entry: Entry = { handle: openFile(file), users: 0, isKept: true };
    const drop = (): void => kept.delete(file, entry);
    // By a timer, not at the next call: a deleted file uses disk space while it is open.
    entry.timer = setTimeout(drop, KEEP_MS).unref();
    entry.handle.catch(drop);
    kept.set(file, entry);
    return entry;
  };

  return {
    lend: async (file) => {
      const entry = kept.get(file) ?? openAnew(file);
      entry.users += 1;
      return {
        handle: await entry.handle,
        giveBack: () => {
          entry.users -= 1;
          return closeUnused(entry);
        },
      };
    },
    forget: (file) => kept.delete(file),
  };
}

// A file that failed to open has no users, and the caller got its error.
async function closeUnused({ handle, users, isKept }: Entry): Promise<void> {
  if (isKept || users > 0) return;
  const file = await handle.catch(() => undefined);
  await file?.close();
}

/**
 * Opens a file before an answer begins, so that a missing one is an error and not a broken stream.
 * @throws AppError not_found
 */
export function openFile(file: string): Promise<FileHandle> {
  return open(file).catch((error: unknown) => {
    throw hasErrorCode(error, 'ENOENT') ? notFound() : error;
  });
}
