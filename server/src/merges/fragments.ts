import type { FailReason } from '@ridewatch/contract/fail-reasons';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { moveFragment, returnFragment } from '../fragments/state.ts';

/** A fragment of a merged video. */
export interface MergedFragment {
  readonly id: number;
  readonly key: string;
  readonly sizeBytes: number;
}

/** The fragments of a camera that touch a period and have a playable file, in order. They are merged whole. */
export async function listMergedFragments(
  db: Db,
  { cameraId, from, to }: { cameraId: number; from: Date; to: Date },
): Promise<MergedFragment[]> {
  const { rows } = await sql<MergedFragment>`
    select segments.id, storage_key as key, size_bytes as "sizeBytes"
    from segments join segment_files on segment_id = segments.id and variant = 'playable'
    where camera_id = ${cameraId} and start_time < ${to} and end_time > ${from}
    order by start_time, segments.id`.execute(db);
  return rows;
}

/** Records which fragments belong to a merge, and moves the counted ones to MERGING. */
export async function beginFragments(
  tx: Tx,
  requestId: number,
  fragments: readonly MergedFragment[],
  atMs: number,
): Promise<void> {
  await tx.deleteFrom('merge_request_segments').where('request_id', '=', requestId).execute();
  await sql`insert into merge_request_segments (request_id, segment_id)
    select ${requestId}::bigint, unnest(${fragments.map(({ id }) => id)}::bigint[])`.execute(tx);
  for (const { id, status } of await lockFragments(tx, requestId)) {
    // Fragments of service cameras stay LOADED, and those being counted or fetched again stay as they are.
    if (status === 'PROCESSED' || status === 'WAS_MERGED') {
      await moveFragment(tx, id, 'MERGING', { atMs });
    }
  }
}

/** The merged video exists. */
export async function finishFragments(tx: Tx, requestId: number, atMs: number): Promise<void> {
  for (const { id, status } of await lockFragments(tx, requestId)) {
    // Another merge that failed has returned it meanwhile.
    if (status === 'PROCESSED') await moveFragment(tx, id, 'MERGING', { atMs });
    if (status === 'PROCESSED' || status === 'MERGING') {
      await moveFragment(tx, id, 'WAS_MERGED', { atMs });
    }
  }
}

/** There will be no merged video: the fragments return to their former state, unless another merge uses them. */
export async function releaseFragments(
  tx: Tx,
  requestId: number,
  { atMs, failReason }: { atMs: number; failReason: FailReason },
): Promise<void> {
  for (const { id, isShared } of await lockFragments(tx, requestId)) {
    if (!isShared) await returnFragment(tx, id, 'MERGING', { atMs, failReason });
  }
}

interface LockedFragment {
  readonly id: number;
  readonly status: string;
  /** Another running merge contains it. */
  readonly isShared: boolean;
}

// All of them before the first move: a move also locks the days that show the fragment, which others lock after it.
async function lockFragments(tx: Tx, requestId: number): Promise<LockedFragment[]> {
  const { rows } = await sql<LockedFragment>`
    select id, status, exists (
        select from merge_request_segments as others
        join merge_requests on merge_requests.id = others.request_id
        where others.segment_id = segments.id and request_id <> ${requestId}
          and merge_requests.status = 'PROCESS') as "isShared"
    from segments
    where id in (select segment_id from merge_request_segments where request_id = ${requestId})
    order by id for update of segments`.execute(tx);
  return rows;
}
