// Reads rows of comma-separated values (RFC 4180) from chunks of text, without keeping all of it in memory. A quote
// opens only at the start of a field, so that a quote inside a name does not swallow the following fields.

import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

export type CsvRow = readonly string[];

/** Most lines of a row with quoted fields. A longer row lacks a closing quote. */
const MOST_LINES_OF_ROW = 200;
/** Most characters of a line. */
const MOST_OF_LINE = 1_000_000;

/** Reads rows from chunks of text. */
export interface CsvReader {
  /** Reads a chunk. @throws FileRefusal for an unclosed quote or a too long line */
  push(text: string): void;
  end(): void;
}

/** Creates a reader. @param onRow called for each row that is not empty, with the number of its first line, from 1 */
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
      throw new FileRefusal(message('openQuote', number - open.length + 1));
    }
  };
  return {
    push(text) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
      if (rest.length > MOST_OF_LINE) {
        throw new FileRefusal(message('longLine', number + 1));
      }
    },
    end() {
      if (rest !== '') take(rest);
      rest = '';
      if (open.length > 0) {
        throw new FileRefusal(message('openQuote', number - open.length + 1));
      }
    },
  };
}

/** Splits a row into its fields. @returns null while a quote is open */
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
    // Keep text between the closing quote and the delimiter.
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

/** Characters of a chunk. */
const CHUNK_LENGTH = 65_536;

/** Reads the rows of a text one by one. A throw from `onRow` ends the reading. */
export function eachRow(
  text: string,
  delimiter: string,
  onRow: (row: CsvRow, line: number) => void,
): void {
  const reader = createCsvReader(delimiter, onRow);
  // Some old tables end their lines with a carriage return alone.
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  for (let at = 0; at < lines.length; at += CHUNK_LENGTH)
    reader.push(lines.slice(at, at + CHUNK_LENGTH));
  reader.end();
}

/** Finds the delimiter of a table: the most frequent of comma, semicolon and tab in its first line. */
export function delimiterOf(text: string): string {
  const line = /[^\r\n]*\S[^\r\n]*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length - 1 }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}
