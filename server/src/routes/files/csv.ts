// Reads rows of comma-separated values (RFC 4180) from chunks of text, without keeping all of it in memory. A quote
// opens only at the start of a field, so that a quote inside a name does not swallow the following fields.

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { CsvError, type Options, parse } from 'csv-parse';
import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';

export type CsvRow = readonly string[];

/** Most characters of a row. A longer one lacks a closing quote, or is no table. */
const MOST_OF_ROW = 1_000_000;

/** How tables are read: rows may be of different lengths, and blank lines are none. */
export const csvOptions = (delimiter: string) =>
  ({
    ...{ delimiter, record_delimiter: ['\r\n', '\n'], max_record_size: MOST_OF_ROW },
    ...{ relax_quotes: true, relax_column_count: true, skip_empty_lines: true },
  }) satisfies Options;

/**
 * Reads rows. A throw from `onRow` ends the reading.
 * @param onRow called for each row that is not empty, with the number of its last line, from 1
 * @throws FileRefusal for an unclosed quote or a too long row
 */
export async function eachRow(
  texts: Iterable<string> | AsyncIterable<string>,
  delimiter: string,
  onRow: (row: CsvRow, lastLine: number) => void,
): Promise<void> {
  let lines = 0;
  // A stream of rows would lose those before an error.
  const parser = parse({
    ...csvOptions(delimiter),
    on_record: (row: CsvRow, info) => {
      lines = info.lines;
      onRow(row, lines);
      return null;
    },
  });
  try {
    await pipeline(Readable.from(texts), parser);
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const isOpen = error.code === 'CSV_QUOTE_NOT_CLOSED';
    throw new FileRefusal(message(isOpen ? 'openQuote' : 'longLine', lines + 1));
  }
}

/** The line in which a row begins. @param last the line in which it ends */
export const firstLineOf = (row: CsvRow, last: number): number =>
  last - row.reduce((sum, field) => sum + (field.split('\n').length - 1), 0);

/** Characters of a chunk. */
const CHUNK_LENGTH = 65_536;

/** A text as chunks. Some old tables end their lines with a carriage return alone. */
export function* chunksOf(text: string): Generator<string> {
  const lines = text.includes('\n') ? text : text.replaceAll('\r', '\n');
  for (let at = 0; at < lines.length; at += CHUNK_LENGTH) yield lines.slice(at, at + CHUNK_LENGTH);
}

/** Finds the delimiter of a table: the most frequent of comma, semicolon and tab in its first line. */
export function delimiterOf(text: string): string {
  const line = /[^\r\n]*\S[^\r\n]*/.exec(text)?.[0] ?? '';
  const counts = [',', ';', '\t'].map((mark) => ({ mark, count: line.split(mark).length - 1 }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}
