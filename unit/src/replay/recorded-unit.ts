// Turns a recorded vehicle into the records that its unit would have sent. Stream ids are hashes of the recording, so
// that a recording that is played twice is stored once. Counts have their own stream, because they may be played again
// with other positions.
import { createHash } from 'node:crypto';
import type { PassengerRecord, UnitRecord } from '@ridewatch/contract/unit';
import type { RecordedCount, RecordedPosition } from './read-recording.ts';

/** Most people in one record of the contract. */
const MOST_PEOPLE = 255;

export interface RecordedUnit {
  vehicle: string;
  tracks: RecordedTrack[];
}

/** The records of one kind of a vehicle. */
export interface RecordedTrack {
  stream: string;
  /** In order of time, numbered from 1. */
  records: UnitRecord[];
}

/**
 * Makes the records of every vehicle of a recording.
 * @param name identifies the recording by its files and options, for each kind
 */
export function listUnits(
  recorded: readonly (RecordedPosition | RecordedCount)[],
  name: Readonly<Record<'position' | 'count', string>>,
): RecordedUnit[] {
  const byVehicle = Map.groupBy(recorded, ({ vehicle }) => vehicle);
  return [...byVehicle].map(([vehicle, lines]) => ({
    vehicle,
    tracks: (['position', 'count'] as const).flatMap((kind) => {
      const own = lines.filter((line) => line.kind === kind);
      return own.length === 0 ? [] : [trackOf(own, streamFor(kind, name[kind], vehicle))];
    }),
  }));
}

function trackOf(lines: (RecordedPosition | RecordedCount)[], stream: string): RecordedTrack {
  const records = lines
    // The sort is stable: lines of one moment keep the order of the files.
    .sort((a, b) => a.timeMs - b.timeMs)
    .flatMap((line): Unnumbered[] => (line.kind === 'position' ? [position(line)] : people(line)))
    .map((record, index) => ({ ...record, seq: index + 1 }) as UnitRecord);
  return { stream, records };
}

type Unnumbered = Omit<UnitRecord, 'seq'>;

function position(line: RecordedPosition): Unnumbered {
  const { latitude, longitude, speedKmh, course } = line;
  return {
    type: 'position',
    time: iso(line.timeMs),
    fix: true,
    latitude,
    longitude,
    ...(speedKmh === undefined ? {} : { speed_kmh: speedKmh }),
    ...(course === undefined ? {} : { course }),
  } as Unnumbered;
}

// Passengers get off before others get on.
function people(line: RecordedCount): Unnumbered[] {
  return (['exited', 'entered'] as const).flatMap((direction) =>
    (['adult', 'child'] as const).flatMap((passenger) =>
      split(line[direction][passenger]).map(
        (count): Omit<PassengerRecord, 'seq'> => ({
          type: 'passenger',
          time: iso(line.timeMs),
          door: line.door,
          direction,
          passenger,
          count,
        }),
      ),
    ),
  );
}

function split(people: number): number[] {
  const counts: number[] = [];
  for (let left = people; left > 0; left -= MOST_PEOPLE) counts.push(Math.min(left, MOST_PEOPLE));
  return counts;
}

/** A version 8 UUID (RFC 9562) from a hash. */
function streamFor(...names: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(names)).digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20, 32),
  ].join('-');
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
