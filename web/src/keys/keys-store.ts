import { useSyncExternalStore } from 'react';

let isOpen = false;
const listeners = new Set<() => void>();

/** Opens or closes the list of keys. */
export function showKeys(next: boolean): void {
  isOpen = next;
  for (const listener of listeners) listener();
}

/** Whether the list of keys is open. */
export function useKeysShown(): boolean {
  return useSyncExternalStore(subscribe, () => isOpen);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
