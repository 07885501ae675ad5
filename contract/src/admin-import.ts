// Many objects at once from the rows of a table, and the same table as a file. The page reads a table; the server gets
// its cells as texts.
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, Moment, Text } from './primitives.ts';
import { ReportFormat, ReportLanguage, reportTypes } from './reports.ts';
import { protocolSettingFields } from './unit-protocols.ts';

/** Most rows of a table below its headings, also of an exported one. */
export const MOST_IMPORT_ROWS = 50_000;
/** Most objects that a table creates and changes at once; the other rows say what is stored. */
export const MOST_IMPORT_WRITES = 5000;
/** Most columns of a table. */
export const MOST_IMPORT_COLUMNS = 40;
/** Longest cell, characters. */
export const MOST_IMPORT_CELL = 300;
/** Largest request with a table, bytes. */
export const MAX_IMPORT_BYTES = 24 * 1024 * 1024;
/** Most faults of an answer, and most cells that change something; the counts are of all rows. */
export const MOST_IMPORT_FAULTS = 500;

/** The objects that the rows of a table describe. */
export const ImportKind = z.enum(['customers', 'users', 'buses', 'units', 'cameras']);
export type ImportKind = z.infer<typeof ImportKind>;

/** The columns that a table can have, those that it needs first. */
export const importColumns = {
  customers: ['name', 'surname', 'patronymic', 'status', 'enabled'],
  users: ['login', 'role', 'client', 'can_edit'],
  buses: [
    ...['name', 'client', 'group', 'capacity_seated', 'capacity_standing', 'places', 'device_id'],
    ...['timezone', 'type', 'description'],
  ],
  units: [
    ...(['device_id', 'bus', 'client', 'protocol', 'protocol_id'] as const),
    ...(['egts_counts', 'egts_raw_flag', 'egts_module_bytes', 'jt808_clock_hours'] as const),
    ...(['jt808_door', 'jt808_uploads', 'osmand_speed'] as const),
  ],
  cameras: ['bus', 'name', 'stream_id', 'client', 'door', 'live', 'counts', 'enabled'],
} as const;

/** The columns that only administrators load: the routes of buses, the protocols of units. */
export const adminColumns: readonly string[] = [
  ...['group', 'protocol', 'protocol_id', ...Object.keys(protocolSettingFields)],
];

/** The columns by which a row finds a stored object; a table needs them. */
export const keyColumns = {
  customers: ['name'],
  users: ['login'],
  buses: ['name'],
  units: ['device_id'],
  cameras: ['bus', 'stream_id'],
} as const;

/** The columns that a row needs which creates an object. */
export const neededColumns = {
  customers: ['name'],
  users: ['login', 'role'],
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
  /** The content that is shown: `#REF!`, the formula, the rounded number. */
  value: z.string().check(z.maxLength(MOST_IMPORT_CELL)),
  unread: z.enum(unread),
});

/** A cell of a table: its text, or why there is none. */
export const ImportCell = z.union([z.string().check(z.maxLength(MOST_IMPORT_CELL)), UnreadCell]);
export type ImportCell = z.infer<typeof ImportCell>;

/** Gives the text of a cell, as people see it. */
export const textOfCell = (cell: ImportCell | undefined): string =>
  typeof cell === 'object' ? cell.value : (cell ?? '');

/**
 * Codes of the faults of a cell. The cell is empty; holds no whole number within the limits; is too long; holds none of
 * the allowed words; repeats the name of an object that the row cannot change, or of a row above; names no object that
 * the user sees, or several buses, or several customers; names no time zone; has invisible characters; has a line
 * break; holds another text that no field takes; names a bus that has a unit; names another customer than the bus of
 * the unit; moves a unit that is in test mode; names the first bus of a unit that has sent more than a move takes
 * along, or on days of customers that the user does not see; names a door that another camera counts; names a channel
 * of the bus's terminal that another camera names, or gives a bus with two such cameras a terminal; puts a service
 * camera at a door; chooses a route, or tells the protocol of a unit, which only administrators do; is no id of the
 * unit's protocol; gives a role or a customer that sees more than the user who loads the table; changes the role of
 * that user; names a customer of an administrator; is of a new object and the table lacks one of its columns; is not
 * the sum of the other places of the row.
 */
export const ImportReason = z.enum([
  ...(['required', 'number', 'long', 'choice', 'taken', 'twice', 'unknown', 'several'] as const),
  ...([
    'several_clients',
    'zone',
    'invisible',
    'line_break',
    'form',
    'has_unit',
    'counted',
    'same_channel',
    'service_door',
    'admin_route',
    'admin_protocol',
    'protocol_id',
  ] as const),
  ...(['sent_too_much', 'sent_on_foreign_days'] as const),
  ...(['in_bus', 'in_test', 'no_right', 'own_role', 'no_client', 'no_column', 'sum'] as const),
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
  /** The limits: the range of a number, the longest text. */
  least: z.nullable(z.int()),
  most: z.nullable(z.int()),
  /**
   * The words of a choice in the language of the request; of `taken` whose it is; of `twice` the cell that has it; of
   * `several` the customers of the buses; of `several_clients` the customers; of `no_column` the columns; of
   * `protocol_id` the protocol.
   */
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
  /** Of the words in the answer. */
  language: z._default(ReportLanguage, 'ru_RU'),
};

/** A row is blank, creates an object, changes a stored one, leaves it as it is, or has a fault. */
export const ImportRowState = z.enum(['blank', 'new', 'changed', 'same', 'faulty']);
export type ImportRowState = z.infer<typeof ImportRowState>;

/** A cell that changes a stored object. */
export const ImportChange = z.extend(Cell, {
  /** The stored value, in the words of the table. */
  before: z.string(),
});
export type ImportChange = z.infer<typeof ImportChange>;

/** The outcome of a table. */
export const ImportCheck = z.object({
  /** Rows that are not empty. */
  rows: z.int(),
  /** Rows that create an object. */
  adds: z.int(),
  /** Rows that change one. */
  changes: z.int(),
  /** Rows with a fault. */
  faulty: z.int(),
  /** Of each row of the request. */
  states: z.array(ImportRowState),
  /** The first MOST_IMPORT_FAULTS, by row and column; and the number of all. */
  faults: z.array(ImportFault),
  fault_cells: z.int(),
  /** The first MOST_IMPORT_FAULTS cells that change something; and the number of all. */
  changed: z.array(ImportChange),
  changed_cells: z.int(),
  /**
   * Cells that name a route that does not exist and would be created; the first of each. Also in a row with a fault
   * elsewhere; while its customer is not known, only routes that nobody has.
   */
  routes: z.array(Cell),
  /** Rows of buses that name a unit that does not exist and would be created; also with a fault in another cell. */
  units: z.array(z.int()),
});
export type ImportCheck = z.infer<typeof ImportCheck>;

export const checkImport = endpoint({
  method: 'POST',
  path: '/api/admin/import/check',
  summary: 'Checks a table of customers, users, buses, units or cameras, and writes nothing',
  access: 'user',
  inView: true,
  maxBodyBytes: MAX_IMPORT_BYTES,
  body: z.object(Table),
  response: ImportCheck,
  errors: ['unauthorized', 'invalid_request', 'no_right', 'too_large', 'unavailable'],
});

/** The credential of a unit that an import has created, shown this once. Units of other protocols need none. */
export const ImportedCredential = z.object({
  device_id: z.string(),
  bus: z.nullable(z.string()),
  credential: z.string(),
});
export type ImportedCredential = z.infer<typeof ImportedCredential>;

/** The link by which a user that an import has created sets its password, once; shown this once. */
export const ImportedLink = z.object({
  login: z.string(),
  client: z.nullable(z.string()),
  /** Path of the page with the token. */
  path: z.string(),
  expires_at: Moment,
});
export type ImportedLink = z.infer<typeof ImportedLink>;

export const runImport = endpoint({
  method: 'POST',
  path: '/api/admin/import',
  summary:
    'Creates or changes the object of each row of a table; nothing if one cell cannot be taken',
  access: 'user',
  maxBodyBytes: MAX_IMPORT_BYTES,
  body: z.object({ ...Table, file: Text }),
  response: z.object({
    /** Objects that were created and changed; none of either: `check` says why. */
    created: z.int(),
    changed: z.int(),
    /** Of the loaded table; null when nothing was written. */
    import_id: z.nullable(Id),
    check: ImportCheck,
    credentials: z.array(ImportedCredential),
    links: z.array(ImportedLink),
  }),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'conflict', 'too_large', 'unavailable'],
});

export const exportTable = endpoint({
  method: 'GET',
  path: '/api/admin/export/{kind}',
  summary: 'The customers, users, buses, units or cameras as a table that can be loaded again',
  access: 'user',
  params: z.object({ kind: ImportKind }),
  query: z.object({
    format: z._default(ReportFormat, 'xlsx'),
    language: z._default(ReportLanguage, 'ru_RU'),
  }),
  produces: Object.values(reportTypes),
  errors: ['unauthorized', 'invalid_request', 'no_right', 'not_found', 'too_large', 'unavailable'],
});
