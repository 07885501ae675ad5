import { useSyncExternalStore } from 'react';

const RETRY_MS = 3_000;
const listeners = new Set<() => void>();
let isLost = false;
let recover: () => Promise<unknown> = async () => {};
const tryLater = createRetry(() => recover());

/**
 * Sets what is tried every 3 seconds from a loss of the connection until it succeeds, also if another call is answered
 * meanwhile: the failed calls are still to be repeated.
 */
export function retryWhileLost(attempt: () => Promise<unknown>): void {
  recover = attempt;
}

/** Notes that the server answered. */
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

/**
 * Makes a function that calls `attempt` in 3 seconds, and every 3 seconds from then on while it rejects. Calls of the
 * function before the next attempt plan no second one.
 */
export function createRetry(attempt: () => Promise<unknown>): () => void {
  let isPlanned = false;
  const plan = () => {
    if (!isPlanned) setTimeout(run, RETRY_MS);
    isPlanned = true;
  };
  const run = () => {
    isPlanned = false;
    attempt().catch(plan);
  };
  return plan;
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

// The browser knows it before the next call fails.
window.addEventListener('offline', markLost);
