import { findSegment } from '../access.ts';
import { type Actor, insertAudit } from '../audit.ts';
import type { Viewer } from '../auth/viewer.ts';
import { askAgain } from '../commands/tries.ts';
import type { Db } from '../db.ts';
import { moveSegment } from '../segments/state.ts';

/**
 * Asks the unit for the video of a fragment. While a request or an upload runs, a second one joins it; one that waits
 * for its next try is tried at once.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError not_found, or conflict when the fragment's state has nothing to fetch
 */
export async function requestVideo(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  segmentId: number,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const segment = await findSegment(tx, viewer, segmentId);
    const { status, retry_at } = await tx
      .selectFrom('segments')
      .select(['status', 'retry_at'])
      .where('id', '=', segment.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    const isOnItsWay = status === 'DOWNLOADING_FROM_TASK' || status === 'LOADING';
    if (isOnItsWay && retry_at === null) return;
    if (!isOnItsWay) await moveSegment(tx, segment.id, 'DOWNLOADING_FROM_TASK', { atMs: nowMs });
    await askAgain(tx, segment.id, nowMs);
    await insertAudit(tx, actor, {
      action: 'fetch_segment',
      objectType: 'segment',
      objectId: segment.id,
      before: { status },
      after: { status: isOnItsWay ? status : 'DOWNLOADING_FROM_TASK' },
    });
  });
}
