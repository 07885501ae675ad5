export interface Draft<Value> {
  /** The typed value. */
  readonly value: Value;
  /** The value before the edit, the last saved one, or in a conflict the one that somebody else stored. */
  readonly seen: Value;
  readonly state: 'typing' | 'invalid' | 'saving' | 'saved' | 'failed' | 'conflict';
  /** Why it is not stored, if it is invalid or failed. */
  readonly reason?: string | undefined;
}

/** Drafts by key, and the listeners to their changes. */
export interface DraftStore<Key, Value> {
  get(key: Key): Draft<Value> | undefined;
  /** Replaces the draft of a key; undefined removes it. */
  put(key: Key, draft: Draft<Value> | undefined): void;
  /** Changes the state of an existing draft; removes its reason unless `more` has one. */
  mark(key: Key, state: Draft<Value>['state'], more?: Partial<Draft<Value>>): void;
  /** All drafts; a new map after each change. */
  all(): ReadonlyMap<Key, Draft<Value>>;
  /** Calls the listeners of the keys that changed since the last call, then those of all changes, once. */
  notify(): void;
  /** Calls the listener after each change, or after each change of one key; returns a function that unsubscribes. */
  subscribe(listener: () => void, key?: Key): () => void;
}

/** Makes an empty store. */
export function createDraftStore<Key, Value>(): DraftStore<Key, Value> {
  const drafts = new Map<Key, Draft<Value>>();
  const ofAll = new Set<() => void>();
  const ofKey = new Map<Key, Set<() => void>>();
  const changed = new Set<Key>();
  let snapshot: ReadonlyMap<Key, Draft<Value>> | undefined;
  const put = (key: Key, draft: Draft<Value> | undefined): void => {
    if (draft) drafts.set(key, draft);
    else drafts.delete(key);
    changed.add(key);
    snapshot = undefined;
  };
  return {
    get: (key) => drafts.get(key),
    put,
    mark(key, state, more = {}) {
      const draft = drafts.get(key);
      if (draft) put(key, { value: draft.value, seen: draft.seen, ...more, state });
    },
    all() {
      snapshot ??= new Map(drafts);
      return snapshot;
    },
    notify() {
      if (changed.size === 0) return;
      const keys = [...changed];
      changed.clear();
      for (const key of keys) for (const listener of ofKey.get(key) ?? []) listener();
      for (const listener of ofAll) listener();
    },
    subscribe(listener, key) {
      const listeners = key === undefined ? ofAll : (ofKey.get(key) ?? new Set());
      if (key !== undefined) ofKey.set(key, listeners);
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
