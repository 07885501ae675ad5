// Disk usage. Nothing is acknowledged that may not fit: units keep what is refused and send it again.
import { statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { ErrorCode } from '@ridewatch/contract/errors';
import { AppError } from './errors.ts';

export interface DiskRoom {
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** Shares of a disk, 0 to 1. */
export interface DiskLimits {
  /** From this share on, the oldest video is deleted and administrators are notified. */
  readonly crowded: number;
  /** From this share on, new data is refused. The rest is for running work and for the database. */
  readonly full: number;
}

/** The disk of video, work files and database; tests pass their own. */
export interface Disk {
  /** The machine that it belongs to: its host name. */
  readonly machine: string;
  readonly limits: DiskLimits;
  read(): Promise<DiskRoom>;
}

const KEEP_MS = 1000;
/** Retry-After of the refusal, s. */
const RETRY_AFTER_S = 60;

/** The disk of a folder, read at most once a second. */
export function openDisk(folder: string, limits: DiskLimits): Disk {
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<DiskRoom> | undefined;
  return {
    machine: hostname(),
    limits,
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

/** Whether new data is refused. */
export async function isFull(disk: Disk): Promise<boolean> {
  return fillOf(await disk.read()) >= disk.limits.full;
}

/**
 * Refuses new data when the disk is full.
 * @param code of the answer: `insufficient_storage` (507) or `unavailable` (503)
 * @throws AppError
 */
export async function checkRoom(disk: Disk, code: ErrorCode): Promise<void> {
  if (!(await isFull(disk))) return;
  throw new AppError(code, 'The disk of the server is full.', { retryAfterS: RETRY_AFTER_S });
}
