// Rows of comma-separated values (RFC 4180) out of pieces of text, without ever holding the whole. A quote counts only
// where a field begins, so that a name with a quote in it does not swallow what follows.

import { sentence } from './messages.ts';
import { FileRefusal } from './route-file.ts';

export type CsvRow = readonly string[];

/** Quoted fields may hold so many line ends; beyond that a quote was never closed. */
const MOST_LINES_OF_ROW = 200;
/** Longer than any row of data, characters. */
const MOST_OF_LINE = 1_000_000;

/** Reads rows piece by piece. */
export interface CsvReader {
  /** @throws FileRefusal for what is no table */
  push(text: string): void;
  end(): void;
}

/** @param onRow called for each row that is not empty, with the number of its first line, from 1 */
export function createCsvReader(
  delimiter: string,
  onRow: (row: CsvRow, line: number) => void,
): CsvReader {
  let rest = '';
  /** Lines of a row whose quote is still open. */
  let open: string[] = [];
  let number = 0;
  const take = (line: string): void => {
    number += 1;
    const text = line.endsWith('\r') ? line.slice(0, -1) : line;
    if (open.length === 0 && !text.includes('"')) {
      if (text !== '') onRow(text.split(delimiter), number);
      return;
    }
    open.push(text);
    const row = fieldsOf(open.join('\n'), delimiter);
    if (row !== null) {
      onRow(row, number - open.length + 1);
      open = [];
    } else if (open.length > MOST_LINES_OF_ROW) {
      throw new FileRefusal(sentence('openQuote', number - open.length + 1));
    }
  };
  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
      if (rest.length > MOST_OF_LINE) {
        throw new FileRefusal(sentence('longLine', number + 1));
      }
    },
    end() {
      if (rest !== '') take(rest);
      rest = '';
      if (open.length > 0) {
        throw new FileRefusal(sentence('openQuote', number - open.length + 1));
      }
    },
  };
}

/** The fields of a row; null while a quote is open. */
function fieldsOf(text: string, delimiter: string): string[] | null {
  const fields: string[] = [];
  let at = 0;
  while (at <= text.length) {
    if (text[at] !== '"') {
      const end = text.indexOf(delimiter, at);
      fields.push(text.slice(at, end < 0 ? text.length : end));
      if (end < 0) return fields;
      at = end + delimiter.length;
      continue;
    }
    const close = closingQuote(text, at + 1);
    if (close < 0) return null;
    // What stands between the quote and the delimiter belongs to nothing; it is kept.
    const end = text.indexOf(delimiter, close);
    const tail = text.slice(close + 1, end < 0 ? text.length : end);
    fields.push(text.slice(at + 1, close).replaceAll('""', '"') + tail.trimEnd());
    if (end < 0) return fields;
    at = end + delimiter.length;
  }
  return fields;
}

function closingQuote(text: string, from: number): number {
  let at = text.indexOf('"', from);
  while (at >= 0 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at;
}

/** So much of a text is taken apart at once, characters. */
const PIECE = 65_536;

/** Reads the rows of a text one by one; whoever throws out of `onRow` has read enough. */
export function eachRow(
  text: string,
  delimiter: string,
  onRow: (row: CsvRow, line: number) => void,
): void {
  const reader = createCsvReader(delimiter, onRow);
  // Old tables end their lines with a carriage return alone.
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  for (let at = 0; at < lines.length; at += PIECE) reader.push(lines.slice(at, at + PIECE));
  reader.end();
}

/** The delimiter of a table: of comma, semicolon and tab the one that its first line has most of. */
export function delimiterOf(text: string): string {
  const line = /[^\r\n]*\S[^\r\n]*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length - 1 }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}
