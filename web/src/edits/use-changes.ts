import { useRef, useState } from 'react';
import { useSaidAnyway } from './use-said-anyway.ts';

/** What became of the last change to a record. */
export interface ChangeState {
  readonly state: 'saving' | 'saved' | 'failed';
  readonly reason?: string | undefined;
}

export interface Change<Answer> {
  /** Sends it. */
  send(): Promise<Answer>;
  /** It is stored; `isLast` when no other one is under way, so that the answer holds them all. */
  done?(answer: Answer, isLast: boolean): void;
  /** It is not stored: what showed it already takes it back. */
  undo?(): void;
}

export interface Changes<Key> {
  readonly states: ReadonlyMap<Key, ChangeState>;
  /** Makes a change; gives why it was refused, undefined when it is stored. */
  run<Answer>(key: Key, change: Change<Answer>): Promise<string | undefined>;
  mark(key: Key, state: ChangeState): void;
}

/**
 * Changes that a press makes, not typing: to records that are told apart by a key. What is refused after its place on
 * the page has gone is told in a toast.
 * @param reasonOf says why a change failed, for people
 */
export function useChanges<Key>(reasonOf: (error: unknown) => string): Changes<Key> {
  const [states, setStates] = useState<ReadonlyMap<Key, ChangeState>>(new Map());
  const sayAnyway = useSaidAnyway();
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
        sayAnyway(reason);
        undo?.();
        return reason;
      } finally {
        underWay.current -= 1;
      }
    },
  };
}
