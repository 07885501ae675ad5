import { useCallback, useEffect, useState } from 'react';

/** A user who types goes on before this, also on a slow machine, ms. */
const PAUSE_MS = 1500;

/**
 * Whether the user types: the text has changed a moment ago, but not when it is new.
 * @returns `begin`: notes that the user is about to type
 */
export function useIsTyping(text: string): { isTyping: boolean; begin: () => void } {
  const [last, setLast] = useState({ text, isTyping: false });
  if (last.text !== text) setLast({ text, isTyping: true });
  useEffect(() => {
    if (!last.isTyping) return;
    const timer = setTimeout(() => setLast((now) => ({ ...now, isTyping: false })), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [last]);
  const begin = useCallback(() => setLast((now) => ({ ...now, isTyping: true })), []);
  return { isTyping: last.isTyping, begin };
}
