import {
  type ImportCell,
  MAX_IMPORT_BYTES,
  MOST_IMPORT_COLUMNS,
  textOfCell,
} from '@ridewatch/contract/admin-import';
import { strFromU8, strToU8, unzipSync, type Zippable, zipSync } from 'fflate';
import readSheets, { type CellValue } from 'read-excel-file/web-worker';
import { withAddresses } from './cell-addresses.ts';
import { letterOf } from './cell-names.ts';
import { isOf1904, withEpoch } from './epoch.ts';
import { farCells } from './far-cells.ts';
import { LAST_HEADING, MOST_ROWS_READ, type SheetRows } from './read-table.ts';
import { readText } from './read-text.ts';
import { isBlank, trimmed } from './trimmed.ts';
import { markUnread, numberCell, textCell } from './unread-cells.ts';
import { Unreadable } from './unreadable.ts';

/** Most bytes that a spreadsheet may unpack to. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Most bytes of the rows in a request; the rest of it is for headings and for cells that are mended. */
const MAX_ROWS_BYTES = MAX_IMPORT_BYTES - 1024 * 1024;
const ZIP = [0x50, 0x4b] as const;
/** The files in which the reader looks for the workbook and for sheets: the workbook names them. */
const WORKBOOK = 'xl/workbook.xml';
const MAY_BE_SHEET = /\.xml(?:\.rels)?$/;

/**
 * Reads the first sheet with content of a spreadsheet, or a text.
 * @throws Unreadable
 */
export async function readCells(bytes: ArrayBuffer): Promise<SheetRows> {
  const [first, second] = new Uint8Array(bytes);
  const isZip = first === ZIP[0] && second === ZIP[1];
  const { name, cells } = isZip
    ? await readSpreadsheet(bytes)
    : { name: null, cells: readText(bytes) };
  while (cells.at(-1)?.every(isBlank)) cells.pop();
  const heading = cells.findIndex((row) => !row.every(isBlank));
  if (heading < 0) throw new Unreadable('empty');
  if (heading >= LAST_HEADING) throw new Unreadable('heading');
  if (cells.length - heading - 1 > MOST_ROWS_READ) throw new Unreadable('rows');
  if (cells.some((row) => row.length > MOST_IMPORT_COLUMNS)) throw new Unreadable('columns');
  const rows = cells.slice(heading + 1);
  if (new Blob([JSON.stringify(rows)]).size > MAX_ROWS_BYTES) throw new Unreadable('large');
  return {
    sheet: name,
    heading: heading + 1,
    names: (cells[heading] ?? []).map(textOfCell),
    rows,
  };
}

async function readSpreadsheet(bytes: ArrayBuffer) {
  let unpacked = 0;
  // Lists the archive without unpacking it. The unpacker gives a file no more room than the list says.
  unzipSync(new Uint8Array(bytes), {
    filter: ({ originalSize }) => {
      unpacked += originalSize;
      return false;
    },
  });
  if (unpacked > MAX_UNPACKED_BYTES) throw new Unreadable('large');
  const sheets = await readSheets(marked(bytes), { parseNumber: numberCell }).catch(nameCell);
  const filled = sheets.find(({ data }) => data.length > 0);
  if (filled === undefined) throw new Unreadable('empty');
  return { name: filled.sheet, cells: filled.data.map((row) => trimmed(row.map(cellOf))) };
}

/** Throws the cell that the reader names, as in `<c/> at row 4, col 3: VALUE_INVALID`. */
function nameCell(error: unknown): never {
  const [, row, column] = /row (\d+), col (\d+)/.exec(String(error)) ?? [];
  if (row === undefined) throw error;
  throw new Unreadable('cell', `${letterOf(Number(column) - 1)}${row}`);
}

/** The file with an address in every cell, and marks in those that the reader would take for empty or not take. */
function marked(bytes: ArrayBuffer): ArrayBuffer {
  const files = unzipSync(new Uint8Array(bytes), { filter: ({ name }) => MAY_BE_SHEET.test(name) });
  const workbook = files[WORKBOOK];
  const changed: Zippable = {};
  const keep = (name: string, stored: string, xml: string): void => {
    if (xml !== stored) changed[name] = strToU8(xml);
  };
  const storedWorkbook = workbook ? strFromU8(workbook) : '';
  const book = withEpoch(storedWorkbook);
  keep(WORKBOOK, storedWorkbook, book);
  for (const [name, file] of Object.entries(files)) {
    const stored = strFromU8(file);
    if (!stored.includes('sheetData')) continue;
    const xml = withAddresses(stored);
    const problem = farCells(xml);
    if (problem) throw new Unreadable(problem);
    keep(name, stored, markUnread(xml, isOf1904(book)));
  }
  if (Object.keys(changed).length === 0) return bytes;
  const packed = zipSync({ ...unzipSync(new Uint8Array(bytes)), ...changed }, { level: 0 });
  return packed.buffer;
}

// A formula is the value that the spreadsheet last stored for it.
function cellOf(cell: CellValue<ImportCell> | null): ImportCell {
  if (cell === null) return '';
  if (cell instanceof Date) return cell.toISOString().split('T')[0] ?? '';
  return typeof cell === 'object' ? cell : textCell(String(cell));
}
