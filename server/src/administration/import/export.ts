// A table of stored objects as a file. It is short, so it is written before it is sent: no reader can hold it up.
import {
  adminColumns,
  type ImportKind,
  importColumns,
  MOST_IMPORT_ROWS,
} from '@ridewatch/contract/admin-import';
import { unguarded } from '@ridewatch/contract/csv-text';
import type { ReportFormat, ReportLanguage } from '@ridewatch/contract/reports';
import type { Db } from '../../core/db/db.ts';
import { AppError } from '../../core/errors.ts';
import type { Viewer } from '../../core/viewer.ts';
import { tableFile } from '../../reports/report-list.ts';
import { cellsOf, readStored } from './stored.ts';
import { headingOf, inLanguage, tableNames } from './words.ts';

/** Rows that are written before other requests get their turn. */
const LOT = 500;

/** The columns of an exported table: those that the user may load again. */
const columnsFor = (kind: ImportKind, { role }: Viewer): string[] =>
  importColumns[kind].filter((column) => role === 'ADMIN' || !adminColumns.includes(column));

type Cells = Readonly<Record<string, string | number | null | undefined>>;

/** A bus has either the numbers of its places, or that of all places where nobody has told how many are seats. */
const withPlaces = (cells: Cells): Cells =>
  typeof cells.capacity_seated === 'number'
    ? { ...cells, places: null }
    : { ...cells, capacity_standing: null };

interface Wanted<Kind extends ImportKind> {
  readonly kind: Kind;
  readonly format: ReportFormat;
  readonly language: ReportLanguage;
  /** Settings are those of this moment, ms since 1970 UTC. */
  readonly nowMs: number;
}

/**
 * Writes the objects of a kind that the user sees. Loaded again, the file changes nothing.
 * @throws AppError too_large above MOST_IMPORT_ROWS rows
 */
export async function writeTable<Kind extends ImportKind>(
  db: Db,
  viewer: Viewer,
  { kind, format, language, nowMs }: Wanted<Kind>,
): Promise<{ file: Buffer; name: string; rows: number }> {
  const stored = await readStored[kind](db, viewer, nowMs);
  if (stored.length > MOST_IMPORT_ROWS) {
    throw new AppError('too_large', `The file has at most ${MOST_IMPORT_ROWS} rows.`);
  }
  const columns = columnsFor(kind, viewer);
  async function* lots() {
    for (let from = 0; from < stored.length; from += LOT) {
      yield stored.slice(from, from + LOT).map((one) => {
        const cells = withPlaces(cellsOf[kind](one, language));
        return columns.map((column) => textOf(cells[column], format));
      });
    }
  }
  const name = inLanguage(tableNames[kind], language);
  const titles = columns.map((column) => ({
    title: headingOf(kind, column, language),
    ...{ type: 'text' as const, width: 20 },
  }));
  const parts: Buffer[] = [];
  const table = { name, columns: titles, lots: lots() };
  for await (const part of tableFile(table, format, language)) parts.push(Buffer.from(part));
  return { file: Buffer.concat(parts), name: `${name}.${format}`, rows: stored.length };
}

// All cells are texts: a spreadsheet neither drops zeros of a device id nor rounds it.
function textOf(cell: string | number | null | undefined, format: ReportFormat): string | null {
  if (cell === null || cell === undefined || cell === '') return null;
  const text = String(cell);
  // The writer of CSV guards texts, that of XLSX need not; the reader takes an apostrophe off in both.
  return format === 'xlsx' && unguarded(text) !== text ? `'${text}` : text;
}
