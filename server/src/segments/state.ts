import { type SegmentStatus, segmentMoves } from '@ridewatch/contract/segment-states';
import { bumpDaysBetween } from '../bus-days.ts';
import type { Db } from '../db.ts';
import { AppError, notFound } from '../errors.ts';

/**
 * Moves a fragment to another state, if the table of moves allows it, and marks its bus's days as changed.
 * The fragment's row stays locked until the transaction ends.
 * @param atMs when it happens, ms since 1970 UTC
 * @param failReason why it failed, for people; any move without one clears the last reason
 * @returns the state it was in
 * @throws AppError not_found, or conflict for a move that the table does not have
 */
export async function moveSegment(
  tx: Db,
  segmentId: number,
  to: SegmentStatus,
  { atMs, failReason }: { atMs: number; failReason?: string },
): Promise<SegmentStatus> {
  const segment = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['segments.status', 'start_time', 'end_time', 'workplace_id'])
    .where('segments.id', '=', segmentId)
    .forUpdate('segments')
    .executeTakeFirst();
  if (segment === undefined) throw notFound();
  if (!segmentMoves[segment.status].includes(to)) {
    throw new AppError('conflict', `A fragment in state ${segment.status} cannot become ${to}.`);
  }
  await tx
    .updateTable('segments')
    .set({ status: to, status_at: new Date(atMs), fail_reason: failReason ?? null })
    .where('id', '=', segmentId)
    .execute();
  await bumpDaysBetween(
    tx,
    segment.workplace_id,
    segment.start_time.getTime(),
    segment.end_time.getTime(),
  );
  return segment.status;
}
