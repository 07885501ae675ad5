import type { ImportCell } from '@ridewatch/contract/admin-import';
import { CsvError, parse } from 'csv-parse/browser/esm/sync';
import { LAST_HEADING, MOST_ROWS_READ } from './read-table.ts';
import { trimmed } from './trimmed.ts';
import { textCell } from './unread-cells.ts';
import { Unreadable } from './unreadable.ts';

/** The first line by which Excel knows the separator of a text. */
const SEPARATOR = /^"?sep=([^\w"\r\n])"?[ \t]*(?:\r\n|\n|\r|$)/i;

/** Lines that may tell the separator, and the characters in which they are looked for. */
const MOST_LINES = 11;
const LOOKED_AT = 100_000;

/**
 * Reads a text with commas, semicolons or tabs, in UTF-8 or windows-1251.
 * @returns its rows, blank ones too, but none at the end
 * @throws Unreadable
 */
export function readText(bytes: ArrayBuffer): ImportCell[][] {
  const text = decode(bytes);
  if (text.includes('\0')) throw new Unreadable('other');
  const [separatorLine = '', said] = SEPARATOR.exec(text) ?? [];
  // The line keeps its number in the file.
  const rows: ImportCell[][] = said === undefined ? [] : [[]];
  let filled = 0;
  let blank = 0;
  const table = text.slice(separatorLine.length);
  let readBytes = 0;
  try {
    parse(table, {
      delimiter: said ?? separatorOf(text),
      recordDelimiter: text.includes('\n') ? ['\r\n', '\n'] : ['\r'],
      relaxColumnCount: true,
      relaxQuotes: true,
      // Blank lines at the end, however many, take no room.
      onRecord: (record: string[], { bytes: end }) => {
        readBytes = end;
        const row = trimmed(record.map(textCell));
        if (row.length === 0) blank += 1;
        else {
          if (filled === 0 && rows.length + blank >= LAST_HEADING) throw new Unreadable('heading');
          if (filled > 0 && filled + blank > MOST_ROWS_READ) throw new Unreadable('rows');
          filled = filled === 0 ? 1 : filled + blank + 1;
          for (; blank > 0; blank -= 1) rows.push([]);
          rows.push(row);
        }
        return null;
      },
    });
  } catch (error) {
    const isOpen = error instanceof CsvError && error.code === 'CSV_QUOTE_NOT_CLOSED';
    if (isOpen) throw new Unreadable('quote', `${lineAfter(separatorLine, table, readBytes)}`);
    throw error;
  }
  return rows;
}

/** The line of the record after those that were read, from 1. The parser counts line ends in quotes wrong. */
function lineAfter(separatorLine: string, table: string, readBytes: number): number {
  const read = new TextDecoder().decode(new TextEncoder().encode(table).subarray(0, readBytes));
  return [...`${separatorLine}${read}`.matchAll(/\r\n|\n|\r/g)].length + 1;
}

/**
 * The separator that most parts the first line with any. A title above the headings may have none, or one that the line
 * below it lacks.
 */
function separatorOf(text: string): string {
  const marks = [';', '\t', ','];
  const lines = text
    .slice(0, LOOKED_AT)
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== '')
    .slice(0, MOST_LINES);
  const found = lines.map((line) => {
    const counted = marks.map((mark) => ({ mark, count: line.split(mark).length }));
    return counted.reduce((best, one) => (one.count > best.count ? one : best));
  });
  const parted = found.flatMap(({ mark, count }, at) => (count > 1 ? [{ mark, at }] : []));
  const [first] = parted;
  const sure = parted.find(({ mark, at }) => lines[at + 1]?.includes(mark));
  return (sure ?? first)?.mark ?? ';';
}

function decode(bytes: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1251').decode(bytes);
  }
}
