import { type RefObject, useEffect, useRef } from 'react';

/**
 * Leads the focus to the row whose drawer was closed, where the drawer has not found it: in a list that was hidden
 * beneath it, or out of view. The list itself has the focus until the row is there.
 * @param openId id of the row whose drawer is open; NaN: none is
 * @param isReady whether the list knows which rows are in view
 * @param show brings the row into view; false: the list does not know it
 */
export function useRowFocus(
  list: RefObject<HTMLElement | null>,
  openId: number,
  { isReady, show }: { readonly isReady: boolean; readonly show: (id: number) => boolean },
): void {
  const opened = useRef(openId);
  const wanted = useRef<number>(undefined);
  useEffect(() => {
    const id = opened.current;
    opened.current = openId;
    const isClosed = Number.isNaN(openId) && !Number.isNaN(id);
    if (!isClosed || document.activeElement !== document.body) return;
    wanted.current = id;
    list.current?.focus({ preventScroll: true });
  }, [list, openId]);
  useEffect(() => {
    const id = wanted.current;
    if (id === undefined || !isReady) return;
    const hasFocus = document.activeElement === list.current;
    const link = list.current?.querySelector<HTMLElement>(`a[data-row-id="${id}"]`);
    if (hasFocus && link) link.focus();
    else if (hasFocus && show(id)) return;
    wanted.current = undefined;
  });
}
