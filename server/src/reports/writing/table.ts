/**
 * The content of the cells of a column:
 * - `text`: text, whatever it begins with
 * - `integer`, `decimal`, `percent`: a number; percent as 12.5 for 12.5 %
 * - `money`: integer kopecks, written as roubles
 * - `day`: `YYYY-MM-DD`
 * - `moment`, `hour`: local wall time, ms since 1970 as if it were UTC; `hour` shows `HH:mm` alone
 */
export type CellType =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'percent'
  | 'money'
  | 'day'
  | 'moment'
  | 'hour';

export interface Column {
  readonly title: string;
  readonly type: CellType;
  /** In characters; the type decides unless given. */
  readonly width?: number;
}

/** Null: an empty cell. */
export type Cell = string | number | null;

/** A cell for each column. */
export type Row = readonly Cell[];

/** Rows under headings, for a file. */
export interface Table {
  /** Of its sheets. */
  readonly name: string;
  readonly columns: readonly Column[];
  /** The rows, some at a time: one lot is in memory, and takes a millisecond or two to write. */
  readonly lots: AsyncIterable<readonly Row[]>;
}

/** The text of a text cell. @throws TypeError when the row holds something else: a bug */
export function textOf(cell: Cell): string {
  if (typeof cell !== 'string') throw new TypeError(`${cell} is no text.`);
  return cell;
}

/** The number of a cell of any other type but `day`. @throws TypeError when the row holds something else: a bug */
export function numberOf(cell: Cell): number {
  if (typeof cell !== 'number' || !Number.isFinite(cell)) {
    throw new TypeError(`${cell} is no number.`);
  }
  return cell;
}
