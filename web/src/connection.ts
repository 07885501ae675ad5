import { useSyncExternalStore } from 'react';

const RETRY_MS = 3_000;
const listeners = new Set<() => void>();
let isLost = false;
let recover: () => Promise<unknown> = async () => {};

/** Sets what is tried every 3 seconds while the connection is lost. */
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
  if (next) setTimeout(tryAgain, RETRY_MS);
}

function tryAgain(): void {
  if (!isLost) return;
  recover().then(
    () => undefined,
    () => setTimeout(tryAgain, RETRY_MS),
  );
}
