import { useSyncExternalStore } from 'react';

const RETRY_MS = 3_000;
const listeners = new Set<() => void>();
let isLost = false;
let recover: () => Promise<unknown> = async () => {};

/** Says what is tried, every 3 seconds, while the connection is lost. */
export function onLostTry(attempt: () => Promise<unknown>): void {
  recover = attempt;
}

/** The server answered, whatever it said. */
export function answered(): void {
  change(false);
}

/** The server did not answer. */
export function unanswered(): void {
  change(true);
}

/** Whether the last call went unanswered. */
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
