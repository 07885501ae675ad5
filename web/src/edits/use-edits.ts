import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useConnectionLost } from '../connection.ts';
import type { Draft } from './draft-store.ts';
import { createEdits, type Edits, type EditsOptions } from './edits.ts';
import { useLeaving } from './use-leaving.ts';
import { useSaidAnyway } from './use-said-anyway.ts';

/**
 * Edits of a part of the page. What waits is sent when the part goes or the page is left, and what failed when the
 * connection is back. A refusal that comes after the part has gone is told in a toast.
 * @param options those of the last render count; only the way of saving is taken from the first one
 * @param asks the page asks whether it may be left with what cannot be sent then
 */
export function useEdits<Key, Value>(
  options: EditsOptions<Key, Value>,
  asks = false,
): Edits<Key, Value> {
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const sayAnyway = useSaidAnyway();
  const [edits] = useState(() =>
    createEdits<Key, Value>({
      ...options,
      save: (batch) => latest.current.save(batch),
      judge: async (...failure) => {
        const verdict = await latest.current.judge(...failure);
        if ('reason' in verdict && verdict.reason !== undefined) sayAnyway(verdict.reason);
        return verdict;
      },
      problemOf: (value) => latest.current.problemOf?.(value),
    }),
  );
  // The field's own listeners run before: what is typed in it waits here by then.
  useLeaving(edits.leave);
  useEffect(() => {
    if (!asks) return;
    const ask = (event: BeforeUnloadEvent) => {
      if (edits.mustAsk()) event.preventDefault();
    };
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [edits, asks]);
  const isLost = useConnectionLost();
  useEffect(() => {
    if (!isLost) edits.retry();
  }, [edits, isLost]);
  return edits;
}

/** The draft under a key, followed by the component. */
export function useDraft<Key, Value>(edits: Edits<Key, Value>, key: Key): Draft<Value> | undefined {
  return useSyncExternalStore(
    (listener) => edits.subscribe(listener, key),
    () => edits.draftOf(key),
  );
}
