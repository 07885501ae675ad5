import type { ImportFault, ImportKind, ImportReason } from '@ridewatch/contract/admin-import';
import type { UndoReason } from '@ridewatch/contract/admin-import-undo';
import { UnitProtocol } from '@ridewatch/contract/unit-protocols';
import { enForm } from '../../../i18n/plural.ts';
import { en as protocols } from '../protocol-texts-en.ts';
import type { ImportTexts } from './import-texts-ru.ts';

const of: Readonly<Record<ImportKind, (count: number) => string>> = {
  customers: (count) => enForm(count, 'customer', 'customers'),
  users: (count) => enForm(count, 'user', 'users'),
  buses: (count) => enForm(count, 'bus', 'buses'),
  units: (count) => enForm(count, 'unit', 'units'),
  cameras: (count) => enForm(count, 'camera', 'cameras'),
};

const columns: Readonly<Record<string, string>> = {
  name: 'Name',
  login: 'Username',
  role: 'Role',
  can_edit: 'May edit',
  link: 'Link',
  until: 'Valid until',
  client: 'Customer',
  group: 'Route',
  capacity_seated: 'Seats',
  capacity_standing: 'Standing places',
  places: 'Places',
  device_id: 'Unit',
  timezone: 'Time zone',
  type: 'Type',
  description: 'Description',
  surname: 'Surname',
  patronymic: 'Patronymic',
  status: 'Status',
  enabled: 'Enabled',
  bus: 'Bus',
  stream_id: 'Stream',
  door: 'Door',
  live: 'Type',
  counts: 'Counts the door',
  protocol: 'Protocol',
  protocol_id: 'Number in the protocol',
  egts_counts: 'EGTS: what the door counter sends',
  egts_raw_flag: 'EGTS: raw data flag (RDF)',
  egts_module_bytes: 'EGTS: number of the counter',
  jt808_clock_hours: 'JT/T 808: clock of the unit',
  jt808_door: 'JT/T 808: door of the counter',
  jt808_uploads: 'JT/T 808: recorded video comes',
  osmand_speed: 'OsmAnd: unit of speed',
  credential: 'Credential',
};

const wrong: Readonly<Record<ImportReason, (fault: ImportFault) => string>> = {
  required: () => 'empty, and a value is needed',
  number: ({ least, most }) => `not a whole number from ${least} to ${most}`,
  sum: ({ least }) => `seated and standing make ${least}`,
  long: ({ most }) => `longer than ${most} characters`,
  choice: ({ words }) => `can be: ${words.map((word) => `“${word}”`).join(', ')}`,
  taken: ({ words }) => (words.length > 0 ? `exists: ${words.join(', ')}` : 'exists'),
  twice: ({ words }) => `the same as in ${words.join(', ')}`,
  unknown: () => 'not found',
  several: ({ words }) =>
    words.length > 1
      ? `different customers have such buses (${words.join(', ')}): name the customer`
      : `there are several such buses${words.map((name) => ` of “${name}”`).join('')}: rename one of them`,
  several_clients: ({ words }) =>
    `several customers fit (${words.join(', ')}): write name and surname exactly as on the screen, or rename one of them`,
  zone: () => 'no such zone; for instance Europe/Moscow',
  no_right: () => 'you have no right: such a user would see more than you',
  no_client: () => 'an administrator has no customer',
  admin_route: () => 'only administrators choose the route of a bus',
  admin_protocol: () => 'only administrators give a unit its protocol',
  protocol_id: ({ words: [protocol] }) =>
    protocols.ids[UnitProtocol.safeParse(protocol).data ?? 'osmand'].fault,
  invisible: () => 'has invisible characters',
  line_break: () => 'has a line break',
  form: () => 'this value does not fit',
  has_unit: ({ words }) => `${words.join(', ')} is there`,
  counted: () => 'another camera counts this door',
  same_channel: ({ words }) =>
    words.length > 0
      ? `the cameras ${words.join(' and ')} of this bus have one channel of the registrar: correct the stream of one`
      : 'another camera has this channel of the registrar',
  service_door: () => 'a service camera has no door',
  in_bus: ({ words }) => `the unit sits in bus ${words.join(', ')} and has its customer`,
  in_test: () => 'the unit is in test mode: end the test first',
  sent_too_much: ({ words }) =>
    `the unit ${words.join(', ')} has sent too many records for its first bus to get all of them: choose the bus in the form of the unit, with the moment when it was moved`,
  sent_on_foreign_days: ({ words }) =>
    `the unit ${words.join(', ')} has also sent on days when the bus belonged to others: choose the bus in the form of the unit, with the moment when it was moved`,
  own_role: () => 'you cannot change your own role',
  no_column: ({ words }) =>
    `a new row, and the table lacks: ${words.map((word) => columns[word] ?? word).join(', ')}`,
  error: () => 'the cell holds an error',
  formula: () => 'the formula has no value: open the file in a spreadsheet editor and save it',
  digits: () => 'a number of over 15 digits: store it as text',
  kind: () => 'an unknown type of cell',
};

const inTheWay: Readonly<Record<UndoReason, string>> = {
  changed: 'was changed since',
  used: 'is in use',
  customers: 'has customers',
  users: 'has users',
  buses: 'has buses',
  units: 'has a unit',
  cameras: 'has cameras',
  routes: 'has routes',
  stops: 'has stops',
  keys: 'has API keys',
  settings: 'has a retention of its own',
  records: 'has records',
  commands: 'has commands',
  video: 'has video',
  laps: 'has laps',
  money: 'has fares or revenue',
  counts: 'has counted by hand',
  sign_ins: 'has signed in',
  reports: 'has reports',
  tables: 'has loaded tables',
};

/** English texts of loading a table. */
export const en: ImportTexts = {
  titles: {
    customers: 'Load customers',
    users: 'Load users',
    buses: 'Load buses',
    units: 'Load units',
    cameras: 'Load cameras',
  },
  sheet: (name) => `sheet “${name}”`,
  file: 'A table, XLSX or CSV',
  formats:
    'XLSX or CSV, up to 50,000 rows, of them up to 5,000 new and changed. The names of the columns are in the first row, or below a title.',
  reading: 'Reading the file…',
  download: 'Download',
  more: 'More',
  template: 'Template',
  faultsFile: 'Errors as CSV',
  onlyRemarks: 'Only rows with remarks',
  problems: {
    empty: () => 'The file is empty.',
    large: () => 'The file is too large: up to 20 MB. Split the table.',
    rows: () => 'The table has more than 50,000 rows. Split it.',
    columns: () => 'The table has more than 40 columns.',
    heading: () =>
      'The headings must be in the first 1,000 rows. Delete the empty rows above them.',
    cell: (cell) => `Cell ${cell} cannot be read. Correct it in the file.`,
    quote: (line) => `The quote in line ${line} is not closed. Correct it in the file.`,
    other: () => 'This is no XLSX or CSV table, or the file is damaged.',
  },
  rows: (count) => enForm(count, 'row', 'rows'),
  adds: () => 'will be added',
  changes: () => 'will change',
  same: (count) => enForm(count, 'stays as it is', 'stay as they are'),
  before: (value) => (value === '' ? 'was empty' : `was: ${value}`),
  allSame: 'The table matches what is there: there is nothing to load.',
  noRows: 'No rows are left: there is nothing to load.',
  newRoutes: (count) => enForm(count, 'new route', 'new routes'),
  newUnits: (count) => enForm(count, 'new unit', 'new units'),
  faulty: 'with errors',
  cell: (cell) => `Cell ${cell}`,
  quoted: (value) => `“${value}”`,
  wrong: (fault) => wrong[fault.reason](fault),
  mend: 'Correct it here or in the file.',
  faultOf: (at, count) => `${at} of ${count}`,
  nextFault: 'Next error',
  firstFaults: (shown, _count, all) =>
    `The first ${shown} of ${all} errors are shown and are in “Errors as CSV”. “Leave out rows with errors” leaves out all rows with errors.`,
  firstChanges: (shown, _count, all) => `The first ${shown} of ${all} changed cells are marked.`,
  isNew: 'new',
  column: (letter) => `What column ${letter} has`,
  noHeading: 'no heading',
  headingIn: (row) => `headings in row ${row}`,
  leftOut: 'leave out',
  missing: (names) =>
    names.length === 1
      ? `A column is missing: ${names.join()}. Choose it in the head of the table or add it to the file.`
      : `Columns are missing: ${names.join(', ')}. Choose them in the head of the table or add them to the file.`,
  shown: (first, last, count) =>
    first === last
      ? `Row ${first} of ${count} is shown.`
      : `Rows ${first}–${last} of ${count} are shown.`,
  nothingYet: 'Nothing is written until you press “Load”.',
  none: 'No remarks.',
  dropFaulty: 'Leave out rows with errors',
  tooMany: (most, all) =>
    `At most ${most} new and changed rows are written at once, and here are ${all}. Load the first ${most}, then the same file again: what is written stays as it is.`,
  keepFirst: (most) => `Keep the first ${most}`,
  load: (kind, count, text) => (count === 0 ? 'Load' : `Load ${text} ${of[kind](count)}`),
  checkFailed: 'The table could not be checked.',
  lost: (minutes) =>
    `The answer was lost, and the server may still be loading the table. Once it is loaded, it is under “Loaded in the last 24 hours”: undo the load only if you need its credentials or links, which are shown once. If it is not there after ${minutes} minutes, load it again.`,
  lostLoaded: (id) =>
    `The answer was lost, but the table is loaded: № ${id}. Undo the load only if you need its credentials or links: they are shown once.`,
  waits: (minutes) =>
    `The server may still be loading: “Load” waits until the load is undone or ${minutes} minutes have passed.`,
  noneYet: 'Nothing so far.',
  otherFile: 'Another file',
  counts: (created, changed) => `added ${created}, changed ${changed}`,
  loaded: 'Loaded in the last 24 hours',
  undo: 'Undo the load',
  keepLoad: 'Keep it',
  undoText:
    'What the table created is deleted, what it changed is set back. If any of it is in use already, nothing is changed.',
  undone: 'undone',
  notUndone: (obstacles) =>
    `It cannot be undone: ${obstacles.map(({ name, reasons }) => `${name} ${reasons.map((one) => inTheWay[one]).join(', ')}`).join('; ')}.`,
  firstObstacles: (most) => `The first ${most} are named, there may be more.`,
  done: (created, changed) => `Done. Added: ${created}, changed: ${changed}.`,
  keys: (count, text) =>
    count === 1
      ? 'Credential of 1 unit. Save the file: it will not be shown again.'
      : `Credentials of ${text} units. Save the file: they will not be shown again.`,
  links: (count, text) =>
    count === 1
      ? 'Link for the password of 1 user, valid for 24 hours. Save the file: it will not be shown again.'
      : `Links for the passwords of ${text} users, each valid for 24 hours. Save the file: they will not be shown again.`,
  saveLinks: (count) => enForm(count, 'Download the link', 'Download the links'),
  linksFile: 'password-links.csv',
  saveKeys: (count) => enForm(count, 'Download the credential', 'Download the credentials'),
  keysFile: 'unit-credentials.csv',
  close: 'Close',
  closeWithout: 'Close without the file',
  loses: 'What you corrected in the table will be lost.',
  stay: 'Stay',
  leave: 'Close the table',
  columns,
  ownColumns: { units: { device_id: 'Device id' }, cameras: { enabled: 'In use' } },
  faultColumns: ['Cell', 'Value', 'What is wrong'],
};
