/** A cell by row and column, from 0. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  readonly columns: number;
  /** Number of visible rows: the step of Page Up and Page Down. */
  readonly page: number;
}

type Press = Pick<KeyboardEvent, 'key' | 'shiftKey' | 'ctrlKey' | 'metaKey'>;

/**
 * The cell to which a key moves, as in a spreadsheet.
 * @returns undefined for other keys, and for Tab past the first or the last cell
 */
export function cellAfter(at: Cell, press: Press, size: GridSize): Cell | undefined {
  const { row, column } = at;
  const lastRow = size.rows - 1;
  const lastColumn = size.columns - 1;
  const isFar = press.ctrlKey || press.metaKey;
  const to = (nextRow: number, nextColumn: number): Cell => ({
    row: Math.min(Math.max(nextRow, 0), lastRow),
    column: Math.min(Math.max(nextColumn, 0), lastColumn),
  });
  switch (press.key) {
    case 'ArrowUp':
      return to(isFar ? 0 : row - 1, column);
    case 'ArrowDown':
      return to(isFar ? lastRow : row + 1, column);
    case 'ArrowLeft':
      return to(row, isFar ? 0 : column - 1);
    case 'ArrowRight':
      return to(row, isFar ? lastColumn : column + 1);
    case 'Enter':
      return to(row + (press.shiftKey ? -1 : 1), column);
    case 'Home':
      return to(isFar ? 0 : row, 0);
    case 'End':
      return to(isFar ? lastRow : row, lastColumn);
    case 'PageUp':
      return to(row - size.page, column);
    case 'PageDown':
      return to(row + size.page, column);
    case 'Tab':
      return along(at, press.shiftKey ? -1 : 1, size);
    default:
      return undefined;
  }
}

/** All cells of the rectangle between two corners, row by row. */
export function cellsBetween(a: Cell, b: Cell): Cell[] {
  const { top, left, bottom, right } = cornersOf(a, b);
  const cells: Cell[] = [];
  for (let row = top; row <= bottom; row += 1) {
    for (let column = left; column <= right; column += 1) cells.push({ row, column });
  }
  return cells;
}

/** The edges of the rectangle between two corners. */
export function cornersOf(a: Cell, b: Cell) {
  return {
    top: Math.min(a.row, b.row),
    left: Math.min(a.column, b.column),
    bottom: Math.max(a.row, b.row),
    right: Math.max(a.column, b.column),
  };
}

/**
 * Places a pasted block from the upper left corner of the selection; a single value fills the selection.
 * @returns the texts with their cells, and the number of cells beyond the table
 */
export function placeBlock(
  block: readonly (readonly string[])[],
  selection: { from: Cell; to: Cell },
  size: Pick<GridSize, 'rows' | 'columns'>,
): { placed: { cell: Cell; text: string }[]; beyond: number } {
  const { top, left } = cornersOf(selection.from, selection.to);
  const only = block.length === 1 && block[0]?.length === 1 ? block[0][0] : undefined;
  if (only !== undefined) {
    const cells = cellsBetween(selection.from, selection.to);
    return { placed: cells.map((cell) => ({ cell, text: only })), beyond: 0 };
  }
  const all = block.flatMap((texts, row) =>
    texts.map((text, column) => ({ cell: { row: top + row, column: left + column }, text })),
  );
  const placed = all.filter(({ cell }) => cell.row < size.rows && cell.column < size.columns);
  return { placed, beyond: all.length - placed.length };
}

// Tab moves row by row and leaves the table at either end, so that it does not trap the keyboard.
function along({ row, column }: Cell, by: 1 | -1, size: GridSize): Cell | undefined {
  const place = row * size.columns + column + by;
  if (place < 0 || place >= size.rows * size.columns) return undefined;
  return { row: Math.floor(place / size.columns), column: place % size.columns };
}
