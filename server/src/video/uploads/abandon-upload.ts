import type { FailReason } from '@ridewatch/contract/fail-reasons';
import type { Deps } from '../../deps.ts';
import { failTry } from '../../fetching/tries.ts';

type AbandonDeps = Pick<Deps, 'clock' | 'database'>;

/** Abandons an incomplete upload: its attempt has failed. Does nothing when it is complete or gone. */
export function abandonUpload(deps: AbandonDeps, id: string, reason: FailReason): Promise<void> {
  return failUpload(deps, id, { reason });
}

/**
 * The unit sent more bytes than it had announced: the attempt has failed, and users see how far it came. Does nothing
 * when that is known, or when the upload is complete or gone.
 */
export function refuseTooLong(deps: AbandonDeps, id: string): Promise<void> {
  return failUpload(deps, id, { reason: 'upload_too_long', keepsBytes: true });
}

async function failUpload(
  { database, clock }: AbandonDeps,
  id: string,
  failure: { readonly reason: FailReason; readonly keepsBytes?: boolean },
): Promise<void> {
  const atMs = clock.nowMs();
  await database.db.transaction().execute(async (tx) => {
    // Locks the fragment first, as everybody who works on its uploads does.
    const fragment = await tx
      .selectFrom('uploads')
      .innerJoin('segments', 'segments.id', 'uploads.segment_id')
      .select('segments.fail_reason')
      .where('uploads.id', '=', id)
      .forUpdate('segments')
      .executeTakeFirst();
    const upload = await tx
      .selectFrom('uploads')
      .select(['segment_id', 'stopped_at'])
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .executeTakeFirst();
    if (upload === undefined) return;
    if (failure.keepsBytes) {
      // A unit may repeat a refused chunk.
      if (upload.stopped_at !== null && fragment?.fail_reason === failure.reason) return;
      const stopped = { stopped_at: new Date(atMs) };
      await tx.updateTable('uploads').set(stopped).where('id', '=', id).execute();
    }
    await failTry(tx, upload.segment_id, { ...failure, atMs });
  });
}
