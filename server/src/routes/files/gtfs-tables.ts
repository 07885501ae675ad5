// Reads the tables of a GTFS feed row by row from the archive.

import { createCsvReader } from './csv.ts';
import { sentence } from './messages.ts';
import { FileRefusal } from './route-file.ts';
import { encodingOf } from './text.ts';
import { type Budget, readEntry, type ZipEntry } from './zip.ts';

/** A feed in an archive; its tables may be in a folder. */
export interface Feed {
  readonly bytes: Uint8Array;
  /** By the table's name: `stops`. */
  readonly tables: ReadonlyMap<string, ZipEntry>;
  readonly budget: Budget;
}

/** Feeds of whole countries have this many rows in all; more is refused. */
const MAX_ROWS = 20_000_000;

/** Without these there is no pattern. */
const NEEDED = ['routes', 'trips', 'stop_times', 'stops'];

/**
 * The feed in an archive.
 * @returns null when the archive has none
 * @throws FileRefusal when a table is missing
 */
export function findFeed(
  bytes: Uint8Array,
  entries: readonly ZipEntry[],
  budget: Budget,
): Feed | null {
  const tables = new Map<string, ZipEntry>();
  for (const entry of entries) {
    const [, table] = /(?:^|[\\/])(\w+)\.txt$/i.exec(entry.name) ?? [];
    const isCopy = /(?:^|[\\/])__MACOSX[\\/]/.test(entry.name);
    if (table !== undefined && !isCopy) tables.set(table.toLowerCase(), entry);
  }
  const missing = NEEDED.filter((table) => !tables.has(table));
  if (missing.length === NEEDED.length) return null;
  if (missing.length > 0) {
    const names = missing.map((table) => `${table}.txt`).join(', ');
    throw new FileRefusal(sentence('noFeedTable', names));
  }
  return { bytes, tables, budget };
}

/**
 * Reads a table.
 * @param fields column names; `!` after a name makes it mandatory
 * @param onRow gets the fields in that order; a missing table has no rows
 * @throws FileRefusal
 */
export async function readTable(
  feed: Feed,
  table: string,
  fields: readonly string[],
  onRow: (values: readonly string[]) => void,
): Promise<void> {
  const entry = feed.tables.get(table);
  if (entry === undefined) return;
  let at: number[] | undefined;
  let rows = 0;
  const reader = createCsvReader(',', (row) => {
    rows += 1;
    if (rows > MAX_ROWS) throw new FileRefusal(sentence('manyRows', `${table}.txt`, MAX_ROWS));
    if (at === undefined) at = columnsOf(table, row, fields);
    else onRow(at.map((column) => (row[column] ?? '').trim()));
  });
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const piece of readEntry(feed.bytes, entry, feed.budget)) {
    decoder ??= new TextDecoder(encodingOfPiece(piece));
    reader.push(decoder.decode(piece, { stream: true }));
  }
  reader.push(decoder?.decode() ?? '');
  reader.end();
}

// A chunk may end within a character.
function encodingOfPiece(piece: Uint8Array): string {
  const lineEnd = piece.lastIndexOf(0x0a);
  return encodingOf(lineEnd > 0 ? piece.subarray(0, lineEnd) : piece);
}

function columnsOf(table: string, row: readonly string[], fields: readonly string[]): number[] {
  const titles = row.map((title) => title.trim().toLowerCase());
  return fields.map((field) => {
    const name = field.replace('!', '');
    const column = titles.indexOf(name);
    if (column < 0 && field.endsWith('!')) {
      throw new FileRefusal(sentence('noFeedColumn', `${table}.txt`, name));
    }
    return column;
  });
}
