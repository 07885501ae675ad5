// Edits that are saved by themselves. A draft is what somebody typed, from the first key until the server has it. Drafts
// live outside of components, which come and go while one scrolls. Nothing that was typed is lost in silence: it is
// stored, stays as typed with the reason, or its typist is told whose value took its place.
import { createDraftStore, type Draft } from './draft-store.ts';

const PAUSE_MS = 500;
/** How soon an edit that was not answered is sent again, ms. */
export const RETRY_MS = 5_000;
/** A browser sends about this many values while its page is left. */
const MOST_ON_LEAVING = 80;

/** A value on its way to the server. */
export interface Edit<Key, Value> {
  readonly key: Key;
  readonly value: Value;
  /** What its typist saw before: where the server has something else, somebody else was faster. */
  readonly seen: Value;
}

/** What a failed call means for its edits. */
export type Verdict<Key, Value> =
  /** No answer, or none that is about the edit: it fails and is sent again until there is one. */
  | { readonly means: 'retry'; readonly reason?: string }
  /** Refused: it stays as typed, with the reason, until somebody tries again. */
  | { readonly means: 'keep'; readonly reason: string }
  /** Refused: what stood there before is shown again; the judge has told why. */
  | { readonly means: 'discard' }
  /** Nothing was stored because somebody else was faster with at least one: `stored` says what is there now. */
  | {
      readonly means: 'conflict';
      readonly reason: string;
      readonly stored: (key: Key) => Value;
    };

export interface EditsOptions<Key, Value> {
  /** Stores edits; rejects when it could not. */
  save(edits: readonly Edit<Key, Value>[]): Promise<unknown>;
  /** Says what a rejection of `save` means; `isRetry` when the same edits failed before and nobody asked again. */
  judge(
    error: unknown,
    edits: readonly Edit<Key, Value>[],
    isRetry: boolean,
  ): Verdict<Key, Value> | Promise<Verdict<Key, Value>>;
  /** What is wrong with a value; it is not sent then. */
  problemOf?(value: Value): string | undefined;
  /** Values that need no saving when one stands in for the other; the very same ones when absent. */
  isSame?(a: Value, b: Value): boolean;
  /** Half a second after the last key (spec section 4), with every change, or when the field is left (`flush`). */
  saves?: 'after-pause' | 'at-once' | 'when-left';
  /** All that waits goes in one call, and the next call waits for its answer; else every key has calls of its own. */
  together?: boolean;
  /** How long a draft says that it was saved, ms; until it is edited again when absent. */
  savedMs?: number;
}

export interface Edits<Key, Value> {
  /** Takes typed values; `stored` is what stands there without them. */
  type(typed: readonly { key: Key; value: Value; stored: Value }[]): void;
  /** Sends at once what waits under a key, and what failed there. */
  flush(key: Key): void;
  /** Sends at once whatever is not stored, without waiting for calls under way: the page is left. */
  leave(): void;
  /** Something is unsaved that `leave` cannot save: the page should ask whether it may be left. */
  mustAsk(): boolean;
  /** Sends again what failed. */
  retry(): void;
  /** Ends all conflicts: writes what was typed here over the other's values, or leaves those. */
  settle(how: 'own' | 'theirs'): void;
  /** Forgets what was typed under a key. */
  drop(key: Key): void;
  /** Hears what the server has under a key: a draft at rest gives way to it, a conflict shows it. */
  hear(key: Key, stored: Value): void;
  draftOf(key: Key): Draft<Value> | undefined;
  /** All drafts; another map after each change. */
  drafts(): ReadonlyMap<Key, Draft<Value>>;
  /** Calls the listener after each change, or only when the draft of one key changes; gives what ends that. */
  subscribe(listener: () => void, key?: Key): () => void;
}

/** Keeps edits and sends them. */
export function createEdits<Key, Value>(options: EditsOptions<Key, Value>): Edits<Key, Value> {
  const { save, judge, problemOf, isSame = Object.is, together = false, savedMs } = options;
  const saves = options.saves ?? 'after-pause';
  const store = createDraftStore<Key, Value>();
  const { put, mark, tell } = store;
  const timers = new Map<Key, ReturnType<typeof setTimeout>>();
  /** What was sent last under each key, until it is answered. */
  const underWay = new Map<Key, Edit<Key, Value>>();
  /** What is to be sent as soon as nothing is under way there. */
  const due = new Set<Key>();

  const wait = (key: Key, ms: number, then: () => void): void => {
    clearTimeout(timers.get(key));
    timers.set(key, setTimeout(then, ms));
  };

  /** What to send of a key now; marks what is wrong, and forgets what needs no saving. */
  const editOf = (key: Key): Edit<Key, Value> | undefined => {
    const draft = store.get(key);
    if (!draft || draft.state === 'saved' || draft.state === 'conflict') return undefined;
    const { value, seen } = draft;
    const sent = underWay.get(key);
    const reason = problemOf?.(value);
    if (reason !== undefined) mark(key, 'invalid', { reason });
    else if (!sent && isSame(value, seen)) put(key, undefined);
    // Typed over what is on its way: that will be there.
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
      // What failed says so until it has succeeded, unless somebody asked for it again.
      if (!isRetry) mark(edit.key, 'saving');
    }
    const verdict = await save(edits).then(
      () => undefined,
      (error: unknown) => judge(error, edits, isRetry),
    );
    // A later edit went out meanwhile: what comes of that is what counts.
    const answered = edits.filter((edit) => underWay.get(edit.key) === edit);
    for (const { key } of answered) underWay.delete(key);
    if (verdict === undefined) answered.forEach(succeed);
    else fail(answered, verdict);
    sendDue();
    tell();
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
      tell();
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
        // Nobody else touched it: it goes again, without the others.
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
    tell();
  };
  /** Something else was typed while an earlier value was on its way. */
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
      tell();
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
      tell();
    },
    flush(key) {
      const draft = store.get(key);
      if (draft && underWay.get(key)?.value !== draft.value) due.add(key);
      sendDue();
      tell();
    },
    leave() {
      const unsent = [...store.all()].filter(
        ([key, { value }]) => underWay.get(key)?.value !== value,
      );
      due.clear();
      sendAll(unsent.flatMap(([key]) => editOf(key) ?? []));
      tell();
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
      tell();
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
      tell();
    },
    drop(key) {
      clearTimeout(timers.get(key));
      due.delete(key);
      put(key, undefined);
      tell();
    },
    hear(key, stored) {
      const draft = store.get(key);
      if (!draft || isSame(draft.seen, stored)) return;
      if (draft.state === 'saved') put(key, undefined);
      if (draft.state === 'conflict') put(key, { ...draft, seen: stored });
      tell();
    },
    draftOf: store.get,
    drafts: store.all,
    subscribe: store.subscribe,
  };
}
