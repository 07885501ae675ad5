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
  // An input of a count takes digits; other keys control the video. It gets also what makes a digit another number, on
  // whatever key the layout has that, to refuse it.
  if (target.closest('[data-count]'))
    return (
      /^(Digit|Numpad(?!Enter)|Backspace|Delete|Home|End|Tab)/.test(event.code) ||
      /^[.,+-]$/.test(event.key)
    );
  if (target.closest('input:not([type=range], [type=checkbox]), textarea, select')) return true;
  if (target.closest(OPEN)) return true;
  if (target.closest('[data-player-keys]')) return false;
  return event.code === 'Space' && target.closest('button, a, input, [role=slider]') !== null;
}
