import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore } from 'react';
import { useConnectionLost } from '../core/connection.ts';
import type { Draft } from './draft-store.ts';
import { createEdits, type Edits, type EditsOptions } from './edits.ts';
import { useSaveOnLeave } from './use-save-on-leave.ts';
import { useToastAfterUnmount } from './use-toast-after-unmount.ts';

/**
 * Edits of a component. Sends waiting drafts when it unmounts or the page unloads, and failed ones when the connection
 * returns. Shows a refusal that arrives after the component has unmounted in a toast.
 * @param options callbacks of the latest render apply; the rest is taken from the first render
 * @param asks whether the page asks before it unloads with drafts that it cannot send
 */
export function useEdits<Key, Value>(
  options: EditsOptions<Key, Value>,
  asks = false,
): Edits<Key, Value> {
  const latest = useRef(options);
  useLayoutEffect(() => {
    latest.current = options;
  });
  const toastIfUnmounted = useToastAfterUnmount();
  const [edits] = useState(() =>
    createEdits<Key, Value>({
      ...options,
      save: (batch) => latest.current.save(batch),
      judge: async (error, batch, isRetry) => {
        const verdict = await latest.current.judge(error, batch, isRetry);
        const reason = 'reason' in verdict ? verdict.reason : undefined;
        // Automatic retries fail every few seconds while the connection is lost: say it once.
        const isKnown = isRetry && verdict.means === 'retry';
        if (reason !== undefined && !isKnown) toastIfUnmounted(reason);
        return verdict;
      },
      problemOf: (value) => latest.current.problemOf?.(value),
    }),
  );
  useSaveOnLeave(edits.leave);
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

/** The draft of a key; the component renders again when it changes. */
export function useDraft<Key, Value>(edits: Edits<Key, Value>, key: Key): Draft<Value> | undefined {
  return useSyncExternalStore(
    (listener) => edits.subscribe(listener, key),
    () => edits.draftOf(key),
  );
}
