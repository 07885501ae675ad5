import { useEffect, useEffectEvent } from 'react';

/** Open layers, which get the keys instead. */
const OPEN =
  'dialog[open]:not([data-page-keys]), [popover]:popover-open, [role=dialog], [role=listbox]';

/**
 * Handles the page's keyboard shortcuts, unless the user types or a dialog is open.
 * @param perform takes a key, of which it compares the physical `code`; returns whether it handled it
 */
export function useDayKeys(perform: (event: KeyboardEvent) => boolean): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isTaken(event)) return;
    if (perform(event)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);
}

// A control keeps the keys that it needs; in the list and the player they control the video.
function isTaken(event: KeyboardEvent): boolean {
  // These are the browser's: with [ and ] they go back and forward.
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  // An input of a count takes only digits; other keys control the video.
  if (target.closest('[data-count]'))
    return /^(Digit|Numpad\d|Backspace|Delete|Home|End|Tab)/.test(event.code);
  if (target.closest('input:not([type=range], [type=checkbox]), textarea, select')) return true;
  if (target.closest(OPEN)) return true;
  if (target.closest('[data-player-keys]')) return false;
  return event.code === 'Space' && target.closest('button, a, input, [role=slider]') !== null;
}
