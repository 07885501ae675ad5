import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { type Columns, detectColumns, type Meaning, RecordingError } from './columns.ts';
import { readTime } from './recording-time.ts';

export interface RecordedPosition {
  kind: 'position';
  vehicle: string;
  timeMs: number;
  latitude: number;
  longitude: number;
  speedKmh: number | undefined;
  course: number | undefined;
}

export interface RecordedCount {
  kind: 'count';
  vehicle: string;
  timeMs: number;
  door: number;
  entered: { adult: number; child: number };
  exited: { adult: number; child: number };
}

export interface ReadOptions {
  /** IANA zone of times without an offset. */
  zone: string;
  columns: Columns;
  /** The kind of record to read. */
  kind: 'position' | 'count';
}

const NEEDED: Readonly<Record<'position' | 'count', readonly Meaning[]>> = {
  position: ['time', 'vehicle', 'latitude', 'longitude'],
  count: ['time', 'vehicle', 'entered', 'exited'],
};

/**
 * Reads a CSV file with a header line.
 * @throws RecordingError that names file, line and column of an invalid value
 */
export async function* readRecording(
  file: string,
  { zone, columns: named, kind }: ReadOptions,
): AsyncGenerator<RecordedPosition | RecordedCount> {
  let columns: Columns | undefined;
  const rows = createReadStream(file).pipe(
    parse({
      bom: true,
      trim: true,
      skip_empty_lines: true,
      info: true,
      columns: (header: string[]) => {
        columns = detectColumns(header, named, NEEDED[kind]);
        return header;
      },
    }),
  );
  try {
    for await (const { record, info } of rows as AsyncIterable<Row>) {
      const cell = new Cells(record, columns ?? {}, zone);
      try {
        if (kind === 'count') yield readCount(cell);
        // Without a fix the cells are empty.
        else if (cell.text('latitude') !== '' && cell.text('longitude') !== '') {
          yield readPosition(cell);
        }
      } catch (cause) {
        if (!(cause instanceof RecordingError)) throw cause;
        throw new RecordingError(`line ${info.lines}: ${cause.message}`, { cause });
      }
    }
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new RecordingError(`${file}: ${message}`, { cause });
  }
}

interface Row {
  record: Record<string, string>;
  info: { lines: number };
}

/** The cells of a line by meaning. */
class Cells {
  readonly #record: Readonly<Record<string, string>>;
  readonly #columns: Columns;
  readonly #zone: string;

  constructor(record: Readonly<Record<string, string>>, columns: Columns, zone: string) {
    this.#record = record;
    this.#columns = columns;
    this.#zone = zone;
  }

  text(meaning: Meaning): string {
    const column = this.#columns[meaning];
    return column === undefined ? '' : (this.#record[column] ?? '');
  }

  time(): number {
    const timeMs = readTime(this.text('time'), this.#columns.time ?? '', this.#zone);
    if (Number.isNaN(timeMs)) throw new RecordingError(this.#messageOf('time', 'a time'));
    return timeMs;
  }

  vehicle(): string {
    const vehicle = this.text('vehicle');
    if (vehicle === '') throw new RecordingError(this.#messageOf('vehicle', 'a name'));
    return vehicle;
  }

  /** A number in a range; undefined for an empty cell. */
  number(meaning: Meaning, least: number, most: number): number | undefined {
    const text = this.text(meaning);
    if (text === '') return undefined;
    const value = Number(text);
    if (!(value >= least && value <= most)) {
      throw new RecordingError(this.#messageOf(meaning, `a number from ${least} to ${most}`));
    }
    return value;
  }

  /** A number of people; 0 for an empty cell. */
  people(meaning: Meaning): number {
    const text = this.text(meaning);
    if (text !== '' && !/^\d{1,9}$/.test(text)) {
      throw new RecordingError(this.#messageOf(meaning, 'a whole number of people'));
    }
    return Number(text);
  }

  #messageOf(meaning: Meaning, wanted: string): string {
    return `${this.#columns[meaning]} '${this.text(meaning)}' is not ${wanted}`;
  }
}

function readPosition(cell: Cells): RecordedPosition {
  const mps = cell.number('speed_mps', 0, 111);
  return {
    kind: 'position',
    vehicle: cell.vehicle(),
    timeMs: cell.time(),
    latitude: cell.number('latitude', -90, 90) ?? 0,
    longitude: cell.number('longitude', -180, 180) ?? 0,
    speedKmh: mps === undefined ? cell.number('speed_kmh', 0, 400) : Math.round(mps * 36) / 10,
    course: cell.number('course', 0, 360),
  };
}

function readCount(cell: Cells): RecordedCount {
  return {
    kind: 'count',
    vehicle: cell.vehicle(),
    timeMs: cell.time(),
    door: cell.number('door', 1, 16) ?? 1,
    entered: { adult: cell.people('entered'), child: cell.people('entered_kids') },
    exited: { adult: cell.people('exited'), child: cell.people('exited_kids') },
  };
}
