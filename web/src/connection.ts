import { useSyncExternalStore } from 'react';

const RETRY_MS = 3_000;
const listeners = new Set<() => void>();
let isLost = false;
let isPlanned = false;
let recover: () => Promise<unknown> = async () => {};

/**
 * Sets what is tried every 3 seconds from a loss of the connection until it succeeds, also if another call is answered
 * meanwhile: the failed calls are still to be repeated.
 */
export function retryWhileLost(attempt: () => Promise<unknown>): void {
  recover = attempt;
}

/** Notes that the server answered, with whatever status. */
export function markConnected(): void {
  change(false);
}

/** Notes that the server did not answer, and starts the retries. */
export function markLost(): void {
  change(true);
}

/** Whether the last call got no answer. */
export function useConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, () => isLost);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function change(next: boolean): void {
  if (isLost === next) return;
  isLost = next;
  for (const listener of listeners) listener();
  if (next) tryLater();
}

function tryLater(): void {
  if (!isPlanned) setTimeout(tryAgain, RETRY_MS);
  isPlanned = true;
}

function tryAgain(): void {
  isPlanned = false;
  recover().catch(tryLater);
}
