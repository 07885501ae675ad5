import type { ClipboardEvent, FocusEvent, KeyboardEvent, MouseEvent, RefObject } from 'react';
import { type BookCellsOptions, bookCells } from './book-cells.ts';
import { type Cell, cellAfter, placeBlock } from './cell-moves.ts';
import { readBlock } from './price-block.ts';
import { useSelection } from './use-selection.ts';

interface GridOptions extends BookCellsOptions {
  rowPx: number;
  columnPx: number;
  onBeyond: (count: number) => void;
}

/** The keyboard, pointer and clipboard of a price table, as in a spreadsheet. */
export function useGrid(frame: RefObject<HTMLDivElement | null>, options: GridOptions) {
  const { book, stops, isOpen, rowPx, columnPx, onBeyond } = options;
  const last = Math.max(0, stops.length - 1);
  const { active, selection, go, select, noteFocus } = useSelection(frame, last, {
    rowPx,
    columnPx,
  });
  const cells = bookCells(options);

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const isFar = event.ctrlKey || event.metaKey;
    const isTyping = isEditing(event.target);
    if (isFar && event.code === 'KeyA' && !isTyping) {
      event.preventDefault();
      select({ row: 0, column: 0 }, { row: last, column: last });
      return;
    }
    if (isFar && event.code === 'KeyZ' && !isTyping && isOpen) {
      event.preventDefault();
      book.undo();
      return;
    }
    if (event.key === 'Delete' && !isTyping) {
      event.preventDefault();
      cells.clear(selection);
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
      noteFocus(cell);
      return;
    }
    const head = headUnder(event.target);
    if (!cell && !head) return;
    // The code below focuses the input that replaces the text.
    event.preventDefault();
    if (cell) go(cell, event.shiftKey);
    else {
      select(
        { row: head?.row ?? 0, column: head?.column ?? 0 },
        { row: head?.row ?? last, column: head?.column ?? last },
      );
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
    noteFocus(cell);
  };

  const onCopy = (event: ClipboardEvent<HTMLElement>) => {
    if (isEditing(event.target)) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', cells.copy(selection));
  };
  const onCut = (event: ClipboardEvent<HTMLElement>) => {
    if (isEditing(event.target)) return;
    onCopy(event);
    cells.clear(selection);
  };
  const onPaste = (event: ClipboardEvent<HTMLElement>) => {
    const block = readBlock(event.clipboardData.getData('text/plain'));
    const isOne = block.length === 1 && block[0]?.length === 1;
    if (isEditing(event.target) && isOne) return;
    event.preventDefault();
    const size = { rows: stops.length, columns: stops.length };
    const { placed, beyond } = placeBlock(block, selection, size);
    onBeyond(beyond + cells.write(placed));
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
