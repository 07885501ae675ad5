// The place for databases of tests. Each is a thousand files, which exist for some seconds. An ext4 without a journal looks
// at every file that was deleted in the last minutes before it makes a new one: after some hundred databases, another takes
// a second, and in memory it takes 40 ms.
import { accessSync, constants, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Linux keeps the files of this folder in memory. */
const MEMORY = '/dev/shm';
/** Most that the data of a run of the quick tier take, four times over, bytes. */
const LEAST_ROOM = 4 * 2 ** 30;

/**
 * Finds the folder for the databases of tests.
 * @param room least room of a folder in memory, and of the memory itself, bytes
 * @returns a folder in memory with that room, or the system's folder for temporary files
 */
export function dataFolder(room = LEAST_ROOM): string {
  try {
    accessSync(MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY);
    return Math.min(bavail * bsize, process.availableMemory()) < room ? tmpdir() : MEMORY;
  } catch {
    // Another system has no such folder.
    return tmpdir();
  }
}
