import { type ImportCheck, textOfCell } from '@ridewatch/contract/admin-import';
import { columnName, shownHeading } from './cell-names.ts';
import type { ImportTexts } from './import-texts-ru.ts';
import type { EditedTable } from './use-check.ts';

/** Rows whose cells decide how wide columns are. */
const MOST_ROWS = 200;
/** A column has room for as many characters, and for more only as far as others leave some. */
const [LEAST, MOST] = [6, 28];
/** The most for a column that says what is wrong or what was before. */
const MOST_WITH_NOTE = 48;
/** Room beside a text, in characters: the padding of a cell; the arrows of a heading; the gap before a note. */
const [PADDING, ARROWS, GAP] = [2.5, 6, 1.5];
/** The field of a cell with a fault. */
const FIELD = 10.5;
/** Notes have smaller letters. */
const SMALL = 0.76;

/**
 * The widths of the columns of a table for `grid-template-columns`: what is in them can be read, long texts are cut.
 * @param check names cells with faults and changes
 */
export function widthsOf(
  table: EditedTable,
  check: Pick<ImportCheck, 'faults' | 'changed'> | undefined,
  text: ImportTexts,
): string {
  const noted = new Map<number, number>();
  const note = (column: number, besides: number, said: string): void => {
    const wanted = besides + GAP + said.length * SMALL;
    noted.set(column, Math.max(noted.get(column) ?? 0, wanted));
  };
  for (const one of check?.faults ?? []) note(one.column, FIELD, text.wrong(one));
  for (const one of check?.changed ?? [])
    note(one.column, one.value.length, text.before(one.before));
  const rows = table.rows.slice(0, MOST_ROWS);
  return table.columns
    .map((column, at) => {
      const cells = rows.map((row) => textOfCell(row[at]).length);
      const heading = column === null ? text.leftOut : columnName(table.kind, column, text);
      const wanted = Math.max(
        LEAST,
        shownHeading(table.names[at], text).length * SMALL + GAP,
        ...cells,
      );
      const inCells = Math.max(
        Math.min(wanted, MOST),
        Math.min(noted.get(at) ?? 0, MOST_WITH_NOTE),
      );
      const width = Math.ceil(Math.max(inCells + PADDING, heading.length + ARROWS));
      return `minmax(${width}ch, ${width}fr)`;
    })
    .join(' ');
}
