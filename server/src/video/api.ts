import { maySendSource } from '@ridewatch/contract/fragment-states';
import * as contract from '@ridewatch/contract/fragments';
import type { FastifyRequest } from 'fastify';
import type { FragmentFile } from '../access/fragment.ts';
import type { Visible } from '../access/visible.ts';
import { findFragmentAnswer } from '../bus-day/fragment-answers.ts';
import { notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { loadKeys } from '../core/signing-keys.ts';
import { checkVideo } from '../core/video-off.ts';
import type { Holder } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { requestVideo } from '../fetching/fetch-fragment.ts';
import { savedName } from '../fragments/saved-name.ts';
import { containerNamed } from '../media/containers.ts';
import { createOpenStreams } from '../media/serving/open-streams.ts';
import { sendFile } from '../media/serving/send-file.ts';
import { createVideoVerifier, type Variant } from '../media/serving/sign.ts';
import { createViewingAudit } from './audit-viewing.ts';
import { createHlsStreams } from './hls.ts';
import { createFileFinder } from './visible-file.ts';

/** Playing and downloading fragments, and asking the unit for their video. */
export const addVideo: Feature = async (app, deps, auth) => {
  const { clock, metrics } = deps;
  const { db } = deps.database;
  const keys = await loadKeys(db, 'video', clock.nowMs());
  const verify = createVideoVerifier(keys);
  const findFile = createFileFinder(deps);
  const hls = createHlsStreams(deps);
  const note = createViewingAudit(deps);
  const streams = createOpenStreams(deps);
  app.addHook('onClose', async () => streams.close());

  const holderOf = (hash: string | undefined, fragmentId: number, variant: Variant): Holder =>
    verify(hash, { fragmentId, variant }, clock.nowMs());

  serve(app, auth, contract.playFragment, 'public', async ({ request, reply, params, query }) => {
    const { segmentId: fragmentId } = params;
    const variant = variantOf(query.processed);
    const viewer = await auth.viewerOfHolder(holderOf(query.hash, fragmentId, variant), request);
    const file = checkSendable(await findFile(viewer, fragmentId, variant), variant);
    await note(request, viewer, 'open_video', { fragmentId, variant });
    const check = async (): Promise<unknown> =>
      findFile(await auth.viewerOfHolder(viewer), fragmentId, variant);
    await sendFile(deps, streams, { request, reply, file, check });
    return undefined;
  });

  serve(
    app,
    auth,
    contract.downloadFragment,
    'public',
    async ({ request, reply, params, query }) => {
      const { segmentId: fragmentId } = params;
      const variant = variantOf(query.processed);
      const { hash } = query;
      const viewer = await auth.viewerOfEither(request, hash, () =>
        holderOf(hash, fragmentId, variant),
      );
      const file = checkSendable(await findFile(viewer, fragmentId, variant), variant);
      await note(request, viewer, 'download_video', { fragmentId, variant });
      const check = async (): Promise<unknown> =>
        findFile(await auth.viewerOfHolder(viewer), fragmentId, variant);
      const saveAs = await savedName(db, {
        cameraId: file.cameraId,
        startMs: file.startTime.getTime(),
        endMs: file.endTime.getTime(),
        extension: containerNamed(file.format).extension,
      });
      await sendFile(deps, streams, { request, reply, file, saveAs, check });
      return undefined;
    },
  );

  const streamFile = async (
    request: FastifyRequest,
    fragmentId: number,
    hash: string | undefined,
  ) => {
    const viewer = await auth.viewerOfHolder(holderOf(hash, fragmentId, 'stream'), request);
    return { viewer, file: await findFile(viewer, fragmentId, 'playable') };
  };
  serve(app, auth, contract.streamFragment, 'public', async ({ request, reply, params, query }) => {
    const { segmentId: fragmentId } = params;
    const { viewer, file } = await streamFile(request, fragmentId, query.hash);
    await note(request, viewer, 'open_video', { fragmentId, variant: 'stream' });
    const playlist = await hls.playlist(file, query.hash ?? '');
    await reply
      .headers({ 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' })
      .send(playlist);
    return undefined;
  });
  serve(
    app,
    auth,
    contract.streamFragmentSegment,
    'public',
    async ({ request, reply, params, query }) => {
      const { file } = await streamFile(request, params.segmentId, query.hash);
      const segment = await hls.segment(file, params.part);
      await reply
        .headers({ 'content-type': 'video/mp4', 'cache-control': 'private, max-age=3600' })
        .send(segment);
      metrics.videoBytes.labels('sent').inc(segment.length);
      return undefined;
    },
  );

  serve(app, auth, contract.showThumbnails, 'public', async ({ request, reply, params, query }) => {
    const { segmentId: fragmentId } = params;
    const viewer = await auth.viewerOfHolder(holderOf(query.hash, fragmentId, 'preview'), request);
    const file = await findFile(viewer, fragmentId, 'preview');
    await sendFile(deps, streams, { request, reply, file, check: async () => undefined });
    return undefined;
  });

  serve(app, auth, contract.fetchFragment, 'user', async ({ viewer, params, actor }) => {
    checkVideo(deps.videoOff);
    await requestVideo(db, viewer, actor, params.segmentId, clock.nowMs());
    return findFragmentAnswer(db, viewer, params.segmentId, keys, clock.nowMs());
  });
};

// Nobody gets the source of a service camera, or of a fragment that is not finished.
function checkSendable(file: Visible<FragmentFile>, variant: Variant): Visible<FragmentFile> {
  if (variant === 'source' && !maySendSource(file.status, file.live)) throw notFound();
  return file;
}

function variantOf(processed: '0' | '1'): 'playable' | 'source' {
  return processed === '1' ? 'playable' : 'source';
}
