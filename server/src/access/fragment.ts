import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import type { TimeMap } from '@ridewatch/contract/time-map';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isOwnMoment, type Visible } from './visible.ts';

export interface FragmentRow {
  readonly id: number;
  readonly cameraId: number;
  readonly busId: number;
  readonly unitId: number;
}

/** A stored file of a fragment. */
export interface FragmentFile {
  readonly fragmentId: number;
  readonly cameraId: number;
  readonly storageKey: string;
  readonly sizeBytes: number;
  /** Strong validator of the bytes. */
  readonly etag: string;
  /** Its container format, as server/src/media/containers.ts names it; null for files stored before it was recorded. */
  readonly format: string | null;
  readonly startTime: Date;
  readonly endTime: Date;
  /** Of the playable file; null where wall time and media time are the same. */
  readonly timeMap: TimeMap | null;
  readonly status: FragmentStatus;
  /** Of a service camera. */
  readonly live: boolean;
}

/** @throws AppError not_found, also for fragments of days that are not the user's */
export async function findFragment(
  db: Db,
  viewer: Viewer,
  id: number,
): Promise<Visible<FragmentRow>> {
  const fragment = await db
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select([
      'segments.id',
      'segments.camera_id as cameraId',
      'cameras.workplace_id as busId',
      'segments.unit_id as unitId',
    ])
    .where('segments.id', '=', id)
    .where(isOwnMoment(viewer, sql.ref('cameras.workplace_id'), sql.ref('segments.start_time')))
    .executeTakeFirst();
  if (fragment === undefined) throw notFound();
  return fragment as Visible<FragmentRow>;
}

/**
 * @param variant the source, the playable file, or the thumbnail sheet
 * @throws AppError not_found, also for fragments of days that are not the user's
 */
export async function findFragmentFile(
  db: Db,
  viewer: Viewer,
  fragmentId: number,
  variant: 'source' | 'playable' | 'preview',
): Promise<Visible<FragmentFile>> {
  const row = await db
    .selectFrom('segment_files')
    .innerJoin('segments', 'segments.id', 'segment_files.segment_id')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['storage_key', 'size_bytes', 'sha256', 'format', 'time_map', 'cameras.live'])
    .select([
      'segments.start_time',
      'segments.end_time',
      'segments.status',
      'cameras.id as cameraId',
    ])
    .where('segment_id', '=', fragmentId)
    .where('variant', '=', variant)
    .where(isOwnMoment(viewer, sql.ref('cameras.workplace_id'), sql.ref('segments.start_time')))
    .executeTakeFirst();
  if (row === undefined) throw notFound();
  return {
    fragmentId,
    cameraId: row.cameraId,
    storageKey: row.storage_key,
    sizeBytes: row.size_bytes,
    etag: `"${row.sha256.toString('hex')}"`,
    format: row.format,
    startTime: row.start_time,
    endTime: row.end_time,
    timeMap: row.time_map as TimeMap | null,
    status: row.status,
    live: row.live,
  } as Visible<FragmentFile>;
}
