import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import type { Db, Tx } from '../core/db/db.ts';

export interface UploadTarget {
  readonly fragmentId: number;
  readonly status: FragmentStatus;
}

/** The fragment that a unit announced under this number, locked; undefined when there is none. */
export async function lockAnnouncedFragment(
  tx: Tx,
  unitId: number,
  stream: string,
  seq: number,
): Promise<UploadTarget | undefined> {
  return tx
    .selectFrom('segment_announcements')
    .innerJoin('unit_streams', 'unit_streams.id', 'segment_announcements.stream_id')
    .innerJoin('segments', 'segments.id', 'segment_announcements.segment_id')
    .select(['segments.id as fragmentId', 'segments.status'])
    .where('segment_announcements.unit_id', '=', unitId)
    .where('unit_streams.stream', '=', stream)
    .where('segment_announcements.seq', '=', seq)
    .forUpdate('segments')
    .executeTakeFirst();
}

/** A fragment of a unit by its id, locked; undefined when it is another unit's. */
export async function lockFragmentOf(
  tx: Tx,
  unitId: number,
  fragmentId: number,
): Promise<UploadTarget | undefined> {
  return tx
    .selectFrom('segments')
    .select(['id as fragmentId', 'status'])
    .where('id', '=', fragmentId)
    .where('unit_id', '=', unitId)
    .forUpdate()
    .executeTakeFirst();
}

export interface UploadRow {
  readonly id: string;
  readonly unitId: number;
  readonly fragmentId: number;
  readonly lengthBytes: number;
  readonly createdAt: Date;
  readonly finishedAt: Date | null;
  readonly sha256: string | null;
}

/** A resumable upload by its id. */
export async function findUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  return db
    .selectFrom('uploads')
    .select([
      'id',
      'unit_id as unitId',
      'segment_id as fragmentId',
      'length_bytes as lengthBytes',
      'created_at as createdAt',
      'finished_at as finishedAt',
      'sha256',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}
