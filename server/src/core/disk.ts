// Disk usage. Nothing is acknowledged that may not fit: units keep what is refused and send it again.
import { statfs } from 'node:fs/promises';
import type { ErrorCode } from '@ridewatch/contract/errors';
import { AppError } from './errors.ts';

export interface DiskRoom {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** The disk of video, work files and database; tests pass their own. */
export interface Disk {
  read(): Promise<DiskRoom>;
}

/** From this share on, the oldest video is deleted and administrators are notified. */
export const CROWDED = 0.85;
/** From this share on, new data is refused. The rest is for running work and for the database. */
export const FULL = 0.98;

const KEEP_MS = 1000;
/** Retry-After of the refusal, s. */
const RETRY_AFTER_S = 60;

/** The disk of a folder, read at most once a second. */
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
 * Refuses new data when the disk is full.
 * @param code of the answer: `insufficient_storage` (507) or `unavailable` (503)
 * @throws AppError
 */
export async function checkRoom(disk: Disk, code: ErrorCode): Promise<void> {
  if (fillOf(await disk.read()) < FULL) return;
  throw new AppError(code, 'The disk of the server is full.', { retryAfterS: RETRY_AFTER_S });
}
