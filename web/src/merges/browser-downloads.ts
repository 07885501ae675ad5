import { nowMs } from '../clock.ts';

/** A browser that has not fetched it by then was told to stop, ms. */
const GIVEN_UP_MS = 3_600_000;

const handed = new Map<number, number>();

/** The browser itself fetches a merged file: only the server knows when it is through. */
export function handOver(requestId: number): void {
  handed.set(requestId, nowMs());
}

/** Whether a browser is likely to be at it still. */
export function isHandedOver(requestId: number): boolean {
  return nowMs() - (handed.get(requestId) ?? 0) < GIVEN_UP_MS;
}
