import { columnOf } from './cell-addresses.ts';
import type { ReadProblem } from './read-table.ts';

/** Most cells of a sheet, counted as the rectangle that holds them all: the reader makes a grid of it. */
const MOST_CELLS = 5_000_000;
/** The last row that a sheet can have. Spreadsheets keep its height there; the reader makes a row for each one above. */
const LAST_ROW = 1_048_576;

/** A row or a cell up to the next tag. */
const ELEMENTS = /<(?:[\w.-]*:)?(row|c)(?=[\s/>])([^<]*)/g;
/** Its attributes; the sign that ends a tag may stand in a value. */
const ATTRIBUTES = /^(?:\s+[^\s=<>"']+\s*=\s*(?:"[^"]*"|'[^']*'))*\s*\/?>/;
/** Each of its numbers or addresses: the reader takes the last one, with any prefix. */
const ADDRESSES = /\s(?:[\w.-]*:)?r\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/**
 * Why a sheet cannot be read, by the addresses of its rows and cells; a small file may name the last cell there can be.
 * The reader knows more forms of tags and numbers than spreadsheets write: those are refused.
 * @param xml of the sheet
 * @returns undefined when it can be
 */
export function farCells(xml: string): ReadProblem | undefined {
  let [rows, columns] = [0, 0];
  for (const [, kind, rest = ''] of xml.matchAll(ELEMENTS)) {
    const [attributes] = ATTRIBUTES.exec(rest) ?? [];
    if (attributes === undefined) return 'other';
    for (const [, double, single] of attributes.matchAll(ADDRESSES)) {
      const form = kind === 'row' ? /^()(\d+)$/ : /^([A-Za-z]+)(\d+)$/;
      const [, letters, digits] = form.exec(double ?? single ?? '') ?? [];
      if (letters === undefined) return 'other';
      if (kind === 'row') {
        if (Number(digits) > LAST_ROW) return 'rows';
      } else {
        rows = Math.max(rows, Number(digits));
        columns = Math.max(columns, columnOf(letters));
      }
    }
  }
  if (rows * columns <= MOST_CELLS) return undefined;
  return rows > columns ? 'rows' : 'columns';
}
