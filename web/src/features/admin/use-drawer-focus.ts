import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/** Where Escape has a meaning of its own: what is open over the page, and the search. */
const OTHER_USERS = 'dialog[open], [role=dialog], [role=listbox], [role=menu]';

/**
 * Lets the keyboard go into a drawer and out again: its heading has the focus when it opens, Escape closes it, and then
 * the link of its row has the focus. A form that is not saved asks first.
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
    // A field of the drawer may have taken the focus already.
    const isOutside = heading.current?.closest('aside')?.contains(document.activeElement) === false;
    if (isOutside) heading.current?.focus();
    return () => {
      if (document.activeElement !== document.body) return;
      document.querySelector<HTMLElement>(`a[data-row-id="${CSS.escape(id)}"]`)?.focus();
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
