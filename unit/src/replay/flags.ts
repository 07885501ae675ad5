import { parseArgs } from 'node:util';
import { FALLBACK_ZONE } from '@ridewatch/contract/day';
import { Day, Zone } from '@ridewatch/contract/primitives';
import * as z from 'zod/mini';
import { type Columns, RecordingError, readColumns } from './columns.ts';

export const USAGE = `Usage: npm run replay -- --url http://localhost:8080 --positions A.csv --counts B.csv [options]
  --positions FILE   positions of vehicles; may be given several times
  --counts FILE      passenger counts; may be given several times
  --zone ZONE        time zone of the buses and of times without an offset (${FALLBACK_ZONE})
  --columns LIST     columns by meaning, for instance time=arrival,vehicle=trip_id
  --customer NAME    customer of the buses (Replay)
  --route FILE       route of the buses: GPX, KML, GeoJSON, CSV of stops, or GTFS zip
  --route-name NAME  its name (the one in the file, else the file's own)
  --route-choice ID  one of the routes of a file that has several
  --shift-to DATE    play the first day of the recording as this day
  --speed X          seconds of the recording per second, or max (max)
  --login LOGIN      an administrator (admin)
  --password TEXT    or the variable RIDEWATCH_PASSWORD
See docs/replay.md.`;

export interface ReplayFlags {
  url: string;
  positions: readonly string[];
  counts: readonly string[];
  zone: string;
  columns: Columns;
  customer: string;
  /** The file with the route of the buses. */
  route: { file: string; name: string | undefined; choice: string | undefined } | undefined;
  shiftTo: string | undefined;
  speed: number | 'max';
  login: string;
  password: string;
}

/**
 * Reads the command line.
 * @param environmentPassword value of the environment for --password
 * @throws RecordingError that names the flag
 */
export function readReplayFlags(
  args: readonly string[],
  environmentPassword?: string,
): ReplayFlags {
  const values = parse(args);
  const { url, zone = FALLBACK_ZONE, customer = 'Replay', login = 'admin' } = values;
  const { positions = [], counts = [], speed = 'max' } = values;
  const password = values.password ?? environmentPassword;
  const shiftTo = values['shift-to'];
  const { route: file, 'route-name': name, 'route-choice': choice } = values;
  if (url === undefined || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new RecordingError('--url is required, for instance http://localhost:8080');
  }
  if (positions.length + counts.length === 0) {
    throw new RecordingError('--positions or --counts is required');
  }
  if (password === undefined) {
    throw new RecordingError('--password or RIDEWATCH_PASSWORD is required');
  }
  if (file === undefined && (name !== undefined || choice !== undefined)) {
    throw new RecordingError('--route-name and --route-choice need --route');
  }
  if (!z.safeParse(Zone, zone).success) {
    throw new RecordingError(`--zone '${zone}' is not an IANA time zone`);
  }
  if (shiftTo !== undefined && !z.safeParse(Day, shiftTo).success) {
    throw new RecordingError(`--shift-to '${shiftTo}' is not a day YYYY-MM-DD`);
  }
  if (speed !== 'max' && !(Number(speed) > 0 && Number(speed) <= 1e6)) {
    throw new RecordingError(`--speed '${speed}' is neither max nor a number up to 1000000`);
  }
  return {
    url: url.replace(/\/+$/, ''),
    positions,
    counts,
    zone,
    columns: values.columns === undefined ? {} : readColumns(values.columns),
    customer,
    route: file === undefined ? undefined : { file, name, choice },
    shiftTo,
    speed: speed === 'max' ? speed : Number(speed),
    login,
    password,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        url: { type: 'string' },
        positions: { type: 'string', multiple: true },
        counts: { type: 'string', multiple: true },
        zone: { type: 'string' },
        columns: { type: 'string' },
        customer: { type: 'string' },
        route: { type: 'string' },
        'route-name': { type: 'string' },
        'route-choice': { type: 'string' },
        'shift-to': { type: 'string' },
        speed: { type: 'string' },
        login: { type: 'string' },
        password: { type: 'string' },
      },
    }).values;
  } catch (cause) {
    throw new RecordingError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
