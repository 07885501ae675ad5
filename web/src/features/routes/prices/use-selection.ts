import { type RefObject, useLayoutEffect, useRef, useState } from 'react';
import type { Cell } from './cell-moves.ts';

const FIRST: Cell = { row: 0, column: 1 };

/**
 * The active cell and the selection of a price table. The focus follows the active cell.
 * @param last index of the last row and column
 * @param size of a cell
 */
export function useSelection(
  frame: RefObject<HTMLDivElement | null>,
  last: number,
  { rowPx, columnPx }: { rowPx: number; columnPx: number },
) {
  const [at, setAt] = useState<{ anchor: Cell; active: Cell }>({ anchor: FIRST, active: FIRST });
  const wantsFocus = useRef(false);
  const within = (cell: Cell): Cell => ({
    row: Math.min(cell.row, last),
    column: Math.min(cell.column, last),
  });
  const active = within(at.active);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!wantsFocus.current || !element) return;
    wantsFocus.current = false;
    reveal(element, active, rowPx, columnPx);
    element
      .querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
      ?.focus({ preventScroll: true });
  }, [frame, active, rowPx, columnPx]);
  return {
    active,
    selection: { from: within(at.anchor), to: active },
    /** Moves to a cell. @param isExtending the selection keeps its anchor */
    go(cell: Cell, isExtending: boolean) {
      wantsFocus.current = true;
      setAt((before) => ({ anchor: isExtending ? before.anchor : cell, active: cell }));
    },
    /** Selects a block; the second cell becomes active. */
    select(anchor: Cell, cell: Cell) {
      wantsFocus.current = true;
      setAt({ anchor, active: cell });
    },
    /** Makes a cell active that the browser focuses itself. */
    noteFocus(cell: Cell) {
      setAt({ anchor: cell, active: cell });
    },
  };
}

// Scroll the cell out from under the sticky headings.
function reveal(frame: HTMLElement, { row, column }: Cell, rowPx: number, columnPx: number): void {
  const corner = frame.querySelector<HTMLElement>('[data-all]');
  const roomX = frame.clientWidth - (corner?.offsetWidth ?? 0);
  const roomY = frame.clientHeight - (corner?.offsetHeight ?? 0);
  const inside = (now: number, start: number, size: number, room: number) => {
    if (start < now) return start;
    return start + size > now + room ? start + size - room : now;
  };
  frame.scrollTop = inside(frame.scrollTop, row * rowPx, rowPx, roomY);
  frame.scrollLeft = inside(frame.scrollLeft, column * columnPx, columnPx, roomX);
}
