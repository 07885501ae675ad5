import { useRef, useState } from 'react';
import { isRefused } from './is-refused.ts';
import { useSaveOnLeave } from './use-save-on-leave.ts';
import { useToastAfterUnmount } from './use-toast-after-unmount.ts';

/** The outcome of the last change to a record. */
export interface ChangeState {
  readonly state: 'saving' | 'saved' | 'failed';
  readonly reason?: string | undefined;
  /** It got no answer; `retry` sends it again. */
  readonly isUnanswered?: boolean;
}

export interface Change<Shown, Answer> {
  /** Sends it. */
  send(): Promise<Answer>;
  /** Applies it to what the page shows until it is stored or refused. */
  guess?(shown: Shown, isUnanswered: boolean): Shown;
  /** Called when it is stored. */
  done?(answer: Answer): void;
  /** Called when it is refused. */
  undo?(): void;
}

export interface Changes<Key, Shown> {
  readonly states: ReadonlyMap<Key, ChangeState>;
  /** Makes a change. Calls are sent one after another; a change waits for those before it, because it builds on them. */
  run<Answer>(key: Key, change: Change<Shown, Answer>): void;
  /** Sends the changes that got no answer again, in their order. */
  retry(): void;
  /** Applies the changes that are not stored yet. @param stored as the server answered last */
  shownOver(stored: Shown): Shown;
  mark(key: Key, state: ChangeState): void;
}

interface Waiting<Key, Shown> {
  readonly key: Key;
  send(): Promise<void>;
  readonly guess: Change<Shown, unknown>['guess'] | undefined;
  readonly undo: (() => void) | undefined;
  isUnanswered: boolean;
}

/**
 * Changes made by a press of a button instead of typing. A refused change is undone; one that got no answer stays, and
 * is sent again by `retry` and when the component unmounts or the page unloads. Shows a failure that arrives after the
 * component has unmounted in a toast.
 * @param reasonOf explains a failure to the user
 */
export function useChanges<Key, Shown = undefined>(
  reasonOf: (error: unknown) => string,
): Changes<Key, Shown> {
  const [states, setStates] = useState<ReadonlyMap<Key, ChangeState>>(new Map());
  const toastIfUnmounted = useToastAfterUnmount();
  // Not in the state: keys repeat faster than the page renders. Each change of it marks a state too, which renders.
  const waiting = useRef<Waiting<Key, Shown>[]>([]);
  const isSending = useRef(false);
  const mark = (key: Key, state: ChangeState) =>
    setStates((before) => new Map(before).set(key, state));

  const fail = (first: Waiting<Key, Shown>, error: unknown): void => {
    const reason = reasonOf(error);
    toastIfUnmounted(reason);
    if (isRefused(error)) {
      waiting.current.shift();
      first.undo?.();
      mark(first.key, { state: 'failed', reason });
      return;
    }
    for (const one of waiting.current) {
      one.isUnanswered = true;
      mark(one.key, { state: 'failed', reason, isUnanswered: true });
    }
  };
  const sendFirst = async (first: Waiting<Key, Shown>): Promise<void> => {
    first.isUnanswered = false;
    mark(first.key, { state: 'saving' });
    try {
      await first.send();
    } catch (error) {
      fail(first, error);
      return;
    }
    waiting.current.shift();
    const isMore = waiting.current.some(({ key }) => key === first.key);
    mark(first.key, { state: isMore ? 'saving' : 'saved' });
  };
  const sendAll = async (): Promise<void> => {
    if (isSending.current) return;
    isSending.current = true;
    for (let [first] = waiting.current; first; [first] = waiting.current) {
      await sendFirst(first);
      if (first.isUnanswered) break;
    }
    isSending.current = false;
  };
  const retry = () => void sendAll();
  useSaveOnLeave(retry);
  return {
    states,
    mark,
    retry,
    run(key, { send, guess, done, undo }) {
      const sendIt = async () => {
        const answer = await send();
        done?.(answer);
      };
      waiting.current.push({ key, send: sendIt, guess, undo, isUnanswered: false });
      mark(key, { state: 'saving' });
      retry();
    },
    shownOver: (stored) =>
      waiting.current.reduce(
        (shown, { guess, isUnanswered }) => guess?.(shown, isUnanswered) ?? shown,
        stored,
      ),
  };
}
