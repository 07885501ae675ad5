// Files of a registrar's list become fragments of the camera: each is announced to the store once, and what a command
// repeats of it is kept beside the fragment.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { recordingNumber } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/take-told.ts';
import { type FileKind, LONGEST_MS, type RegistrarFile } from './file-list.ts';
import type { StoreTold } from './terminal-records.ts';

/** A camera of a registrar. */
export interface RegistrarCamera {
  readonly key: string;
  readonly channel: number;
}

/** A fragment of a listed file. */
interface ListedFragment {
  readonly id: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly isQueued: boolean;
}

/**
 * Announces files: those that are new as `queued` or `kept`; a known one that is longer by now stays what it is and
 * gets its end. A new one that known fragments of the camera cover by half or more is none: the registrar cuts files at
 * the bounds of a query, or lists another stream of the same time.
 * @returns how many of the files are known by now, and the ids of fragments of them that wait for their upload
 * @throws AppError unavailable, the database's error
 */
export async function announceFiles(
  db: Db,
  storeTold: StoreTold,
  unit: KnownUnit,
  camera: RegistrarCamera,
  files: readonly RegistrarFile[],
  video: 'queued' | 'kept',
): Promise<{ readonly known: number; readonly queued: readonly number[] }> {
  const known = { unitId: unit.unitId, cameraIds: await listCameras(db, unit, camera.key) };
  const before = await listFragments(db, known, files);
  const others = files.filter(({ startMs }) => !before.has(startMs));
  const covered = await listCovered(db, known, others);
  const records = files.flatMap(({ startMs, endMs }): ToldRecord[] => {
    const fragment = before.get(startMs);
    if (covered.has(startMs) || (fragment !== undefined && fragment.endMs >= endMs)) return [];
    const isQueued = video === 'queued' && fragment === undefined;
    const { key, channel } = camera;
    return [
      {
        ...{ type: 'segment', seq: recordingNumber({ endMs, channel, isQueued }), sentMs: endMs },
        ...{ camera: key, startMs, endMs, video: isQueued ? 'queued' : 'kept' },
        maxObjectsCount: null,
      },
    ];
  });
  await storeTold(unit, records);
  const now = records.length === 0 ? before : await listFragments(db, known, files);
  await keepFiles(
    db,
    files.flatMap((file) => {
      const fragment = now.get(file.startMs);
      return fragment?.endMs === file.endMs ? [{ ...file, fragmentId: fragment.id }] : [];
    }),
  );
  const queued = [...now.values()].filter(({ isQueued }) => isQueued).map(({ id }) => id);
  return { known: now.size + covered.size, queued };
}

/** A unit, and the ids of its camera: one in each bus in which the unit sits or sat. */
interface KnownCamera {
  readonly unitId: number;
  readonly cameraIds: readonly number[];
}

async function listCameras(db: Db, unit: KnownUnit, key: string): Promise<number[]> {
  const buses = [unit.busId, ...unit.pastAssignments.map(({ busId }) => busId)];
  const cameras = await db
    .selectFrom('cameras')
    .select('id')
    .where('stream_id', '=', key)
    .where(sql<boolean>`workplace_id = any(${buses}::bigint[])`)
    .execute();
  return cameras.map(({ id }) => id);
}

// The fragments of files, by start.
async function listFragments(
  db: Db,
  { unitId, cameraIds }: KnownCamera,
  files: readonly RegistrarFile[],
): Promise<ReadonlyMap<number, ListedFragment>> {
  const starts = files.map(({ startMs }) => new Date(startMs));
  const { rows } = await sql<{ id: number; start: Date; end: Date; isQueued: boolean }>`
    select id, sent_start as start, sent_end as end, status = 'ADDED' as "isQueued" from segments
    where unit_id = ${unitId} and camera_id = any(${[...cameraIds]}::bigint[])
      and sent_start = any(${starts}::timestamptz[])
    order by id`.execute(db);
  return new Map(
    rows.map(({ id, start, end, isQueued }) => [
      start.getTime(),
      { id, isQueued, startMs: start.getTime(), endMs: end.getTime() },
    ]),
  );
}

// The starts of files that known fragments of the camera cover by half or more.
async function listCovered(
  db: Db,
  { unitId, cameraIds }: KnownCamera,
  files: readonly RegistrarFile[],
): Promise<ReadonlySet<number>> {
  if (files.length === 0) return new Set();
  const { rows } = await sql<{ start: Date }>`
    select file.start from unnest(
      ${files.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${files.map(({ endMs }) => new Date(endMs))}::timestamptz[]) as file (start, until)
    where file.until - file.start <= 2 * (
      select sum(least(end_time, file.until) - greatest(start_time, file.start))
      from segments
      where unit_id = ${unitId} and camera_id = any(${[...cameraIds]}::bigint[])
        and start_time >= file.start - ${LONGEST_MS} * interval '1 ms'
        and start_time < file.until and end_time > file.start)`.execute(db);
  return new Set(rows.map(({ start }) => start.getTime()));
}

// A repeated list changes nothing.
async function keepFiles(
  db: Db,
  files: readonly (RegistrarFile & { readonly fragmentId: number })[],
): Promise<void> {
  if (files.length === 0) return;
  await sql`
    insert into registrar_files as known (segment_id, size_bytes, media, stream, storage)
    select * from unnest(
      ${files.map(({ fragmentId }) => fragmentId)}::bigint[],
      ${files.map(({ sizeBytes }) => sizeBytes)}::bigint[],
      ${files.map(({ media }) => media)}::smallint[],
      ${files.map(({ stream }) => stream)}::smallint[],
      ${files.map(({ storage }) => storage)}::smallint[])
    on conflict (segment_id) do update set size_bytes = excluded.size_bytes, media = excluded.media,
      stream = excluded.stream, storage = excluded.storage
    where (known.size_bytes, known.media, known.stream, known.storage)
      is distinct from (excluded.size_bytes, excluded.media, excluded.stream, excluded.storage)`.execute(
    db,
  );
}

/** The file of a fragment as a list names it; undefined: no list has. */
export async function findListedFile(
  db: Db,
  fragmentId: number,
): Promise<(FileKind & { readonly sizeBytes: number }) | undefined> {
  return db
    .selectFrom('registrar_files')
    .select(['media', 'stream', 'storage', 'size_bytes as sizeBytes'])
    .where('segment_id', '=', fragmentId)
    .executeTakeFirst();
}
