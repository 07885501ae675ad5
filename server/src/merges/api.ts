import * as contract from '@ridewatch/contract/merges';
import { findMerge, type MergeFile } from '../access/merge.ts';
import type { Visible } from '../access/visible.ts';
import { insertAudit } from '../core/audit.ts';
import { notFound } from '../core/errors.ts';
import { actorOf, serve } from '../core/http/http.ts';
import { loadKeys } from '../core/signing-keys.ts';
import { checkVideo } from '../core/video-off.ts';
import type { Feature } from '../deps.ts';
import { savedName } from '../fragments/saved-name.ts';
import { createOpenStreams } from '../media/serving/open-streams.ts';
import { type SentFile, sendFile } from '../media/serving/send-file.ts';
import { createVideoVerifier } from '../media/serving/sign.ts';
import { findMergeAnswer, listMerges } from './merge-list.ts';
import { insertMerge } from './request.ts';
import { cancelMerge } from './rows.ts';

/** Merged videos: requesting, following and downloading them. */
export const addMerges: Feature = async (app, deps, auth) => {
  const { clock, config } = deps;
  const { db } = deps.database;
  const keys = await loadKeys(db, 'video', clock.nowMs());
  const verify = createVideoVerifier(keys);
  const streams = createOpenStreams(deps);
  app.addHook('onClose', async () => streams.close());
  const question = () => ({ keys, nowMs: clock.nowMs(), filesDays: config.keepDays.files });

  serve(app, auth, contract.requestMerge, 'user', async ({ viewer, actor, body }) => {
    const wanted = {
      cameraId: body.deviceId,
      fromMs: Date.parse(body.from),
      toMs: Date.parse(body.to),
      processed: body.processed,
    };
    checkVideo(deps.videoOff);
    const id = await insertMerge(db, viewer, actor, wanted, clock.nowMs());
    return findMergeAnswer(db, viewer, id, question());
  });

  serve(app, auth, contract.listMergeRequests, 'user', async ({ viewer }) => {
    const items = await listMerges(db, viewer, question());
    return { items, number: 0, total: items.length };
  });

  serve(app, auth, contract.cancelMerge, 'user', async ({ viewer, actor, params }) => {
    const { id } = await findMerge(db, viewer, params.requestId);
    await cancelMerge(db, actor, id, clock.nowMs());
    return findMergeAnswer(db, viewer, id, question());
  });

  serve(app, auth, contract.downloadMerge, 'public', async ({ request, reply, params, query }) => {
    const { requestId } = params;
    const { hash } = query;
    const viewer = await auth.viewerOfEither(request, hash, () =>
      verify(hash, { fragmentId: requestId, variant: 'merged' }, clock.nowMs()),
    );
    const merge = await findMerge(db, viewer, requestId);
    const file = fileOf(merge);
    // A resumed download is the same one.
    const isNew = /^bytes=0-/i.test(request.headers.range ?? 'bytes=0-');
    if (request.method === 'GET' && isNew) {
      await insertAudit(db, actorOf(request, { viewer }, clock.nowMs()), {
        action: 'download_merge',
        objectType: 'merge_request',
        objectId: requestId,
      });
    }
    const check = async (): Promise<unknown> =>
      findMerge(db, await auth.viewerOfHolder(viewer), requestId);
    const saveAs = await savedName(db, {
      cameraId: merge.cameraId,
      startMs: merge.fromTime.getTime(),
      endMs: merge.toTime.getTime(),
      extension: 'mp4',
    });
    const isSent = await sendFile(deps, streams, { request, reply, file, saveAs, check });
    // A view as another user changes nothing.
    if (isSent && viewer.viewedBy === null) {
      await db
        .updateTable('merge_requests')
        .set({ status: 'SENT' })
        .where('id', '=', requestId)
        .where('status', '=', 'COMPLETE')
        .execute();
    }
    return undefined;
  });
};

function fileOf({ storageKey, sizeBytes, sha256 }: Visible<MergeFile>): Visible<SentFile> {
  if (storageKey === null || sizeBytes === null || sha256 === null) throw notFound();
  const etag = `"${sha256.toString('hex')}"`;
  return { storageKey, sizeBytes, etag, format: 'mp4' } as Visible<SentFile>;
}
