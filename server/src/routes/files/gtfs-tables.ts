// Reads the tables of a GTFS feed row by row from the archive.

import { eachRow } from './csv.ts';
import { message } from './messages.ts';
import { FileRefusal } from './route-file.ts';
import { encodingOf } from './text.ts';
import { type Budget, namesOf, readEntry, type ZipEntry } from './zip.ts';

/** A feed in an archive; its tables may be in a folder. */
export interface Feed {
  /** Entries by table name, such as `stops`. */
  readonly tables: ReadonlyMap<string, ZipEntry>;
  readonly budget: Budget;
}

/** Most rows of a table; feeds of whole countries have this many in total. */
const MAX_ROWS = 20_000_000;

/** Mandatory tables: patterns need them. */
const NEEDED = ['routes', 'trips', 'stop_times', 'stops'];

/**
 * Finds the feed in an archive.
 * @returns null if the archive has none
 * @throws FileRefusal when a table is missing, or there are several feeds
 */
export function findFeed(entries: readonly ZipEntry[], budget: Budget): Feed | null {
  const byFolder = new Map<string, Map<string, ZipEntry>>();
  for (const entry of entries) {
    const [, folder = '', table] = /^(?:(.*)[\\/])?(\w+)\.txt$/i.exec(entry.name) ?? [];
    const isCopy = /(?:^|[\\/])__MACOSX(?:[\\/]|$)/.test(folder);
    if (table === undefined || isCopy) continue;
    byFolder.set(folder, (byFolder.get(folder) ?? new Map()).set(table.toLowerCase(), entry));
  }
  const isWhole = (own: ReadonlyMap<string, ZipEntry>): boolean =>
    NEEDED.every((table) => own.has(table));
  const whole = [...byFolder].filter(([, own]) => isWhole(own));
  if (whole.length > 1)
    throw new FileRefusal(message('feedsInZip', namesOf(whole.map(([folder]) => folder))));
  // The tables of a feed that is spread over folders, so that what is missing is said of all.
  const tables = whole[0]?.[1] ?? new Map([...byFolder.values()].flatMap((own) => [...own]));
  const missing = NEEDED.filter((table) => !tables.has(table));
  if (missing.length === NEEDED.length) return null;
  if (missing.length > 0) {
    const names = missing.map((table) => `${table}.txt`).join(', ');
    throw new FileRefusal(message('noFeedTable', names));
  }
  return { tables, budget };
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
  await eachRow(textsOf(entry, feed.budget), ',', (row) => {
    rows += 1;
    if (rows > MAX_ROWS) throw new FileRefusal(message('manyRows', `${table}.txt`, MAX_ROWS));
    if (at === undefined) at = columnsOf(table, row, fields);
    else onRow(at.map((column) => (row[column] ?? '').trim()));
  });
}

async function* textsOf(entry: ZipEntry, budget: Budget): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const chunk of readEntry(entry, budget)) {
    decoder ??= new TextDecoder(encodingOfChunk(chunk));
    yield decoder.decode(chunk, { stream: true });
  }
  yield decoder?.decode() ?? '';
}

// A chunk may end within a character, so only its whole lines are looked at.
function encodingOfChunk(chunk: Uint8Array): string {
  const lineEnd = chunk.lastIndexOf(0x0a);
  return encodingOf(lineEnd > 0 ? chunk.subarray(0, lineEnd) : chunk);
}

function columnsOf(table: string, row: readonly string[], fields: readonly string[]): number[] {
  const titles = row.map((title) => title.trim().toLowerCase());
  return fields.map((field) => {
    const name = field.replace('!', '');
    const column = titles.indexOf(name);
    if (column < 0 && field.endsWith('!')) {
      throw new FileRefusal(message('noFeedColumn', `${table}.txt`, name));
    }
    return column;
  });
}
