import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';
import { isByKey } from '../../ui/last-input.ts';

/** Elements over the page in which Escape has a meaning of its own; a closed list of choices stays there. */
const OTHER_USERS = 'dialog[open], [role=dialog], [role=listbox]:not([data-closed]), [role=menu]';

/**
 * Lets the keyboard go into a drawer and out again: its heading has the focus when it opens, with a frame for who came by
 * keys, Escape closes it, and then the link of its row has the focus, or the button that adds one. A form that is not
 * saved asks first.
 * @param id of the row, or `new`
 * @param onClose leads to the list
 * @returns for the heading
 */
export function useDrawerFocus(
  id: string,
  onClose: () => void,
): RefObject<HTMLHeadingElement | null> {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const title = heading.current;
    // A field of the drawer may have taken the focus already.
    if (title?.closest('aside')?.contains(document.activeElement) === false) {
      // Browsers frame what a script focuses where nothing had the focus: on a page that was just opened, and in Safari
      // after a press on a link.
      title.style.outline = isByKey() ? '' : 'none';
      title.focus();
    }
    return () => {
      // The drawer of a row that was just made takes the place of the one that made it.
      const isFollowed = document.querySelector('[data-drawer]') !== null;
      if (isFollowed || document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>(`[data-row-id="${CSS.escape(id)}"]`)?.focus();
    };
  }, [id]);
  const close = useEffectEvent(onClose);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isTaken = event.target instanceof Element && event.target.closest('search') !== null;
      if (event.key !== 'Escape' || isTaken || document.querySelector(OTHER_USERS)) return;
      close();
    };
    // Before a popup that hears the same key is gone.
    document.addEventListener('keydown', press, { capture: true });
    return () => document.removeEventListener('keydown', press, { capture: true });
  }, []);
  return heading;
}
