import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isOwnMoment, type Visible } from './visible.ts';

/** A merge request with its file. */
export interface MergeFile {
  readonly id: number;
  readonly status: 'PROCESS' | 'FAILED' | 'COMPLETE' | 'SENT';
  /** Null while there is no file. */
  readonly storageKey: string | null;
  readonly sizeBytes: number | null;
  readonly sha256: Buffer | null;
  readonly cameraId: number;
  readonly fromTime: Date;
  readonly toTime: Date;
}

/** Whether a merge request is visible: its day is, and the viewer may see the customer for whom
 * it was made. */
export function isVisibleMerge(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`merge_requests.client_id = any(${[...viewer.clientIds]}::bigint[])
    and ${isOwnMoment(viewer, sql.ref('cameras.workplace_id'), sql.ref('merge_requests.from_time'))}`;
}

/** @throws AppError not_found, also for foreign ones */
export async function findMerge(db: Db, viewer: Viewer, id: number): Promise<Visible<MergeFile>> {
  const merge = await db
    .selectFrom('merge_requests')
    .innerJoin('cameras', 'cameras.id', 'merge_requests.camera_id')
    .select(['merge_requests.id', 'merge_requests.status', 'storage_key as storageKey'])
    .select(['size_bytes as sizeBytes', 'sha256', 'camera_id as cameraId'])
    .select(['from_time as fromTime', 'to_time as toTime'])
    .where('merge_requests.id', '=', id)
    .where(isVisibleMerge(viewer))
    .executeTakeFirst();
  if (merge === undefined) throw notFound();
  return merge as Visible<MergeFile>;
}
