import { columnOf } from './cell-addresses.ts';

/** Most cells of a sheet, counted as the rectangle that holds them all: the reader makes a grid of it. */
const MOST_CELLS = 5_000_000;

/**
 * Why a sheet is too large to be read, by the addresses of its cells; a small file may name the last cell there can be.
 * @param xml of the sheet
 * @returns undefined when it is not
 */
export function farCells(xml: string): 'rows' | 'columns' | undefined {
  let [rows, columns] = [0, 0];
  for (const [, letters = '', digits = ''] of xml.matchAll(/\sr\s*=\s*["']([A-Za-z]+)(\d+)["']/g)) {
    rows = Math.max(rows, Number(digits));
    columns = Math.max(columns, columnOf(letters));
  }
  if (rows * columns <= MOST_CELLS) return undefined;
  return rows > columns ? 'rows' : 'columns';
}
