// Saves what users type. A draft exists from the first key until the server has stored its value. Drafts live outside
// of components, because scrolling unmounts components. No input is lost silently: the server stores it, or the draft
// keeps it with the reason, or the user is told whose value replaced it.
import { createDraftStore, type Draft } from './draft-store.ts';

const PAUSE_MS = 500;
/** Delay before an unanswered edit is sent again, ms. */
export const RETRY_MS = 5_000;
/** A call with more values is too large to be sent while the page unloads. */
const MOST_ON_LEAVING = 80;

/** A value on its way to the server. */
export interface Edit<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  /** The value before the edit. If the server has another one, somebody else changed it meanwhile. */
  readonly seen: Value;
}

/** The effects of a failed call on its edits; `means` says what happens to their drafts. */
export type Verdict<Key, Value> =
  /** No answer, or one that does not concern the edit: the draft fails and is sent again until the server answers. */
  | { readonly means: 'retry'; readonly reason?: string }
  /** Refused: the draft keeps the value and the reason until somebody retries. */
  | { readonly means: 'keep'; readonly reason: string }
  /** Refused: the draft goes, and the stored value shows again. `judge` has told the user why. */
  | { readonly means: 'discard' }
  /** The server stored nothing, because somebody else changed at least one value; `stored` returns the current ones. */
  | {
      readonly means: 'conflict';
      readonly reason: string;
      readonly stored: (key: Key) => Value;
    };

export interface EditsOptions<Key, Value> {
  /** Stores edits; rejects if it cannot. */
  save(edits: readonly Edit<Key, Value>[]): Promise<unknown>;
  /** Says what a rejection of `save` means; must not reject. `isRetry`: the edits were sent again automatically. */
  judge(
    error: unknown,
    edits: readonly Edit<Key, Value>[],
    isRetry: boolean,
  ): Verdict<Key, Value> | Promise<Verdict<Key, Value>>;
  /** Says what is wrong with a value; such a value is not sent. */
  problemOf?(value: Value): string | undefined;
  /** Whether two values are equal, so that nothing needs saving; `Object.is` by default. */
  isSame?(a: Value, b: Value): boolean;
  /** When to send: 500 ms after the last key (spec section 4), on every change, or on `flush` (the field is left). */
  saves?: 'after-pause' | 'at-once' | 'when-left';
  /** Send all waiting edits in one call, one call at a time; otherwise each key has its own calls. */
  together?: boolean;
  /** How long a saved draft stays, ms; until the next edit by default. */
  savedMs?: number;
}

export interface Edits<Key, Value> {
  /** Takes typed values; `stored` is the stored value of the key. */
  type(typed: readonly { key: Key; value: Value; stored: Value }[]): void;
  /** Sends the draft of a key now, also a failed one. */
  flush(key: Key): void;
  /** Sends all unsaved drafts now, without waiting for calls in progress: the user leaves the page. */
  leave(): void;
  /** Whether `leave` cannot save everything, so that the page should ask before it unloads. */
  mustAsk(): boolean;
  /** Sends failed drafts again. */
  retry(): void;
  /** Ends all conflicts: overwrites the other values with the own ones, or discards the own ones. */
  settle(how: 'own' | 'theirs'): void;
  /** Discards the draft of a key. */
  drop(key: Key): void;
  /** Takes a newer stored value: it replaces a saved draft and updates a conflict. */
  hear(key: Key, stored: Value): void;
  draftOf(key: Key): Draft<Value> | undefined;
  /** All drafts; a new map after each change. */
  drafts(): ReadonlyMap<Key, Draft<Value>>;
  /** Calls the listener after each change, or after each change of one key; returns a function that unsubscribes. */
  subscribe(listener: () => void, key?: Key): () => void;
}

/** Makes a store of drafts that sends them. */
export function createEdits<Key, Value>(options: EditsOptions<Key, Value>): Edits<Key, Value> {
  const { save, judge, problemOf, isSame = Object.is, together = false, savedMs } = options;
  const saves = options.saves ?? 'after-pause';
  const store = createDraftStore<Key, Value>();
  const { put, mark, notify } = store;
  const timers = new Map<Key, ReturnType<typeof setTimeout>>();
  /** The last edit sent of each key, until the server answers. */
  const underWay = new Map<Key, Edit<Key, Value>>();
  /** Keys to send as soon as no call for them is in progress. */
  const due = new Set<Key>();

  const wait = (key: Key, ms: number, then: () => void): void => {
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(then, ms));
  };

  /** The edit to send of a key; marks an invalid draft and discards one that equals the stored value. */
  const editOf = (key: Key): Edit<Key, Value> | undefined => {
    const draft = store.get(key);
    if (!draft || draft.state === 'saved' || draft.state === 'conflict') return undefined;
    const { value, seen } = draft;
    const sent = underWay.get(key);
    const reason = problemOf?.(value);
    if (reason !== undefined) mark(key, 'invalid', { reason });
    else if (!sent && isSame(value, seen)) put(key, undefined);
    // The call in progress will have stored its value by then.
    else return { key, value, seen: sent ? sent.value : seen };
    return undefined;
  };
  const sendDue = (isRetry = false): void => {
    if (together && underWay.size > 0) return;
    const ready = [...due].filter((key) => !underWay.has(key));
    for (const key of ready) due.delete(key);
    const edits = ready.flatMap((key) => editOf(key) ?? []);
    sendAll(edits, isRetry);
  };
  const sendAll = (edits: readonly Edit<Key, Value>[], isRetry = false): void => {
    if (edits.length === 0) return;
    for (const batch of together ? [edits] : edits.map((edit) => [edit])) void send(batch, isRetry);
  };
  const send = async (edits: readonly Edit<Key, Value>[], isRetry: boolean): Promise<void> => {
    for (const edit of edits) {
      clearTimeout(timers.get(edit.key));
      underWay.set(edit.key, edit);
      // A failed draft shows the failure until a retry succeeds, unless the user asked for the retry.
      if (!isRetry) mark(edit.key, 'saving');
    }
    const verdict = await save(edits).then(
      () => undefined,
      (error: unknown) => judge(error, edits, isRetry),
    );
    // If a later edit of the key was sent meanwhile, only its answer counts.
    const answered = edits.filter((edit) => underWay.get(edit.key) === edit);
    for (const { key } of answered) underWay.delete(key);
    if (verdict === undefined) answered.forEach(succeed);
    else fail(answered, verdict);
    sendDue();
    notify();
  };

  const succeed = ({ key, value }: Edit<Key, Value>): void => {
    const draft = store.get(key);
    if (!draft) return;
    if (draft.value !== value) {
      goOn(key, { seen: value });
      return;
    }
    due.delete(key);
    put(key, { value, seen: value, state: 'saved' });
    if (savedMs === undefined) return;
    wait(key, savedMs, () => {
      put(key, undefined);
      notify();
    });
  };
  const fail = (edits: readonly Edit<Key, Value>[], verdict: Verdict<Key, Value>): void => {
    const isConflict = verdict.means === 'conflict';
    const taken = new Set(isConflict ? edits.filter(isTakenIn(verdict.stored)) : []);
    for (const edit of edits) {
      const { key, value } = edit;
      const draft = store.get(key);
      if (!draft) continue;
      if (verdict.means === 'discard') {
        put(key, undefined);
      } else if (verdict.means === 'conflict' && taken.has(edit)) {
        due.delete(key);
        put(key, { value: draft.value, seen: verdict.stored(key), state: 'conflict' });
      } else if (draft.value !== value) {
        goOn(key);
      } else if (taken.size > 0) {
        // Nobody else changed this one: send it again without the others.
        due.add(key);
      } else {
        due.delete(key);
        mark(key, 'failed', { reason: verdict.reason });
        if (verdict.means === 'retry') wait(key, RETRY_MS, () => retryOne(key));
      }
    }
  };
  const isTakenIn =
    (stored: (key: Key) => Value) =>
    ({ key, value, seen }: Edit<Key, Value>): boolean => {
      const there = stored(key);
      return !isSame(there, seen) && !isSame(there, value);
    };
  const retryOne = (key: Key): void => {
    due.add(key);
    sendDue(true);
    notify();
  };
  /** The user typed another value while the call was in progress. */
  const goOn = (key: Key, more: Partial<Draft<Value>> = {}): void => {
    const draft = store.get(key);
    if (draft?.state === 'invalid') {
      put(key, { ...draft, ...more });
    } else if (saves === 'at-once' || due.has(key)) {
      mark(key, 'saving', more);
      due.add(key);
    } else {
      mark(key, 'typing', more);
      if (saves === 'after-pause') waitForPause(key);
    }
  };
  const waitForPause = (key: Key): void =>
    wait(key, PAUSE_MS, () => {
      due.add(key);
      sendDue();
      notify();
    });

  return {
    type(typed) {
      for (const { key, value, stored } of typed) {
        clearTimeout(timers.get(key));
        const isRunning = underWay.has(key);
        const state = isRunning || saves === 'at-once' ? 'saving' : 'typing';
        const before = store.get(key);
        const isNew = before === undefined || before.state === 'saved';
        put(key, { value, seen: isNew ? stored : before.seen, state });
        if (saves === 'at-once') {
          if (editOf(key)) due.add(key);
          else due.delete(key);
        }
        if (saves === 'after-pause' && !isRunning) waitForPause(key);
      }
      sendDue();
      notify();
    },
    flush(key) {
      const draft = store.get(key);
      if (draft && underWay.get(key)?.value !== draft.value) due.add(key);
      sendDue();
      notify();
    },
    leave() {
      const unsent = [...store.all()].filter(
        ([key, { value }]) => underWay.get(key)?.value !== value,
      );
      due.clear();
      sendAll(unsent.flatMap(([key]) => editOf(key) ?? []));
      notify();
    },
    mustAsk() {
      let waiting = 0;
      for (const { state } of store.all().values()) {
        if (state === 'failed' || state === 'invalid' || state === 'conflict') return true;
        if (state !== 'saved') waiting += 1;
      }
      return waiting > MOST_ON_LEAVING;
    },
    retry() {
      for (const [key, { state }] of store.all()) if (state === 'failed') due.add(key);
      sendDue();
      notify();
    },
    settle(how) {
      for (const [key, { state }] of store.all()) {
        if (state !== 'conflict') continue;
        if (how === 'theirs') {
          put(key, undefined);
        } else {
          mark(key, 'saving');
          due.add(key);
        }
      }
      sendDue();
      notify();
    },
    drop(key) {
      clearTimeout(timers.get(key));
      due.delete(key);
      put(key, undefined);
      notify();
    },
    hear(key, stored) {
      const draft = store.get(key);
      if (!draft || isSame(draft.seen, stored)) return;
      if (draft.state === 'saved') put(key, undefined);
      if (draft.state === 'conflict') put(key, { ...draft, seen: stored });
      notify();
    },
    draftOf: store.get,
    drafts: store.all,
    subscribe: store.subscribe,
  };
}
