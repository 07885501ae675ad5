/** The meanings of a recording's columns. */
export const meanings = [
  'time',
  'vehicle',
  'latitude',
  'longitude',
  'speed_mps',
  'speed_kmh',
  'course',
  'door',
  'entered',
  'exited',
  'entered_kids',
  'exited_kids',
] as const;
export type Meaning = (typeof meanings)[number];

/** The column of a file for each meaning. */
export type Columns = Readonly<Partial<Record<Meaning, string>>>;

/** Column names of known recordings in lower case, the most certain first. */
const KNOWN: Readonly<Record<Meaning, readonly string[]>> = {
  time: ['tst_utc', 'tst', 'time', 'timestamp', 'datetime', 'arrival_local', 'time_local'],
  // A file of stop visits names no vehicles; then each route becomes one bus.
  vehicle: ['vehicle', 'vehicle_id', 'vehicleid', 'veh', 'bus', 'bus_id', 'route', 'line'],
  latitude: ['lat', 'latitude'],
  longitude: ['lon', 'lng', 'long', 'longitude'],
  speed_mps: ['speed_mps', 'spd'],
  speed_kmh: ['speed_kmh', 'speed'],
  course: ['heading', 'course', 'bearing', 'hdg'],
  door: ['door', 'door_id'],
  entered: ['entered', 'boardings', 'boarded', 'in'],
  exited: ['exited', 'alightings', 'alighted', 'out'],
  entered_kids: ['entered_kids', 'entered_children'],
  exited_kids: ['exited_kids', 'exited_children'],
};

/** A recording cannot be read; the message is for the operator. */
export class RecordingError extends Error {}

/**
 * Detects the meanings of a file's columns.
 * @param header the file's first line
 * @param named columns from the command line, which precede detected ones
 * @param needed the mandatory meanings
 * @throws RecordingError that names the missing meanings
 */
export function detectColumns(
  header: readonly string[],
  named: Columns,
  needed: readonly Meaning[],
): Columns {
  const found = Object.fromEntries(
    meanings.flatMap((meaning) => {
      const own = named[meaning];
      if (own !== undefined && header.includes(own)) return [[meaning, own]];
      const known = KNOWN[meaning].flatMap((name) =>
        header.filter((column) => column.trim().toLowerCase() === name),
      );
      return known[0] === undefined ? [] : [[meaning, known[0]]];
    }),
  );
  const missing = needed.filter((meaning) => found[meaning] === undefined);
  if (missing.length > 0) {
    throw new RecordingError(
      `There is no column for ${missing.join(', ')} among ${header.join(', ')}. Name it with --columns ${missing[0]}=NAME`,
    );
  }
  return found;
}

/**
 * Reads `--columns time=a,door=b`.
 * @throws RecordingError for an unknown meaning
 */
export function readColumns(text: string): Columns {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [meaning = '', column = ''] = pair.split('=').map((text) => text.trim());
      const known = meanings.find((one) => one === meaning);
      if (known === undefined || column === '') {
        throw new RecordingError(
          `--columns: '${pair}' is not MEANING=COLUMN with a meaning of ${meanings.join(', ')}`,
        );
      }
      return [known, column];
    }),
  );
}
