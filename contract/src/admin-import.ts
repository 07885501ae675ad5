// Creating many objects at once from the rows of a table. The page reads the file; the server gets its cells as texts.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Text } from './primitives.ts';

/** Most rows of a table below its headings. */
export const MOST_IMPORT_ROWS = 5000;
/** Most columns of a table. */
export const MOST_IMPORT_COLUMNS = 40;
/** Longest cell, characters. */
export const MOST_IMPORT_CELL = 300;
/** Largest request with a table, bytes. */
const MAX_IMPORT_BYTES = 16 * 1024 * 1024;
/** Most faults of an answer; `faulty` counts all rows. */
export const MOST_IMPORT_FAULTS = 500;

/** The objects that the rows of a table describe. */
export const ImportKind = z.enum(['customers', 'buses', 'units', 'cameras']);
export type ImportKind = z.infer<typeof ImportKind>;

/** What the columns of a table can be, those that it needs first. */
export const importColumns = {
  customers: ['name', 'surname', 'patronymic', 'status', 'enabled'],
  buses: [
    ...['name', 'client', 'group', 'capacity_seated', 'capacity_standing', 'places', 'device_id'],
    ...['timezone', 'type', 'description'],
  ],
  units: ['device_id', 'bus', 'client'],
  cameras: ['bus', 'name', 'stream_id', 'client', 'door', 'live', 'counts', 'enabled'],
} as const;

/** The columns that a table needs. */
export const neededColumns = {
  customers: ['name'],
  buses: ['name', 'client'],
  units: ['device_id'],
  cameras: ['bus', 'name', 'stream_id'],
} as const;

/**
 * Why a file does not tell what a cell holds: an error such as `#REF!`; a formula without a stored value; a number of
 * more digits than a spreadsheet keeps; a type of cell that is unknown.
 */
const unread = ['error', 'formula', 'digits', 'kind'] as const;

/** A cell whose content the file does not tell. */
const UnreadCell = z.object({
  /** What stands there: `#REF!`, the formula, the rounded number. */
  value: z.string().check(z.maxLength(MOST_IMPORT_CELL)),
  unread: z.enum(unread),
});

/** A cell of a table: its text, or why there is none. */
export const ImportCell = z.union([z.string().check(z.maxLength(MOST_IMPORT_CELL)), UnreadCell]);
export type ImportCell = z.infer<typeof ImportCell>;

/** What stands in a cell, as people see it. */
export const textOfCell = (cell: ImportCell | undefined): string =>
  typeof cell === 'object' ? cell.value : (cell ?? '');

/**
 * Codes of the faults of a cell. The cell is empty; holds no whole number within the limits; is too long; holds none of
 * the allowed words; repeats the name of a stored object or of a row above; names no object that the user sees, or
 * several; names no time zone; has invisible characters; holds another text that no field takes; names a bus that has a unit; names a door
 * that another camera counts; puts a service camera at a door; chooses a route, which only administrators do; needs a column that the file lacks.
 */
export const ImportReason = z.enum([
  ...(['required', 'number', 'long', 'choice', 'taken', 'twice', 'unknown', 'several'] as const),
  ...(['zone', 'invisible', 'form', 'has_unit', 'counted', 'service_door', 'admin_route'] as const),
  ...unread,
]);
export type ImportReason = z.infer<typeof ImportReason>;

const Cell = z.object({
  /** As spreadsheets call it: `D4`. */
  cell: z.string(),
  /** Among the rows of the request, from 0; and the column, from 0. */
  row: z.int(),
  column: z.int(),
  value: z.string(),
});

/** A cell that cannot be taken. */
export const ImportFault = z.extend(Cell, {
  reason: ImportReason,
  /** What is allowed: the range of a number, the longest text. */
  least: z.nullable(z.int()),
  most: z.nullable(z.int()),
  /** The words of a choice; of `taken` whose it is; of `twice` the cell that has it. */
  words: z.array(z.string()),
});
export type ImportFault = z.infer<typeof ImportFault>;

const Table = {
  kind: ImportKind,
  /** The row of the headings in the sheet, from 1; the rows follow it. */
  heading: z.int().check(z.minimum(1), z.maximum(1000)),
  /** The field that each column holds; null for a column that is left out. */
  columns: z.array(z.nullable(Text)).check(z.minLength(1), z.maxLength(MOST_IMPORT_COLUMNS)),
  rows: z
    .array(z.array(ImportCell).check(z.maxLength(MOST_IMPORT_COLUMNS)))
    .check(z.minLength(1), z.maxLength(MOST_IMPORT_ROWS)),
};

/** What a table comes to. */
export const ImportCheck = z.object({
  /** Rows that are not empty. */
  rows: z.int(),
  /** Rows without a fault. */
  adds: z.int(),
  /** Rows with one. */
  faulty: z.int(),
  /** The first ones, by row and column. */
  faults: z.array(ImportFault),
  /** Cells that name a route that does not exist and would be created; the first of each. */
  routes: z.array(Cell),
});
export type ImportCheck = z.infer<typeof ImportCheck>;

export const checkImport = endpoint({
  method: 'POST',
  path: '/api/admin/import/check',
  summary: 'Checks a table of customers, buses, units or cameras, and writes nothing',
  access: 'user',
  inView: true,
  maxBodyBytes: MAX_IMPORT_BYTES,
  body: z.object(Table),
  response: ImportCheck,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'too_large', 'unavailable'],
});

/** The credential of a unit that an import has created, shown this once. */
export const ImportedCredential = z.object({
  device_id: z.string(),
  bus: z.nullable(z.string()),
  credential: z.string(),
});
export type ImportedCredential = z.infer<typeof ImportedCredential>;

export const runImport = endpoint({
  method: 'POST',
  path: '/api/admin/import',
  summary: 'Creates an object for each row of a table; nothing if one cell cannot be taken',
  access: 'user',
  maxBodyBytes: MAX_IMPORT_BYTES,
  body: z.object({ ...Table, file: Text }),
  response: z.object({
    /** Objects that were created; 0: `check` says why. */
    created: z.int(),
    check: ImportCheck,
    credentials: z.array(ImportedCredential),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'conflict', 'too_large', 'unavailable'],
});
