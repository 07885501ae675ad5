/** A value in local storage, shared by all components and tabs. */
export interface StoredValue<T> {
  get(): T;
  set(value: T): void;
  subscribe(listener: () => void): () => void;
}

/**
 * Makes a shared JSON value in local storage.
 * @param read converts the stored value, which may be missing or invalid
 */
export function createStoredValue<T>(key: string, read: (raw: unknown) => T): StoredValue<T> {
  const listeners = new Set<() => void>();
  let value = read(parsed(localStorage.getItem(key)));
  const notify = () => {
    for (const listener of listeners) listener();
  };
  window.addEventListener('storage', (event) => {
    if (event.key !== key && event.key !== null) return;
    value = read(parsed(localStorage.getItem(key)));
    notify();
  });
  return {
    get: () => value,
    set(next) {
      value = next;
      localStorage.setItem(key, JSON.stringify(next));
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
