import { MAX_ROUTE_STOPS } from '@ridewatch/contract/bus-routes';
import { Omissions, placeOf } from './coordinates.ts';
import { type CsvRow, chunksOf, delimiterOf, eachRow, firstLineOf } from './csv.ts';
import { directionOf } from './direction-words.ts';
import { message } from './messages.ts';
import { type FileContent, FileRefusal, type FileStop } from './route-file.ts';

/** Known column titles, in lower case. */
const COLUMNS = {
  latitude: ['latitude', 'lat', 'stop_lat', 'широта', 'шир', 'y'],
  longitude: ['longitude', 'lon', 'lng', 'long', 'stop_lon', 'долгота', 'дол', 'x'],
  name: ['name', 'stop_name', 'stop', 'title', 'название', 'наименование', 'остановка', 'имя'],
  direction: ['direction', 'direction_id', 'routedirection', 'route_direction', 'направление'],
  order: [
    'order',
    'orderkey',
    'order_key',
    'sequence',
    'stop_sequence',
    'порядок',
    'номер',
    '№',
    'n',
  ],
} as const;
type Column = keyof typeof COLUMNS;
type Columns = Readonly<Partial<Record<Column, number>>>;

interface Row {
  readonly row: CsvRow;
  readonly line: number;
}

/** Bad rows with a note of their own. */
const NAMED_ROWS = 5;
/** Rows that are examined to recognize untitled columns. */
const SAMPLE_ROWS = 20;

/**
 * Reads a table of stops: one row for each stop, in order or with a column for the order. Untitled columns are
 * recognized by their values. Reading ends at the first stop beyond the limit of a route.
 * @throws FileRefusal for a table without places, or with too many
 */
export async function readStopsCsv(text: string): Promise<FileContent> {
  const stops: (FileStop & { order: number })[] = [];
  const bad: number[] = [];
  const omissions = new Omissions();
  const take = (columns: Columns, { row, line }: Row): void => {
    const cell = (column: Column): string => (row[columns[column] ?? -1] ?? '').trim();
    const place = placeOf(cell('latitude'), cell('longitude'));
    if (place === null) {
      if (bad.length < NAMED_ROWS) bad.push(line);
      else omissions.add('rowsWithoutPlace');
      return;
    }
    const name = cell('name') === '' ? null : cell('name');
    const order = cell('order') === '' ? Number.NaN : Number(cell('order'));
    stops.push({ ...place, name, direction: directionOf(cell('direction')), order });
    if (stops.length > MAX_ROUTE_STOPS)
      throw new FileRefusal(message('moreStops', MAX_ROUTE_STOPS));
  };
  let columns: Columns | null = null;
  let waiting: Row[] = [];
  let count = 0;
  const takeWaiting = (): Columns => {
    const known = columns ?? columnsByContent(waiting.map(({ row }) => row));
    for (const one of waiting) take(known, one);
    waiting = [];
    return known;
  };
  await eachRow(chunksOf(text), delimiterOf(text), (row, lastLine) => {
    const line = firstLineOf(row, lastLine);
    count += 1;
    if (count === 1) columns = columnsByTitle(row);
    if (count === 1 && columns !== null) return;
    if (columns !== null) take(columns, { row, line });
    else if (waiting.push({ row, line }) === SAMPLE_ROWS) columns = takeWaiting();
  });
  if (count === 0) throw new FileRefusal(message('empty'));
  if (waiting.length > 0) takeWaiting();
  if (stops.length === 0) {
    throw new FileRefusal(
      bad[0] === undefined ? message('noStopsInTable') : message('noPlaceInLine', bad[0]),
    );
  }
  if (stops.every(({ order }) => Number.isFinite(order))) stops.sort((a, b) => a.order - b.order);
  return {
    format: 'csv',
    name: null,
    lines: [],
    stops: stops.map(({ order, ...stop }) => stop),
    notes: [...bad.map((line) => message('rowWithoutPlace', line)), ...omissions.notes()],
  };
}

function columnsByTitle(row: CsvRow): Columns | null {
  const titles = row.map((title) => title.trim().toLowerCase());
  const columns: Partial<Record<Column, number>> = {};
  for (const column of Object.keys(COLUMNS) as Column[]) {
    const at = COLUMNS[column].map((word) => titles.indexOf(word)).find((index) => index >= 0);
    if (at !== undefined) columns[column] = at;
  }
  const hasTitles = Object.keys(columns).length > 0;
  if (hasTitles && (columns.latitude === undefined || columns.longitude === undefined)) {
    const missing = columns.latitude === undefined ? 'latitude' : 'longitude';
    throw new FileRefusal(message('noColumn', missing));
  }
  return hasTitles ? columns : null;
}

// The first two columns of decimal fractions are latitude and longitude; the first one with letters is the name.
function columnsByContent(rows: readonly CsvRow[]): Columns {
  const width = Math.max(...rows.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => rows.map((row) => row[at] ?? ''));
  const isFraction = (cells: readonly string[]): boolean =>
    cells.every((cell) => /^\s*[+-]?\d{1,3}[.,]\d+\s*$/.test(cell));
  const [latitude, longitude] = columns.flatMap((cells, at) => (isFraction(cells) ? [at] : []));
  if (latitude === undefined || longitude === undefined) {
    throw new FileRefusal(message('noTable'));
  }
  const name = columns.findIndex((cells) => cells.some((cell) => /\p{L}/u.test(cell)));
  return { latitude, longitude, ...(name >= 0 ? { name } : {}) };
}
