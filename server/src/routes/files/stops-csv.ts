import { LeftOut, placeOf } from './coordinates.ts';
import { type CsvRow, delimiterOf, readCsv } from './csv.ts';
import { type FileContent, FileRefusal, type FileStop } from './route-file.ts';
import { sentence } from './sentences.ts';
import { directionOf } from './words.ts';

/** What columns are called, in lower case. */
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

/** Bad rows that are named one by one. */
const NAMED_ROWS = 5;

/**
 * Reads a table of stops: a row a stop, in their order or with a column that says it. Without a row of titles the
 * columns are told by what stands in them.
 * @throws FileRefusal for a table without places
 */
export function readStopsCsv(text: string): FileContent {
  const [first, ...rest] = readCsv(text, delimiterOf(text));
  if (first === undefined) throw new FileRefusal(sentence('empty'));
  const titled = columnsByTitle(first.row);
  const rows = titled === null ? [first, ...rest] : rest;
  const columns = titled ?? columnsByContent(rows.map(({ row }) => row));
  if (rows.length === 0) throw new FileRefusal(sentence('noStopsInTable'));
  const leftOut = new LeftOut();
  const bad: number[] = [];
  const stops = rows.flatMap(({ row, line }): (FileStop & { order: number })[] => {
    const cell = (column: Column): string => (row[columns[column] ?? -1] ?? '').trim();
    const place = placeOf(cell('latitude'), cell('longitude'));
    if (place === null) {
      bad.push(line);
      if (bad.length > NAMED_ROWS) leftOut.add('rowsWithoutPlace');
      return [];
    }
    const name = cell('name') === '' ? null : cell('name');
    const order = cell('order') === '' ? Number.NaN : Number(cell('order'));
    return [{ ...place, name, direction: directionOf(cell('direction')), order }];
  });
  if (stops.length === 0) throw new FileRefusal(sentence('noPlaceInLine', bad[0] ?? 0));
  if (stops.every(({ order }) => Number.isFinite(order))) stops.sort((a, b) => a.order - b.order);
  const notes = bad.slice(0, NAMED_ROWS).map((line) => sentence('rowWithoutPlace', line));
  return {
    format: 'csv',
    name: null,
    lines: [],
    stops: stops.map(({ order, ...stop }) => stop),
    notes: [...notes, ...leftOut.notes()],
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
    throw new FileRefusal(sentence('noColumn', missing));
  }
  return hasTitles ? columns : null;
}

// The first two columns of fractions are latitude and longitude, the first one of words is the name.
function columnsByContent(rows: readonly CsvRow[]): Columns {
  const sample = rows.slice(0, 20);
  const width = Math.max(...sample.map((row) => row.length));
  const columns = Array.from({ length: width }, (_, at) => sample.map((row) => row[at] ?? ''));
  const isFraction = (cells: readonly string[]): boolean =>
    cells.every((cell) => /^\s*[+-]?\d{1,3}[.,]\d+\s*$/.test(cell));
  const [latitude, longitude] = columns.flatMap((cells, at) => (isFraction(cells) ? [at] : []));
  if (latitude === undefined || longitude === undefined) {
    throw new FileRefusal(sentence('noTable'));
  }
  const name = columns.findIndex((cells) => cells.some((cell) => /\p{L}/u.test(cell)));
  return { latitude, longitude, ...(name >= 0 ? { name } : {}) };
}
