import { findSegment } from '../access.ts';
import { type Actor, insertAudit } from '../audit.ts';
import type { Viewer } from '../auth/viewer.ts';
import { insertCommand } from '../commands/queries.ts';
import type { Db } from '../db.ts';
import { moveSegment } from '../segments/state.ts';

/**
 * Asks the unit for the video of a fragment. While a request or an upload runs, a second one joins it.
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
    const { status } = await tx
      .selectFrom('segments')
      .select('status')
      .where('id', '=', segment.id)
      .forUpdate()
      .executeTakeFirstOrThrow();
    if (status === 'DOWNLOADING_FROM_TASK' || status === 'LOADING') return;
    await moveSegment(tx, segment.id, 'DOWNLOADING_FROM_TASK', { atMs: nowMs });
    await insertCommand(tx, {
      unitId: segment.unitId,
      kind: 'fetch_segment',
      segmentId: segment.id,
      createdMs: nowMs,
    });
    await insertAudit(tx, actor, {
      action: 'fetch_segment',
      objectType: 'segment',
      objectId: segment.id,
      before: { status },
      after: { status: 'DOWNLOADING_FROM_TASK' },
    });
  });
}
