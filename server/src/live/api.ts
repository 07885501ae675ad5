import * as contract from '@ridewatch/contract/live';
import type { FastifyRequest } from 'fastify';
import { findCamera } from '../access/camera.ts';
import { insertAudit } from '../core/audit.ts';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { serve } from '../core/http/http.ts';
import { loadKeys } from '../core/signing-keys.ts';
import type { Viewer } from '../core/viewer.ts';
import type { Feature } from '../deps.ts';
import { createVideoVerifier, signVideo } from '../media/serving/sign.ts';
import { LivePlaylist, writePlaylist } from './live-playlist.ts';
import { renewLease, startStream } from './streams.ts';

/** A running stream without a new segment for this long has stalled, ms. */
const STALLED_MS = 10_000;

/** Live video: starting a stream and watching it. */
export const addLive: Feature = async (app, deps, auth) => {
  const { clock, metrics } = deps;
  const { db } = deps.database;
  const keys = await loadKeys(db, 'video', clock.nowMs());
  const verify = createVideoVerifier(keys);

  serve(app, auth, contract.startLive, 'user', async ({ viewer, params, actor }) => {
    const { cameraId } = params;
    const camera = await findCamera(db, viewer, cameraId);
    const unitId = await findStreamingUnit(db, camera);
    await db.transaction().execute(async (tx) => {
      await startStream(tx, { id: cameraId, unitId }, clock.nowMs());
      await insertAudit(tx, actor, {
        action: 'open_live',
        objectType: 'camera',
        objectId: cameraId,
      });
    });
    const asked = { cameraId, variant: 'live' } as const;
    const hash = signVideo(keys, { ...asked, ...holderOf(viewer) }, clock.nowMs());
    const uri = `/api/video_feed2/live/${cameraId}?hash=${hash}`;
    return { ...(await describe(db, cameraId, clock.nowMs())), uri };
  });

  serve(app, auth, contract.findLive, 'user', async ({ viewer, params }) => {
    const camera = await findCamera(db, viewer, params.cameraId);
    return describe(db, camera.id, clock.nowMs());
  });

  // Rights are checked at every segment, so that a user who loses them sees no further one.
  const watching = async (
    request: FastifyRequest,
    cameraId: number,
    hash: string | undefined,
  ): Promise<void> => {
    const holder = verify(hash, { cameraId, variant: 'live' }, clock.nowMs());
    await findCamera(db, await auth.viewerOfHolder(holder, request), cameraId);
  };
  serve(app, auth, contract.streamLive, 'public', async ({ request, reply, params, query }) => {
    const { cameraId } = params;
    await watching(request, cameraId, query.hash);
    const stream = await db
      .selectFrom('live_streams')
      .select(['id', 'playlist'])
      .where('camera_id', '=', cameraId)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    if (!stream?.playlist) throw notFound();
    await renewLease(db, stream.id, clock.nowMs());
    const addressOf = (name: string): string =>
      `${cameraId}/${stream.id}-${name}?hash=${query.hash}`;
    await reply
      .headers({ 'content-type': 'application/vnd.apple.mpegurl', 'cache-control': 'no-store' })
      .send(writePlaylist(LivePlaylist.parse(stream.playlist), addressOf));
    return undefined;
  });
  serve(
    app,
    auth,
    contract.streamLiveSegment,
    'public',
    async ({ request, reply, params, query }) => {
      const { cameraId } = params;
      await watching(request, cameraId, query.hash);
      const [streamId, name = ''] = params.part.split('-');
      const segment = await db
        .selectFrom('live_pieces')
        .innerJoin('live_streams', 'live_streams.id', 'stream_id')
        .select('bytes')
        .where('stream_id', '=', Number(streamId))
        .where('camera_id', '=', cameraId)
        .where('name', '=', name)
        .executeTakeFirst();
      if (segment === undefined) throw notFound();
      await reply
        .headers({ 'content-type': 'video/mp4', 'cache-control': 'private, max-age=60' })
        .send(segment.bytes);
      metrics.videoBytes.labels('sent').inc(segment.bytes.length);
      return undefined;
    },
  );
};

function holderOf({ userId, sessionId }: Viewer) {
  return { userId, sessionId };
}

/** @throws AppError conflict when the camera cannot stream */
async function findStreamingUnit(
  db: Db,
  camera: { id: number; live: boolean; busId: number },
): Promise<number> {
  const bus = await db
    .selectFrom('workplaces')
    .innerJoin('units', 'units.workplace_id', 'workplaces.id')
    .innerJoin('cameras', 'cameras.workplace_id', 'workplaces.id')
    .select(['units.id as unitId', 'workplaces.type', 'cameras.enabled'])
    .where('cameras.id', '=', camera.id)
    .executeTakeFirst();
  if (!camera.live || bus?.type !== 'VMS' || !bus.enabled) {
    throw new AppError('conflict', 'This camera has no live stream.');
  }
  return bus.unitId;
}

async function describe(db: Db, cameraId: number, nowMs: number): Promise<contract.LiveStream> {
  const stream = await db
    .selectFrom('live_streams')
    .select(['started_at', 'pushed_at', 'ended_at', 'fail_reason', 'fail_detail', 'playlist'])
    .where('camera_id', '=', cameraId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return {
    camera_id: cameraId,
    state: stream === undefined ? 'ended' : stateOfStream(stream, nowMs),
    started_at: stream?.started_at.toISOString() ?? null,
    reason: stream?.fail_reason ?? null,
    detail: stream?.fail_detail ?? null,
    ...codecOf(stream?.playlist),
  };
}

function codecOf(playlist: unknown): Pick<contract.LiveStream, 'codec'> {
  const codec = LivePlaylist.safeParse(playlist).data?.codec;
  return codec === undefined ? {} : { codec };
}

function stateOfStream(
  stream: { pushed_at: Date | null; ended_at: Date | null; fail_reason: string | null },
  nowMs: number,
): contract.LiveStream['state'] {
  if (stream.fail_reason !== null) return 'failed';
  if (stream.ended_at !== null) return 'ended';
  if (stream.pushed_at === null) return 'starting';
  return nowMs - stream.pushed_at.getTime() > STALLED_MS ? 'stalled' : 'running';
}
