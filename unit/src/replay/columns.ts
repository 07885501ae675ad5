/** What a column of a recording may mean. */
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

/** Which column of a file carries what. */
export type Columns = Readonly<Partial<Record<Meaning, string>>>;

/** Names that recordings are known to use, the most certain first; written small. */
const KNOWN: Readonly<Record<Meaning, readonly string[]>> = {
  time: ['tst_utc', 'tst', 'time', 'timestamp', 'datetime', 'arrival_local', 'time_local'],
  // A file of visits names no vehicles: then each route drives as one bus.
  vehicle: ['vehicle', 'vehicle_id', 'veh', 'bus', 'bus_id', 'route', 'line'],
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

/** A recording that cannot be understood; its message is for the person at the keyboard. */
export class RecordingError extends Error {}

/**
 * Finds out what the columns of a file mean.
 * @param header the file's first line
 * @param named what the person said; goes before what is guessed
 * @param needed what the file cannot be used without
 * @throws RecordingError naming what is missing
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
      `no column for ${missing.join(', ')} among ${header.join(', ')}; say which with --columns ${missing[0]}=NAME`,
    );
  }
  return found;
}

/**
 * Reads `--columns time=a,door=b`.
 * @throws RecordingError for a meaning that there is not
 */
export function readColumns(text: string): Columns {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [meaning = '', column = ''] = pair.split('=').map((part) => part.trim());
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
