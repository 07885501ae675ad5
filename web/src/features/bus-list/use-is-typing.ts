import { useEffect, useState } from 'react';

/** Nobody pauses for this long within a word, ms. */
const PAUSE_MS = 600;

/** Whether the text has changed a moment ago; not when it is new. */
export function useIsTyping(text: string): boolean {
  const [last, setLast] = useState({ text, isTyping: false });
  if (last.text !== text) setLast({ text, isTyping: true });
  useEffect(() => {
    if (!last.isTyping) return;
    const timer = setTimeout(() => setLast((now) => ({ ...now, isTyping: false })), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [last]);
  return last.isTyping;
}
