import type { ImportKind } from '@ridewatch/contract/admin-import';
import type { ImportTexts } from './import-texts-ru.ts';

const LETTERS = 26;

/** The name of a column in spreadsheets, from 0: A to Z, then AA. */
export function letterOf(column: number): string {
  const last = String.fromCharCode('A'.charCodeAt(0) + (column % LETTERS));
  return column < LETTERS ? last : `${letterOf(Math.floor(column / LETTERS) - 1)}${last}`;
}

/** Names a column of a table, as the form and the list of its objects do. */
export function columnName(kind: ImportKind, column: string, text: ImportTexts): string {
  return text.ownColumns[kind]?.[column] ?? text.columns[column] ?? column;
}

/** The heading of a column as it is shown. @param heading of the file; blank: it has none */
export const shownHeading = (heading: string | undefined, text: ImportTexts): string =>
  heading?.trim() || text.noHeading;
