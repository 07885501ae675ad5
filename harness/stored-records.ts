// Reads the stored records of a unit and compares them with the sent ones.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasErrorCode } from '@ridewatch/server/src/core/errors.ts';
import { unpackPoints } from '@ridewatch/server/src/positions/pack.ts';
import type pg from 'pg';
import { contentOf } from './made-records.ts';
import type { SendingUnit } from './sending-unit.ts';

/** Most time of the verification of uploads, and the polling interval, ms. */
const CHECKED_LIMIT_MS = 120_000;
const LOOK_AGAIN_MS = 500;

/**
 * Compares the stored records of a unit with those that it made.
 * @returns one sentence for each fault; none if every record is stored once and acknowledged, and nothing else is
 *   stored
 */
export async function faultsOf(client: pg.Client, unit: SendingUnit): Promise<string[]> {
  const times = new Map<string, number>();
  for (const content of await listStored(client, unit.deviceId)) {
    times.set(content, (times.get(content) ?? 0) + 1);
  }
  const faults: string[] = [];
  for (const [content, { acknowledged }] of unit.records) {
    const count = times.get(content) ?? 0;
    if (count > 1) faults.push(`stored ${count} times: ${content}`);
    else if (count === 0 && acknowledged) faults.push(`acknowledged and not stored: ${content}`);
    else if (count === 0) faults.push(`not stored: ${content}`);
    else if (!acknowledged) faults.push(`stored and not acknowledged: ${content}`);
  }
  for (const content of times.keys()) {
    if (!unit.records.has(content)) faults.push(`stored and never sent: ${content}`);
  }
  const hours = await sumHours(client, unit.deviceId);
  const made = sumPassengers(unit);
  if (hours !== made) faults.push(`${hours} people in the hours, and ${made} were sent`);
  return faults;
}

/**
 * Waits until the server has checked all videos of a unit, then compares the stored bytes with the sent ones.
 * @param media the folder of the stored files
 * @returns one sentence for each video that is missing, doubled or different, and for acknowledged bytes that were lost
 */
export async function videoFaultsOf(
  client: pg.Client,
  unit: SendingUnit,
  media: string,
): Promise<string[]> {
  const endMs = performance.now() + CHECKED_LIMIT_MS;
  for (;;) {
    const faults = await compareVideos(client, unit, media);
    if (faults.length === 0 || performance.now() > endMs) return [...faults, ...unit.uploadFaults];
    await sleep(LOOK_AGAIN_MS);
  }
}

async function compareVideos(
  client: pg.Client,
  { deviceId, videos }: SendingUnit,
  media: string,
): Promise<string[]> {
  const { rows } = await client.query<{ start: Date; status: string; key: string | null }>(
    `select sent_start as start, status, storage_key as key
     from segments join units on units.id = unit_id
     left join segment_files on segment_id = segments.id and variant = 'source'
     where device_id = $1`,
    [deviceId],
  );
  const stored = Map.groupBy(rows, ({ start }) => start.toISOString());
  const faults: string[] = [];
  for (const [start, sha256] of videos) {
    const found = stored.get(start) ?? [];
    const [first] = found;
    if (found.length > 1) faults.push(`stored ${found.length} times: the video of ${start}`);
    else if (first?.key == null || (await hashOf(path.join(media, first.key))) !== sha256) {
      faults.push(`not stored: the video of ${start}, ${first?.status}`);
    }
  }
  return faults;
}

// Undefined for a missing file.
async function hashOf(file: string): Promise<string | undefined> {
  const hash = createHash('sha256');
  try {
    await pipeline(createReadStream(file), hash);
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  return hash.digest('hex');
}

async function listStored(client: pg.Client, deviceId: string): Promise<string[]> {
  // Formats times as units send them.
  const text = (column: string): string =>
    `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const listed = async (query: string): Promise<string[]> => {
    const { rows } = await client.query<{ record: Parameters<typeof contentOf>[0] }>(query, [
      deviceId,
    ]);
    return rows.map(({ record }) => contentOf(record));
  };
  const passengers = await listed(`
    select json_build_object('type', 'passenger', 'time', ${text('sent_time')}, 'door', door,
      'direction', direction, 'passenger', passenger, 'count', count) as record
    from passenger_events join units on units.id = unit_id where device_id = $1`);
  const cameraStates = await listed(`
    select json_build_object('type', 'camera_state', 'time', ${text('sent_time')},
      'camera', cameras.stream_id, 'status', camera_states.status) as record
    from camera_states join units on units.id = unit_id
    join cameras on cameras.id = camera_id where device_id = $1`);
  const segments = await listed(`
    select json_build_object('type', 'segment', 'time', ${text('sent_time')},
      'camera', cameras.stream_id, 'start_time', ${text('sent_start')},
      'end_time', ${text('sent_end')}, 'max_objects_count', max_objects_count, 'video', video) as record
    from segment_announcements join units on units.id = unit_id
    join cameras on cameras.id = camera_id where device_id = $1`);
  return [...(await listPositions(client, deviceId)), ...passengers, ...cameraStates, ...segments];
}

async function listPositions(client: pg.Client, deviceId: string): Promise<string[]> {
  const { rows } = await client.query<{ points: Buffer }>(
    `select points from position_blocks join units on units.id = unit_id where device_id = $1`,
    [deviceId],
  );
  return rows
    .flatMap(({ points }) => unpackPoints(points))
    .map(({ sentMs, latitudeE6, longitudeE6, speedE1, course }) =>
      contentOf({
        type: 'position',
        seq: 0,
        time: new Date(sentMs).toISOString(),
        fix: true,
        latitude: latitudeE6 / 1e6,
        longitude: longitudeE6 / 1e6,
        ...(speedE1 === null ? {} : { speed_kmh: speedE1 / 10 }),
        ...(course === null ? {} : { course }),
      }),
    );
}

async function sumHours(client: pg.Client, deviceId: string): Promise<number> {
  const { rows } = await client.query<{ people: number }>(
    `select coalesce(sum(entered_adults + entered_kids + exited_adults + exited_kids), 0)::int as people
     from hourly_traffic join units using (workplace_id) where device_id = $1`,
    [deviceId],
  );
  return rows[0]?.people ?? 0;
}

function sumPassengers({ records }: SendingUnit): number {
  return [...records.values()].reduce(
    (sum, { record }) => sum + (record.type === 'passenger' ? record.count : 0),
    0,
  );
}
