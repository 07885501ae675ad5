import { canFetch } from '@ridewatch/contract/segment-states';
import { MAX_SEGMENT_MS } from '@ridewatch/contract/unit';
import { type Actor, insertAudit } from '../audit.ts';
import type { BusCameras } from '../buses/queries.ts';
import { askForRange } from '../commands/ranges.ts';
import type { Db, Tx } from '../db.ts';
import { AppError } from '../errors.ts';
import { askForVideo, canSend, offline } from './fetch-segment.ts';

type BusCamera = BusCameras['cameras'][number];

interface Stretch {
  /** ms since 1970 UTC; the end no longer belongs to it. */
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Asks a bus's registrar for the video of a stretch of time: the fragments that it has announced, and of service
 * cameras, which record all the while, also what it has not. What is there already, or on its way, is left as it is.
 * @param cameras those whose video is wanted
 * @throws AppError conflict when there is no registrar, or none of the cameras can send
 */
export async function preload(
  db: Db,
  actor: Actor,
  bus: BusCameras,
  cameras: readonly BusCamera[],
  stretch: Stretch,
  nowMs: number,
): Promise<void> {
  const { unitId } = bus;
  if (unitId === null || bus.type !== 'VMS') {
    throw new AppError('conflict', 'This bus has no registrar.');
  }
  const able = cameras.filter(canSend);
  if (able.length === 0) throw offline();
  const ids = able.map(({ camera_id }) => camera_id);
  const span = { start: new Date(stretch.startMs), end: new Date(stretch.endMs) };
  await db.transaction().execute(async (tx) => {
    for (const { camera_id, live } of able) {
      if (live) await askForRange(tx, { unitId, cameraId: camera_id, ...stretch }, nowMs);
    }
    const after = { cameraIds: ids, from: span.start, to: span.end };
    await insertAudit(tx, actor, {
      action: 'preload',
      objectType: 'unit',
      objectId: unitId,
      after,
    });
  });
  const wanted = await db
    .selectFrom('segments')
    .select('id')
    .where('camera_id', 'in', ids)
    .where('start_time', '>=', new Date(stretch.startMs - MAX_SEGMENT_MS))
    .where('start_time', '<', span.end)
    .where('end_time', '>', span.start)
    .where((eb) =>
      // What was fetched once is not fetched again.
      eb.not(
        eb.exists(
          eb
            .selectFrom('segment_files')
            .select('segment_id')
            .whereRef('segment_id', '=', 'segments.id'),
        ),
      ),
    )
    .orderBy('start_time')
    .execute();
  // Each by itself: an hour in one transaction would hold up what the unit sends meanwhile.
  for (const { id } of wanted) await db.transaction().execute((tx) => askIfKept(tx, id, nowMs));
}

// Also what was fetched once and has been deleted since.
async function askIfKept(tx: Tx, segmentId: number, nowMs: number): Promise<void> {
  const { status } = await tx
    .selectFrom('segments')
    .select('status')
    .where('id', '=', segmentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const file = await tx
    .selectFrom('segment_files')
    .select('segment_id')
    .where('segment_id', '=', segmentId)
    .executeTakeFirst();
  const isOnItsWay = status === 'DOWNLOADING_FROM_TASK' || status === 'LOADING';
  // It may have arrived while others were asked for.
  if (file !== undefined || !(isOnItsWay || canFetch(status))) return;
  await askForVideo(tx, segmentId, nowMs);
}
