import { guarded } from '@ridewatch/contract/csv-text';
import { readPrice, showPrice } from './price-text.ts';

/**
 * Reads a block of cells from a spreadsheet's clipboard: rows are lines; tabs, or else semicolons, separate cells;
 * cells that contain either are quoted. Headings around the prices are skipped.
 */
export function readBlock(text: string): string[][] {
  const mark = text.includes('\t') || !text.includes(';') ? '\t' : ';';
  const rows = rowsOf(text, mark);
  while (rows.length > 0 && rows.at(-1)?.every((cell) => cell === '')) rows.pop();
  return withoutHeadings(rows);
}

/** Writes a block of prices for a spreadsheet, with a decimal comma and without thousands separators. */
export function writeBlock(rows: readonly (readonly (string | null)[])[]): string {
  return rows
    .map((row) => row.map((cost) => showPrice(cost).replaceAll('\u00a0', '')).join('\t'))
    .join('\n');
}

/** Writes a whole table with its headings. */
export function writeTable(
  names: { rows: readonly string[]; columns: readonly string[] },
  rows: readonly (readonly (string | null)[])[],
): string {
  const lines = writeBlock(rows).split('\n');
  const body = lines.map((line, index) => `${headingOf(names.rows[index] ?? '')}\t${line}`);
  return [['', ...names.columns.map(headingOf)].join('\t'), ...body].join('\n');
}

// A spreadsheet runs what begins like a formula, also from its clipboard.
function headingOf(name: string): string {
  const text = guarded(name);
  return /[\t\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function rowsOf(text: string, mark: string): string[][] {
  const rows: string[][] = [[]];
  const cells = new RegExp(`(?:"((?:[^"]|"")*)"|([^${mark}\r\n]*))(${mark}|\r\n|\n|\r|$)`, 'y');
  for (;;) {
    const [, inQuotes, bare = '', end] = cells.exec(text) ?? [];
    rows.at(-1)?.push(inQuotes === undefined ? bare.trim() : inQuotes.replaceAll('""', '"'));
    if (end === undefined || end === '') return rows;
    if (end !== mark) rows.push([]);
  }
}

// A table copied as a whole has stop names above and beside its prices.
function withoutHeadings(rows: readonly string[][]): string[][] {
  const isHeading = (cells: readonly (string | undefined)[]) =>
    cells.some((cell) => cell) && cells.every((cell) => !cell || readPrice(cell) === undefined);
  const isTable = rows.length > 1 && rows.some((row) => row.length > 1);
  const below = isTable && isHeading(rows[0] ?? []) ? rows.slice(1) : [...rows];
  const isBeside = isTable && isHeading(below.map((row) => row[0]));
  return isBeside ? below.map((row) => row.slice(1)) : below;
}
