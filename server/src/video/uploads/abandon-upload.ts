import type { Deps } from '../../deps.ts';
import { failTry } from '../../fetching/tries.ts';

/**
 * Abandons an incomplete upload: its attempt has failed. Does nothing when it is complete or gone.
 * @param reason for people
 */
export async function abandonUpload(
  { database, clock }: Pick<Deps, 'clock' | 'database'>,
  id: string,
  reason: string,
): Promise<void> {
  await database.db.transaction().execute(async (tx) => {
    // Locks the fragment first, as everybody who works on its uploads does.
    await tx
      .selectFrom('uploads')
      .innerJoin('segments', 'segments.id', 'uploads.segment_id')
      .select('segments.id')
      .where('uploads.id', '=', id)
      .forUpdate('segments')
      .execute();
    const upload = await tx
      .selectFrom('uploads')
      .select('segment_id')
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    if (upload === undefined) return;
    await failTry(tx, upload.segment_id, { reason, atMs: clock.nowMs() });
  });
}
