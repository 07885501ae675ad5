import type { RouteStop } from '@ridewatch/contract/routes';
import { type Cell, cellsBetween, cornersOf } from './cell-moves.ts';
import { writeBlock } from './price-block.ts';
import { type PriceBook, shownCost } from './price-book.ts';

interface Selection {
  readonly from: Cell;
  readonly to: Cell;
}

export interface BookCellsOptions {
  book: PriceBook;
  /** Of the rows, and of the columns. */
  stops: readonly RouteStop[];
  /** The user may edit. */
  isOpen: boolean;
  /** Cells to earlier stops take no price. */
  isOneWay: boolean;
}

/** The prices of a book by the cells of its table. */
export function bookCells({ book, stops, isOpen, isOneWay }: BookCellsOptions) {
  const rideOf = ({ row, column }: Cell) => {
    const from = stops[row];
    const to = stops[column];
    return from && to && from.id !== to.id ? { from: from.id, to: to.id } : undefined;
  };
  /** Types texts into cells. @returns the number of texts without a ride */
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
  return {
    write,
    clear({ from, to }: Selection) {
      write(cellsBetween(from, to).map((cell) => ({ cell, text: '' })));
    },
    /** The prices of a block, as a spreadsheet takes them. */
    copy({ from, to }: Selection): string {
      const { top, left, bottom, right } = cornersOf(from, to);
      const rows = stops.slice(top, bottom + 1);
      const columns = stops.slice(left, right + 1);
      return writeBlock(
        rows.map((row) => columns.map((column) => shownCost(book.cellOf(row.id, column.id)))),
      );
    },
  };
}
