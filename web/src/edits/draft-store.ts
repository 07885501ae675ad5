export interface Draft<Value> {
  /** What was typed. */
  readonly value: Value;
  /** What stood there when typing began, was saved last, or (in a conflict) what somebody else stored. */
  readonly seen: Value;
  readonly state: 'typing' | 'invalid' | 'saving' | 'saved' | 'failed' | 'conflict';
  /** Why it is not stored: of an invalid or failed one. */
  readonly reason?: string | undefined;
}

/** Drafts by key, and who is told of their changes. */
export interface DraftStore<Key, Value> {
  get(key: Key): Draft<Value> | undefined;
  /** Puts a draft in place of the one that is there; undefined takes it away. */
  put(key: Key, draft: Draft<Value> | undefined): void;
  /** Changes the state of the draft that is there, if any; its reason goes unless there is another one. */
  mark(key: Key, state: Draft<Value>['state'], more?: Partial<Draft<Value>>): void;
  /** All drafts; another map after each `tell`. */
  all(): ReadonlyMap<Key, Draft<Value>>;
  /** Tells the listeners what was put since the last time, each once. */
  tell(): void;
  /** Calls the listener after each change, or only when the draft of one key changes; gives what ends that. */
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
    tell() {
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
