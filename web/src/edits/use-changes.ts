import { useRef, useState } from 'react';
import { useToastAfterUnmount } from './use-toast-after-unmount.ts';

/** The outcome of the last change to a record. */
export interface ChangeState {
  readonly state: 'saving' | 'saved' | 'failed';
  readonly reason?: string | undefined;
}

export interface Change<Answer> {
  /** Sends it. */
  send(): Promise<Answer>;
  /** Called when it is stored; `isLast` if no other change is in progress, so that the answer contains all of them. */
  done?(answer: Answer, isLast: boolean): void;
  /** Called when it is refused, to undo what the page already shows. */
  undo?(): void;
}

export interface Changes<Key> {
  readonly states: ReadonlyMap<Key, ChangeState>;
  /** Makes a change; resolves to the reason of a refusal, or to undefined. */
  run<Answer>(key: Key, change: Change<Answer>): Promise<string | undefined>;
  mark(key: Key, state: ChangeState): void;
}

/**
 * Changes made by a press of a button instead of typing. Shows a refusal that arrives after the component has unmounted
 * in a toast.
 * @param reasonOf explains a failure to the user
 */
export function useChanges<Key>(reasonOf: (error: unknown) => string): Changes<Key> {
  const [states, setStates] = useState<ReadonlyMap<Key, ChangeState>>(new Map());
  const toastIfUnmounted = useToastAfterUnmount();
  const underWay = useRef(0);
  const mark = (key: Key, state: ChangeState) =>
    setStates((before) => new Map(before).set(key, state));
  return {
    states,
    mark,
    async run(key, { send, done, undo }) {
      mark(key, { state: 'saving' });
      underWay.current += 1;
      try {
        const answer = await send();
        done?.(answer, underWay.current === 1);
        mark(key, { state: 'saved' });
        return undefined;
      } catch (error) {
        const reason = reasonOf(error);
        mark(key, { state: 'failed', reason });
        toastIfUnmounted(reason);
        undo?.();
        return reason;
      } finally {
        underWay.current -= 1;
      }
    },
  };
}
