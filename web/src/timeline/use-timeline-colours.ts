import { type RefObject, useEffect, useState } from 'react';
import { readColours, type TimelineColours } from './draw.ts';

/** The colours of the current theme, read again when it changes; null before the first paint. */
export function useTimelineColours(element: RefObject<Element | null>): TimelineColours | null {
  const [colours, setColours] = useState<TimelineColours | null>(null);
  useEffect(() => {
    const read = () => element.current && setColours(readColours(element.current));
    read();
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    // The first labels may have been drawn before their font had loaded.
    document.fonts.ready.then(read, () => undefined);
    return () => observer.disconnect();
  }, [element]);
  return colours;
}
