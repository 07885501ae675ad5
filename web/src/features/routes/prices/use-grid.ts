import type { RouteStop } from '@ridewatch/contract/routes';
import {
  type ClipboardEvent,
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { type Cell, cellAfter, cellsBetween, cornersOf, placeBlock } from './cell-moves.ts';
import { readBlock, writeBlock } from './price-block.ts';
import { type PriceBook, shownCost } from './price-book.ts';

interface GridOptions {
  book: PriceBook;
  stops: readonly RouteStop[];
  isOpen: boolean;
  isOneWay: boolean;
  rowPx: number;
  columnPx: number;
  onBeyond: (count: number) => void;
}

const FIRST: Cell = { row: 0, column: 1 };

/** The active cell and the selection of a price table, with keyboard, pointer and clipboard as in a spreadsheet. */
export function useGrid(frame: RefObject<HTMLDivElement | null>, options: GridOptions) {
  const { book, stops, isOpen, isOneWay, rowPx, columnPx, onBeyond } = options;
  const [at, setAt] = useState<{ anchor: Cell; active: Cell }>({ anchor: FIRST, active: FIRST });
  const wantsFocus = useRef(false);
  const last = Math.max(0, stops.length - 1);
  const within = (cell: Cell): Cell => ({
    row: Math.min(cell.row, last),
    column: Math.min(cell.column, last),
  });
  const active = within(at.active);
  const selection = { from: within(at.anchor), to: active };

  const go = (cell: Cell, isExtending: boolean) => {
    wantsFocus.current = true;
    setAt((before) => ({ anchor: isExtending ? before.anchor : cell, active: cell }));
  };
  useLayoutEffect(() => {
    const element = frame.current;
    if (!wantsFocus.current || !element) return;
    wantsFocus.current = false;
    reveal(element, active, rowPx, columnPx);
    element
      .querySelector<HTMLElement>(`[data-cell="${active.row}:${active.column}"]`)
      ?.focus({ preventScroll: true });
  }, [frame, active, rowPx, columnPx]);

  const rideOf = ({ row, column }: Cell) => {
    const from = stops[row];
    const to = stops[column];
    return from && to && from.id !== to.id ? { from: from.id, to: to.id } : undefined;
  };
  /** @returns the number of texts without a ride */
  const write = (texts: readonly { cell: Cell; text: string }[]): number => {
    const rides = texts.map(({ cell, text }) => {
      const isNowhere = isOneWay && cell.column < cell.row && text !== '';
      const ride = isNowhere ? undefined : rideOf(cell);
      return { text, ride };
    });
    const typed = rides.flatMap(({ ride, text }) => (ride ? [{ ...ride, text }] : []));
    if (isOpen && typed.length > 0) book.type(typed);
    return rides.filter(({ ride, text }) => ride === undefined && text !== '').length;
  };
  const clear = () => {
    write(cellsBetween(selection.from, selection.to).map((cell) => ({ cell, text: '' })));
  };
  const copied = () => {
    const { top, left, bottom, right } = cornersOf(selection.from, selection.to);
    const rows = stops.slice(top, bottom + 1);
    const columns = stops.slice(left, right + 1);
    return writeBlock(
      rows.map((from) => columns.map((to) => shownCost(book.cellOf(from.id, to.id)))),
    );
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isFar = event.ctrlKey || event.metaKey;
    const isTyping = isEditing(event.target);
    if (isFar && event.code === 'KeyA' && !isTyping) {
      event.preventDefault();
      wantsFocus.current = true;
      setAt({ anchor: { row: 0, column: 0 }, active: { row: last, column: last } });
      return;
    }
    if (isFar && event.code === 'KeyZ' && !isTyping && isOpen) {
      event.preventDefault();
      book.undo();
      return;
    }
    if (event.key === 'Delete' && !isTyping) {
      event.preventDefault();
      clear();
      return;
    }
    if (event.key === 'Escape') {
      // Focus the end of the table, so that Tab goes on behind it.
      frame.current?.querySelector<HTMLElement>('[data-end]')?.focus();
      return;
    }
    const page = Math.max(1, Math.floor((frame.current?.clientHeight ?? 0) / rowPx) - 4);
    const next = cellAfter(active, event, { rows: stops.length, columns: stops.length, page });
    if (!next) return;
    event.preventDefault();
    go(next, event.shiftKey && event.key.startsWith('Arrow'));
  };

  // Phones send this event with a tap, not at the start of scrolling.
  const onMouseDown = (event: MouseEvent<HTMLElement>) => {
    const cell = cellUnder(event.target);
    const isField = event.target instanceof HTMLInputElement;
    if (cell && isField && !event.shiftKey) {
      setAt({ anchor: cell, active: cell });
      return;
    }
    const head = headUnder(event.target);
    if (!cell && !head) return;
    // The code below focuses the input that replaces the text.
    event.preventDefault();
    wantsFocus.current = true;
    if (cell) {
      setAt((before) => ({ anchor: event.shiftKey ? before.anchor : cell, active: cell }));
    } else {
      setAt({
        anchor: { row: head?.row ?? 0, column: head?.column ?? 0 },
        active: { row: head?.row ?? last, column: head?.column ?? last },
      });
    }
  };
  const onMouseMove = (event: MouseEvent<HTMLElement>) => {
    if (event.buttons !== 1) return;
    const cell = cellUnder(document.elementFromPoint(event.clientX, event.clientY));
    if (!cell || (cell.row === active.row && cell.column === active.column)) return;
    event.preventDefault();
    go(cell, true);
  };
  // Assistive technology may focus any cell.
  const onFocus = (event: FocusEvent<HTMLElement>) => {
    const cell = cellUnder(event.target);
    if (!cell || (cell.row === active.row && cell.column === active.column)) return;
    setAt({ anchor: cell, active: cell });
  };

  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    if (isEditing(event.target)) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', copied());
  };
  const onCut = (event: ClipboardEvent<HTMLElement>) => {
    if (isEditing(event.target)) return;
    onCopy(event);
    clear();
  };
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    const block = readBlock(event.clipboardData.getData('text/plain'));
    const isOne = block.length === 1 && block[0]?.length === 1;
    if (isEditing(event.target) && isOne) return;
    event.preventDefault();
    const size = { rows: stops.length, columns: stops.length };
    const { placed, beyond } = placeBlock(block, selection, size);
    onBeyond(beyond + write(placed));
  };

  return {
    active,
    selection,
    handlers: { onKeyDown, onFocus, onMouseDown, onMouseMove, onCopy, onCut, onPaste },
  };
}

function isEditing(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.dataset.editing !== undefined;
}

function cellUnder(target: EventTarget | null): Cell | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const named = target.closest<HTMLElement>('[data-cell]')?.dataset.cell;
  const [row, column] = named?.split(':').map(Number) ?? [];
  return row === undefined || column === undefined ? undefined : { row, column };
}

function headUnder(target: EventTarget | null): { row?: number; column?: number } | undefined {
  if (!(target instanceof HTMLElement)) return undefined;
  const { row, column, all } =
    target.closest<HTMLElement>('[data-row], [data-column], [data-all]')?.dataset ?? {};
  if (row !== undefined) return { row: Number(row) };
  if (column !== undefined) return { column: Number(column) };
  return all === undefined ? undefined : {};
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
