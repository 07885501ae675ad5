import { useEffect, useEffectEvent } from 'react';

/** Open layers that keep their keys. */
const OPEN =
  'dialog[open]:not([data-page-keys]), [popover]:popover-open, [role=dialog], [role=listbox]';

/**
 * Hears keys of the page, unless somebody types or a dialog is open. Keys are known by their physical places.
 * @param perform whether the key was the page's
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

// A control keeps the keys that it needs itself; in the list and the player they belong to the video.
function isTaken(event: KeyboardEvent): boolean {
  // Those belong to the browser: with [ and ] they go back and forth.
  if (event.ctrlKey || event.metaKey || event.altKey) return true;
  const { target } = event;
  if (!(target instanceof Element)) return false;
  // In a count only digits are typed; the other keys act on the video while one counts.
  if (target.closest('[data-count]'))
    return /^(Digit|Numpad\d|Backspace|Delete|Home|End|Tab)/.test(event.code);
  if (target.closest('input:not([type=range], [type=checkbox]), textarea, select')) return true;
  if (target.closest(OPEN)) return true;
  if (target.closest('[data-player-keys]')) return false;
  return event.code === 'Space' && target.closest('button, a, input, [role=slider]') !== null;
}
