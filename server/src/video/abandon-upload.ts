import type { Deps } from '../app.ts';
import { moveSegment } from '../segments/state.ts';
import { deleteLater } from './delete-job.ts';

/**
 * Gives up an upload that is not whole: its fragment failed and may be asked for again. Does nothing to one that is
 * whole, or gone.
 * @param reason for people
 */
export async function abandonUpload(
  { database, clock }: Pick<Deps, 'clock' | 'database'>,
  id: string,
  reason: string,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    // The fragment first, as everybody who works on its uploads does.
    const segment = await tx
      .selectFrom('uploads')
      .innerJoin('segments', 'segments.id', 'uploads.segment_id')
      .select(['segments.id', 'segments.status'])
      .where('uploads.id', '=', id)
      .forUpdate('segments')
      .executeTakeFirst();
    if (segment === undefined) return;
    const given = await tx
      .deleteFrom('uploads')
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    if (given === undefined) return;
    await deleteLater(tx, [id]);
    if (segment.status !== 'LOADING') return;
    await moveSegment(tx, segment.id, 'DOWNLOAD_FAIL', { atMs: clock.nowMs(), failReason: reason });
  });
}
