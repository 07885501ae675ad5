// Plays a recording through the unit interface: every recorded vehicle becomes a bus with its own unit.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dayOf } from '@ridewatch/contract/day';
import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { UnitRecord } from '@ridewatch/contract/unit';
import { type Administrator, credentialsOf, setUp, signIn } from '../fleet-set-up.ts';
import { connect } from '../uplink/connection.ts';
import { createMemoryOutbox } from '../uplink/outbox.ts';
import { createSender } from '../uplink/sender.ts';
import type { Timers } from '../uplink/timers.ts';
import { RecordingError } from './columns.ts';
import { counted } from './counted.ts';
import type { ReplayFlags } from './flags.ts';
import { type RecordedCount, type RecordedPosition, readRecording } from './read-recording.ts';
import { listUnits, type RecordedUnit } from './recorded-unit.ts';
import { shiftTo } from './recording-time.ts';
import { findOrMakeRoute, putOnRoute } from './route-of-file.ts';

const TICK_MS = 500;
const MOST_ID_LENGTH = 64;

export interface ReplayOptions {
  flags: ReplayFlags;
  timers: Timers;
  signal: AbortSignal;
  /** Prints a line for the operator. */
  say: (line: string) => void;
}

/**
 * Plays a whole recording.
 * @throws RecordingError for files that cannot be read, SetUpError when the server refuses the buses or their route
 */
export async function replay(options: ReplayOptions): Promise<void> {
  const { flags, timers, say } = options;
  const routeFile = flags.route && (await read(flags.route.file));
  const units = await readUnits(flags);
  const all = units.flatMap(({ tracks }) => tracks.flatMap(({ records }) => records));
  say(
    `${counted(all.length, 'record')} of ${counted(units.length, 'bus')}: ${units.map((one) => one.vehicle).join(', ')}`,
  );
  const administrator = await signIn(flags);
  const credentials = await setUpBuses(administrator, options, units, routeFile);
  const firstMs = all.reduce(
    (least, { time }) => Math.min(least, Date.parse(time)),
    Number.MAX_VALUE,
  );
  const startedMs = timers.nowMs();
  const untilMs = (): number =>
    flags.speed === 'max'
      ? Number.POSITIVE_INFINITY
      : firstMs + (timers.nowMs() - startedMs) * flags.speed;
  const stored = await Promise.all(
    units.map((unit) => {
      const credential = credentials.get(deviceIdOf(unit.vehicle)) ?? '';
      return play(unit, credential, { ...options, untilMs });
    }),
  );
  say(
    `${counted(
      stored.reduce((sum, count) => sum + count, 0),
      'record',
    )} stored`,
  );
}

// The route first: a file that the server refuses leaves no buses without one behind.
async function setUpBuses(
  administrator: Administrator,
  { flags, say }: ReplayOptions,
  units: readonly RecordedUnit[],
  routeFile: Buffer | undefined,
): Promise<Map<string, string>> {
  if (flags.route === undefined || routeFile === undefined) {
    return credentialsOf(await setUp(administrator, planOf(flags, units)));
  }
  const [customer] = (await setUp(administrator, planOf(flags, []))).customers;
  const clientId = customer?.id ?? 0;
  const route = await findOrMakeRoute(administrator, clientId, flags.route, routeFile, say);
  const issued = await setUp(administrator, planOf(flags, units));
  for (const { device_id, bus_id } of issued.units) {
    const unit = units.find(({ vehicle }) => deviceIdOf(vehicle) === device_id);
    const times = unit?.tracks.flatMap(({ records }) => records.slice(0, 1)) ?? [];
    const firstMs = Math.min(...times.map(({ time }) => Date.parse(time)));
    await putOnRoute(administrator, bus_id, route.id, dayOf(firstMs, flags.zone));
  }
  return credentialsOf(issued);
}

async function play(
  { vehicle, tracks }: RecordedUnit,
  credential: string,
  { flags, timers, signal, say, untilMs }: ReplayOptions & { untilMs: () => number },
): Promise<number> {
  const outbox = createMemoryOutbox();
  const sender = createSender({
    connection: connect({ url: flags.url, credential }),
    outbox,
    timers,
    onRefused: ({ reason, message }, record) =>
      say(`${vehicle}: ${record?.type} of ${record?.time} refused: ${reason} ${message}`),
    onFailure: (error, waitMs) => say(`${vehicle}: ${error.message}; next attempt in ${waitMs} ms`),
  });
  const left = tracks.map(({ stream, records }) => ({ stream, records, next: 0 }));
  let stored = 0;
  while (!signal.aborted) {
    const lastMs = untilMs();
    for (const track of left) {
      const isLater = ({ time }: UnitRecord): boolean => Date.parse(time) > lastMs;
      const later = track.records.slice(track.next).findIndex(isLater);
      const end = later < 0 ? track.records.length : track.next + later;
      outbox.add(track.stream, track.records.slice(track.next, end));
      track.next = end;
    }
    const count = await sender.flush(signal);
    stored += count;
    if (left.every(({ next, records }) => next === records.length)) break;
    await timers.sleep(TICK_MS, signal);
  }
  return stored;
}

/** Reads the files into the records of each vehicle. */
export async function readUnits(
  flags: Pick<ReplayFlags, 'positions' | 'counts' | 'zone' | 'columns' | 'shiftTo'>,
): Promise<RecordedUnit[]> {
  const { zone, columns } = flags;
  const lines: (RecordedPosition | RecordedCount)[] = [];
  const name = { position: '', count: '' };
  for (const [kind, files] of [
    ['position', flags.positions],
    ['count', flags.counts],
  ] as const) {
    const hash = createHash('sha256').update(JSON.stringify([zone, columns, flags.shiftTo]));
    for (const file of files) {
      hash.update(await read(file));
      for await (const line of readRecording(file, { zone, columns, kind })) lines.push(line);
    }
    name[kind] = hash.digest('hex');
  }
  if (lines.length === 0) throw new RecordingError('The recording is empty.');
  const firstMs = lines.reduce((least, { timeMs }) => Math.min(least, timeMs), Number.MAX_VALUE);
  const firstDay = dayOf(firstMs, zone);
  const { shiftTo: toDay } = flags;
  const shifted =
    toDay === undefined
      ? lines
      : lines.map((line) => ({ ...line, timeMs: shiftTo(line.timeMs, zone, firstDay, toDay) }));
  return listUnits(shifted, name);
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    throw new RecordingError(`${file} cannot be read.`, { cause });
  }
}

function planOf({ customer, zone }: ReplayFlags, units: readonly RecordedUnit[]): FleetPlan {
  return {
    customers: [
      {
        name: customer,
        groups: [],
        buses: units.map(({ vehicle, tracks }) => ({
          name: vehicle,
          type: 'COUNTER',
          timezone: zone,
          gps_trackable: tracks.some(({ records }) => records[0]?.type === 'position'),
          group: null,
          device_id: deviceIdOf(vehicle),
          cameras: [],
        })),
      },
    ],
  };
}

function deviceIdOf(vehicle: string): string {
  return `replay-${vehicle}`.slice(0, MOST_ID_LENGTH);
}
