import { nowMs } from '../core/clock.ts';

/** After this time a download is taken for cancelled, ms. */
const GIVEN_UP_MS = 3_600_000;

const startedAtMs = new Map<number, number>();

/**
 * Notes that a merged video is being downloaded, by the browser itself or by the page. Only the server knows when it has
 * sent the last byte.
 */
export function noteDownload(requestId: number): void {
  startedAtMs.set(requestId, nowMs());
}

/** Whether the server will probably soon say that it has sent a merged video. */
export function isDownloading(requestId: number): boolean {
  return nowMs() - (startedAtMs.get(requestId) ?? 0) < GIVEN_UP_MS;
}
