import { type ImportCell, textOfCell } from '@ridewatch/contract/admin-import';
import { LAST_HEADING, type SheetRows } from './read-table.ts';
import { isBlank } from './trimmed.ts';

/** Rows that may have the headings, from the first one with something in it. */
const MOST_LOOKED_AT = 10;

interface Headed extends SheetRows {
  /** Rows above the headings that have something in them, such as a title, and blank ones between. */
  readonly titles: number;
  /** The field of each column; null for those that nobody knows. */
  readonly columns: readonly (string | null)[];
}

/**
 * Finds the headings of a sheet, which may stand below a title: the row with most headings that are known, the upper one
 * of several.
 * @param guess tells what each column is by its heading; null: unknown
 * @returns the sheet from this row on, with as many headings as its widest row has cells; those that it lacks are empty
 */
export function findHeading(
  sheet: SheetRows,
  guess: (headings: readonly string[]) => readonly (string | null)[],
): Headed {
  const rows: readonly (readonly ImportCell[])[] = [sheet.names, ...sheet.rows];
  const most = Math.min(MOST_LOOKED_AT, LAST_HEADING - sheet.heading + 1);
  let best = { at: 0, known: 0 };
  // Of the widest row so far.
  let cells = 0;
  for (const [at, row] of rows.slice(0, most).entries()) {
    const filled = row.filter((cell) => !isBlank(cell)).length;
    const known = guess(row.map(textOfCell)).filter((column) => column !== null).length;
    // One word that is known may be a value, and a title is narrower than the headings: else this is an object.
    const isHeading = (known > 1 || known === filled) && (cells < filled || cells <= 1);
    if (at === 0 || isHeading) best = known > best.known ? { at, known } : best;
    cells = Math.max(cells, filled);
  }
  const below = rows.slice(best.at + 1);
  const own = (rows[best.at] ?? []).map(textOfCell);
  const width = below.reduce((widest, { length }) => Math.max(widest, length), own.length);
  const names = [...own, ...Array.from({ length: width - own.length }, () => '')];
  return {
    ...{ sheet: sheet.sheet, heading: sheet.heading + best.at, names, rows: below },
    ...{ titles: best.at, columns: guess(names) },
  };
}
