// How full the disk is. Nothing is acknowledged that may not find its place: units keep what is refused and send it again.
import { statfs } from 'node:fs/promises';
import type { ErrorCode } from '@ridewatch/contract/errors';
import { AppError } from './errors.ts';

export interface DiskRoom {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** The disk on which video, work and database lie; tests hand in their own. */
export interface Disk {
  read(): Promise<DiskRoom>;
}

/** From here the oldest video goes and administrators are told. */
export const CROWDED = 0.85;
/** From here nothing new is taken. The rest is for what runs already, and for the database to go on. */
export const FULL = 0.98;

const KEEP_MS = 1000;
/** Units come back after this, s. */
const RETRY_AFTER_S = 60;

/** The disk of a folder; asked at most once a second. */
export function openDisk(folder: string): Disk {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<DiskRoom> | undefined;
  return {
    read: () => {
      const nowMs = performance.now();
      if (reading === undefined || nowMs - readAtMs > KEEP_MS) {
        readAtMs = nowMs;
        reading = statfs(folder).then(({ bsize, blocks, bavail }) => ({
          totalBytes: bsize * blocks,
          freeBytes: bsize * bavail,
        }));
      }
      return reading;
    },
  };
}

/** 0 to 1. */
export function fillOf({ totalBytes, freeBytes }: DiskRoom): number {
  return totalBytes === 0 ? 0 : 1 - freeBytes / totalBytes;
}

/**
 * Refuses what would be stored on a full disk.
 * @param code how it is said: `insufficient_storage` (507) or `unavailable` (503)
 * @throws AppError
 */
export async function checkRoom(disk: Disk, code: ErrorCode): Promise<void> {
  if (fillOf(await disk.read()) < FULL) return;
  throw new AppError(code, 'The disk of the server is full.', { retryAfterS: RETRY_AFTER_S });
}
