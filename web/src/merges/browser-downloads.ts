import { nowMs } from '../clock.ts';

/** After this time a browser's download is taken for cancelled, ms. */
const GIVEN_UP_MS = 3_600_000;

const startedAtMs = new Map<number, number>();

/**
 * Notes that the browser itself downloads a merged video. The page does not learn when the download ends; the server
 * does.
 */
export function noteBrowserDownload(requestId: number): void {
  startedAtMs.set(requestId, nowMs());
}

/** Whether a browser is probably still downloading a merged video. */
export function isBrowserDownloading(requestId: number): boolean {
  return nowMs() - (startedAtMs.get(requestId) ?? 0) < GIVEN_UP_MS;
}
