/** A value kept in local storage and told to every component and tab that uses it. */
export interface StoredValue<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Keeps a JSON value in local storage.
 * @param read makes the value out of whatever lies there (also nothing, also nonsense)
 */
export function createStoredValue<T>(key: string, read: (raw: unknown) => T): StoredValue<T> {
  const listeners = new Set<() => void>();
  let value = read(parsed(localStorage.getItem(key)));
  const tell = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    value = read(parsed(localStorage.getItem(key)));
    tell();
  });
  return {
    get: () => value,
    set(next) {
      value = next;
      localStorage.setItem(key, JSON.stringify(next));
      tell();
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
    // Written by hand or by another version: the same as nothing.
    return undefined;
  }
}
