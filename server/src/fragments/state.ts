import { type FragmentStatus, fragmentMoves } from '@ridewatch/contract/fragment-states';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { bumpDaysBetween } from '../days/bus-days.ts';

/** From here a new row of tries begins. */
const FRESH: ReadonlySet<FragmentStatus> = new Set([
  'ADDED',
  'LIVE',
  'DOWNLOADING_FROM_TASK',
  'LOADED',
]);

/**
 * Moves a fragment to another state, if the table of moves allows it, and marks its bus's days as changed.
 * The fragment's row stays locked until the transaction ends.
 * @param atMs when it happens, ms since 1970 UTC
 * @param failReason why it failed, for people; any move without one clears the last reason
 * @returns the state it was in
 * @throws AppError not_found, or conflict for a move that the table does not have
 */
export async function moveFragment(
  tx: Db,
  fragmentId: number,
  to: FragmentStatus,
  { atMs, failReason }: { atMs: number; failReason?: string },
): Promise<FragmentStatus> {
  const fragment = await tx
    .selectFrom('segments')
    .select('status')
    .where('id', '=', fragmentId)
    .forUpdate()
    .executeTakeFirst();
  if (fragment === undefined) throw notFound();
  if (!fragmentMoves[fragment.status].includes(to)) {
    throw new AppError('conflict', `A fragment in state ${fragment.status} cannot become ${to}.`);
  }
  await tx
    .updateTable('segments')
    .set({
      status: to,
      status_from: fragment.status,
      status_at: new Date(atMs),
      fail_reason: failReason ?? null,
      retry_at: null,
      counting_percent: null,
      ...(FRESH.has(to) ? { failed_tries: 0 } : {}),
      // It has come again.
      ...(to === 'LOADED' ? { video_deleted_at: null, video_deleted_for: null } : {}),
    })
    .where('id', '=', fragmentId)
    .execute();
  await endInPreloads(tx, fragmentId, to, atMs);
  await markFragmentChanged(tx, fragmentId);
  return fragment.status;
}

// Requests for a stretch of time wait for their fragments until they are here or cannot be had.
async function endInPreloads(
  tx: Db,
  fragmentId: number,
  to: FragmentStatus,
  atMs: number,
): Promise<void> {
  if (to !== 'LOADED' && to !== 'DOWNLOAD_FAIL') return;
  const isHere = to === 'LOADED';
  await tx
    .updateTable('preload_segments')
    .set((eb) => ({
      ended_at: eb.fn.coalesce('ended_at', eb.val(new Date(atMs))),
      ...(isHere ? { percent: 100 } : {}),
    }))
    .where('segment_id', '=', fragmentId)
    .where('percent', '<', 100)
    .execute();
}

/**
 * Returns a fragment that is being counted or merged to where it came from, with the reason.
 * Does nothing to one that is in another state.
 */
export async function returnFragment(
  tx: Db,
  fragmentId: number,
  from: 'PROCESSING' | 'MERGING',
  { atMs, failReason }: { atMs: number; failReason: string },
): Promise<void> {
  const fragment = await tx
    .selectFrom('segments')
    .select(['status', 'status_from'])
    .where('id', '=', fragmentId)
    .forUpdate()
    .executeTakeFirst();
  if (fragment?.status !== from) return;
  const home = fragmentMoves[from].find((status) => status === fragment.status_from);
  const otherwise = from === 'PROCESSING' ? 'LOADED' : 'PROCESSED';
  await moveFragment(tx, fragmentId, home ?? otherwise, { atMs, failReason });
}

/** Marks the days that show a fragment as changed. Call it last in a transaction. */
export async function markFragmentChanged(tx: Db, fragmentId: number): Promise<void> {
  const { start_time, end_time, workplace_id } = await tx
    .selectFrom('segments')
    .innerJoin('cameras', 'cameras.id', 'segments.camera_id')
    .select(['start_time', 'end_time', 'workplace_id'])
    .where('segments.id', '=', fragmentId)
    .executeTakeFirstOrThrow();
  await bumpDaysBetween(tx, workplace_id, start_time.getTime(), end_time.getTime());
}
