import { nowMs } from '../clock.ts';

/** A browser that has not fetched it by then was told to stop, ms. */
const GIVEN_UP_MS = 3_600_000;

const startedAtMs = new Map<number, number>();

/** The browser itself fetches a merged file: only the server knows when it is through. */
export function noteBrowserDownload(requestId: number): void {
  startedAtMs.set(requestId, nowMs());
}

/** Whether a browser is likely to be at it still. */
export function isBrowserDownloading(requestId: number): boolean {
  return nowMs() - (startedAtMs.get(requestId) ?? 0) < GIVEN_UP_MS;
}
