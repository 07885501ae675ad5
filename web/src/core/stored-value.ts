/** A stored value that all components share; one in local storage also all tabs. */
export interface StoredValue<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Makes a shared JSON value.
 * @param read converts the stored value, which may be missing or invalid
 * @param storage the session storage keeps it for this tab alone
 */
export function createStoredValue<T>(
  key: string,
  read: (raw: unknown) => T,
  storage: Storage = localStorage,
): StoredValue<T> {
  const listeners = new Set<() => void>();
  let value = read(parsed(storage.getItem(key)));
  const notify = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.storageArea !== storage && event.storageArea !== null) return;
    if (event.key !== key && event.key !== null) return;
    value = read(parsed(storage.getItem(key)));
    notify();
  });
  return {
    get: () => value,
    set(next) {
      value = next;
      storage.setItem(key, JSON.stringify(next));
      notify();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function parsed(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    // Invalid JSON is treated as no value.
    return undefined;
  }
}
