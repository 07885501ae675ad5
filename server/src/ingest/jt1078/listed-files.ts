// Files of a registrar's list become fragments of the camera: each is announced to the store once, and what a command
// repeats of it is kept beside the fragment. Each moment of a camera is in one fragment.
import { sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { recordingNumber } from '../by-id/numbers.ts';
import type { ToldRecord } from '../by-id/store-told.ts';
import { HAS_SETTLED_TIMES } from '../store/settled-times.ts';
import {
  type FileKind,
  isWorth,
  LONGEST_MS,
  overlapMs,
  type Period,
  partOf,
  partsOutside,
  type RegistrarFile,
} from './file-list.ts';
import { partByMoves } from './parts-of-buses.ts';
import type { StoreTerminalRecords } from './terminal-records.ts';

/** A camera of a registrar. */
export interface RegistrarCamera {
  readonly key: string;
  readonly channel: number;
}

/** The files of a list that are wanted. */
interface WantedFiles {
  readonly camera: RegistrarCamera;
  readonly files: readonly RegistrarFile[];
  readonly period: Period;
  /** Whether the server fetches the new ones, or leaves them with the registrar. */
  readonly video: 'queued' | 'kept';
  /** The camera that somebody has asked for: parts of other buses are left out. undefined: none is. */
  readonly onlyCameraId?: number;
}

/** A part of a file, recorded by a camera of the bus in which the unit sat. */
interface ListedPart extends RegistrarFile {
  readonly cameraId: number;
}

/** A fragment that is known. */
interface KnownFragment extends Period {
  readonly id: number;
  readonly cameraId: number;
  /** As its file was listed last; null: no list has named it. */
  readonly media: number | null;
  readonly stream: number | null;
  readonly storage: number | null;
  /** It waits for its upload to be asked for. */
  readonly isQueued: boolean;
  /** It may become longer: nobody has asked its terminal for it, and no video is here. */
  readonly mayGrow: boolean;
}

/** A known fragment that is longer by now, or a new one, and its part of a file. */
interface Announced {
  readonly part: ListedPart;
  readonly isNew: boolean;
}

/** A terminal may be asked for a fragment while a longer one is stored: then the rest is another one. */
const ROUNDS = 2;

/**
 * Announces what known fragments of the camera lack of files: as the rest of one that has grown and that its terminal was
 * not asked for, else as new fragments, `queued` or `kept`. A file over a move of the unit is cut there.
 * @returns how many fragments of the files and the period are known by now, and the ids of those that wait for their upload
 * @throws AppError unavailable, the database's error
 */
export async function announceFiles(
  db: Db,
  storeTold: StoreTerminalRecords,
  unit: KnownUnit,
  { camera, files, period, video, onlyCameraId }: WantedFiles,
): Promise<{ readonly known: number; readonly queued: readonly number[] }> {
  const parts = await listParts(db, unit, camera.key, files);
  const wanted = parts.filter(
    (part) =>
      overlapMs(part, period) > 0 && (onlyCameraId === undefined || part.cameraId === onlyCameraId),
  );
  let known = await listFragments(db, unit, wanted);
  const announced: ListedPart[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const missing = wanted
      .flatMap((part) => missingOf(part, known))
      .filter(({ part }) => overlapMs(part, period) > 0);
    if (missing.length === 0) break;
    const records = missing.map(({ part, isNew }) =>
      recordOf(camera, part, isNew ? video : 'kept'),
    );
    await storeTold(unit, records);
    announced.push(...missing.map(({ part }) => part));
    known = await listFragments(db, unit, wanted);
  }
  const isSame = (part: ListedPart, { cameraId, startMs, endMs }: KnownFragment): boolean =>
    part.cameraId === cameraId && part.startMs === startMs && part.endMs === endMs;
  const repeated = wanted.filter((part) => known.some((fragment) => isSame(part, fragment)));
  await keepFiles(db, unit, [...announced, ...repeated]);
  const meant = known.filter(
    (fragment) =>
      overlapMs(fragment, period) > 0 &&
      wanted.some((part) => part.cameraId === fragment.cameraId && overlapMs(part, fragment) > 0),
  );
  const queued = meant.filter(({ isQueued }) => isQueued).map(({ id }) => id);
  return { known: meant.length, queued };
}

function recordOf(
  { key, channel }: RegistrarCamera,
  { startMs, endMs }: Period,
  video: 'queued' | 'kept',
): ToldRecord {
  return {
    ...{ type: 'segment', seq: recordingNumber({ startMs, endMs, channel }), sentMs: endMs },
    ...{ camera: key, startMs, endMs, video, maxObjectsCount: null },
  };
}

// The times of a part that no known fragment has. Such a rest lengthens the fragment before it if both are of one file.
function missingOf(file: ListedPart, all: readonly KnownFragment[]): Announced[] {
  const known = all.filter(({ cameraId }) => cameraId === file.cameraId);
  return partsOutside(file, known).flatMap((rest): Announced[] => {
    const grown = known.find(
      (fragment) =>
        fragment.mayGrow &&
        fragment.endMs === rest.startMs &&
        fragment.startMs >= file.startMs &&
        isOfKind(fragment, file),
    );
    const { cameraId } = file;
    if (grown !== undefined) {
      const part = partOf(file, { startMs: grown.startMs, endMs: rest.endMs });
      return [{ part: { ...part, cameraId }, isNew: false }];
    }
    return isWorth(rest, file) ? [{ part: { ...rest, cameraId }, isNew: true }] : [];
  });
}

const isOfKind = ({ media, stream, storage }: KnownFragment, file: FileKind): boolean =>
  media === null || (media === file.media && stream === file.stream && storage === file.storage);

// The parts of files by the buses in which the unit sat, of those that have such a camera.
async function listParts(
  db: Db,
  unit: KnownUnit,
  key: string,
  files: readonly RegistrarFile[],
): Promise<ListedPart[]> {
  const parts = files.flatMap((file) => partByMoves(unit, file));
  const cameras = await db
    .selectFrom('cameras')
    .select(['id', 'workplace_id'])
    .where('stream_id', '=', key)
    .where(sql<boolean>`workplace_id = any(${parts.map(({ busId }) => busId)}::bigint[])`)
    .execute();
  const ids = new Map(cameras.map(({ id, workplace_id }) => [workplace_id, id]));
  return parts.flatMap(({ busId, part }) => {
    const cameraId = ids.get(busId);
    return cameraId === undefined ? [] : [{ ...part, cameraId }];
  });
}

// The fragments of the cameras and the time of parts.
async function listFragments(
  db: Db,
  { unitId }: KnownUnit,
  parts: readonly ListedPart[],
): Promise<readonly KnownFragment[]> {
  if (parts.length === 0) return [];
  const cameraIds = [...new Set(parts.map(({ cameraId }) => cameraId))];
  const fromMs = Math.min(...parts.map(({ startMs }) => startMs));
  const untilMs = Math.max(...parts.map(({ endMs }) => endMs));
  const { rows } = await sql<Omit<KnownFragment, keyof Period> & { start: Date; end: Date }>`
    select id, camera_id as "cameraId", start_time as start, end_time as end,
      media, stream, storage, status = 'ADDED' as "isQueued",
      sent_start = start_time and not ${HAS_SETTLED_TIMES} as "mayGrow"
    from segments left join registrar_files on registrar_files.segment_id = segments.id
    where unit_id = ${unitId} and camera_id = any(${cameraIds}::bigint[])
      and start_time >= ${new Date(fromMs - LONGEST_MS)}
      and start_time < ${new Date(untilMs)} and end_time > ${new Date(fromMs)}
    order by start_time, id`.execute(db);
  return rows.map(({ start, end, ...row }) => ({
    ...{ ...row, startMs: start.getTime(), endMs: end.getTime() },
  }));
}

// A repeated list changes nothing, and neither does any once the terminal was asked for the file.
async function keepFiles(
  db: Db,
  { unitId }: KnownUnit,
  files: readonly ListedPart[],
): Promise<void> {
  if (files.length === 0) return;
  await sql`
    insert into registrar_files as known (segment_id, size_bytes, media, stream, storage)
    select distinct on (segments.id) segments.id, size_bytes, media, stream, storage
    from unnest(
      ${files.map(({ cameraId }) => cameraId)}::bigint[],
      ${files.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${files.map(({ endMs }) => new Date(endMs))}::timestamptz[],
      ${files.map(({ sizeBytes }) => sizeBytes)}::bigint[],
      ${files.map(({ media }) => media)}::smallint[],
      ${files.map(({ stream }) => stream)}::smallint[],
      ${files.map(({ storage }) => storage)}::smallint[])
      as file (camera, start, until, size_bytes, media, stream, storage)
    join segments on unit_id = ${unitId} and camera_id = camera
      and sent_start = start and sent_end = until
    on conflict (segment_id) do update set size_bytes = excluded.size_bytes, media = excluded.media,
      stream = excluded.stream, storage = excluded.storage
    where (known.size_bytes, known.media, known.stream, known.storage)
      is distinct from (excluded.size_bytes, excluded.media, excluded.stream, excluded.storage)
      and exists (select from segments where id = known.segment_id and not ${HAS_SETTLED_TIMES})`.execute(
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
