// Real data for tests, if present: GTFS feeds, traces and counts. They are not part of the project.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inflateRawSync } from 'node:zlib';
import type { Route, RouteStop } from '../laps/engine/route-path.ts';

const folder = path.resolve(import.meta.dirname, '../../../../shared/data');

/** The path of a sample. */
export const sample = (name: string): string => path.join(folder, name);

/** The folder of samples, and whether it exists; tests that need it are skipped without it. */
export const samples = { folder, areThere: existsSync(folder) };

/** Parses a CSV file into rows by column name; quoted fields may contain commas, but no line breaks. */
export function readRows(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/);
  const names = cellsOf(head);
  return lines.map((line) => {
    const cells = cellsOf(line);
    return Object.fromEntries(names.map((name, n) => [name, cells[n] ?? '']));
  });
}

/** Rows of a sample. */
export const sampleRows = (name: string): Record<string, string>[] =>
  readRows(readFileSync(sample(name), 'utf8'));

const cellsOf = (line: string): string[] =>
  [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)]
    .slice(0, line.split(',').length + 1)
    .map(([, cell = '']) => cell.replace(/^"|"$/g, '').replaceAll('""', '"'));

export interface Trip {
  readonly direction: 'FORWARD' | 'REVERSE';
  readonly block: string;
  readonly shape: string;
  readonly service: string;
  readonly stops: readonly { readonly id: string; readonly arrival: string }[];
}

export interface Gtfs {
  readonly trips: readonly Trip[];
  /** Ids of the services on a day, `YYYYMMDD`. */
  readonly services: (day: string) => ReadonlySet<string>;
  /** A route of two patterns, forward and reverse. */
  readonly route: (there: Trip, back: Trip) => Route;
}

/** Reads a GTFS feed of one route; direction 0 is forward. */
export function readGtfs(name: string): Gtfs {
  const tables = unzip(readFileSync(sample(name)));
  const table = (file: string): Record<string, string>[] =>
    readRows(tables.get(file)?.toString('utf8') ?? '');
  const times = Map.groupBy(table('stop_times.txt'), (row) => row.trip_id);
  const shapes = Map.groupBy(table('shapes.txt'), (row) => row.shape_id);
  const places = new Map(table('stops.txt').map((row) => [row.stop_id, row]));
  const dates = table('calendar_dates.txt').filter((row) => row.exception_type === '1');
  const trackOf = (shape: string): { latitude: number; longitude: number }[] =>
    (shapes.get(shape) ?? [])
      .sort((a, b) => Number(a.shape_pt_sequence) - Number(b.shape_pt_sequence))
      .map((row) => ({
        latitude: Number(row.shape_pt_lat),
        longitude: Number(row.shape_pt_lon),
      }));
  const stopsOf = ({ direction, stops }: Trip): RouteStop[] =>
    stops.map(({ id }, orderKey) => ({
      id: (direction === 'FORWARD' ? 1 : 1001) + orderKey,
      latitude: Number(places.get(id)?.stop_lat),
      longitude: Number(places.get(id)?.stop_lon),
      direction,
      orderKey,
    }));
  return {
    services: (day) =>
      new Set(dates.filter((row) => row.date === day).map((row) => row.service_id ?? '')),
    trips: table('trips.txt').map((row) => ({
      direction: row.direction_id === '0' ? 'FORWARD' : 'REVERSE',
      block: row.block_id ?? '',
      shape: row.shape_id ?? '',
      service: row.service_id ?? '',
      stops: (times.get(row.trip_id) ?? [])
        .sort((a, b) => Number(a.stop_sequence) - Number(b.stop_sequence))
        .map((one) => ({ id: one.stop_id ?? '', arrival: one.arrival_time ?? '' })),
    })),
    route: (there, back) => ({
      stops: [...stopsOf(there), ...stopsOf(back)],
      track: [...trackOf(there.shape), ...trackOf(back.shape)],
      terminalStopId: null,
      lastTerminalStopId: null,
    }),
  };
}

/** A trip with the most frequent pattern of a direction. */
export function commonTrip({ trips }: Gtfs, direction: Trip['direction']): Trip {
  const patterns = Map.groupBy(
    trips.filter((trip) => trip.direction === direction),
    (trip) => `${trip.shape} ${trip.stops.map(({ id }) => id).join()}`,
  );
  const [most] = [...patterns.values()].sort((a, b) => b.length - a.length);
  if (most?.[0] === undefined) throw new Error(`no trip ${direction}`);
  return most[0];
}

/**
 * Reads a loop from a file of coordinates and stations; the reverse direction begins at the station of index `turn`.
 */
export function readLoop(name: string, turn: number): Route {
  const { coordinates, stations } = JSON.parse(readFileSync(sample(name), 'utf8')) as {
    coordinates: [number, number][];
    stations: [[string, string], string][];
  };
  return {
    track: coordinates.map(([latitude, longitude]) => ({ latitude, longitude })),
    stops: stations.slice(0, -1).map(([[latitude, longitude]], index) => ({
      id: index + 1,
      latitude: Number(latitude),
      longitude: Number(longitude),
      direction: index <= turn ? 'FORWARD' : 'REVERSE',
      orderKey: index <= turn ? index : index - turn - 1,
    })),
    terminalStopId: null,
    lastTerminalStopId: null,
  };
}

// Reads stored and deflated entries by the central directory (APPNOTE.TXT 4.3.12).
function unzip(bytes: Buffer): Map<string, Buffer> {
  const files = new Map<string, Buffer>();
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = bytes.readUInt32LE(end + 16);
  for (let n = bytes.readUInt16LE(end + 10); n > 0; n -= 1) {
    const size = bytes.readUInt32LE(at + 20);
    const nameSize = bytes.readUInt16LE(at + 28);
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(start, start + size);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameSize);
    files.set(name, bytes.readUInt16LE(at + 10) === 8 ? inflateRawSync(content) : content);
    at += 46 + nameSize + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return files;
}
