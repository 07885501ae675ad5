import { canFetch } from '@ridewatch/contract/fragment-states';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { BusCameras } from './bus-cameras.ts';
import { askForVideo, canSend, offline } from './fetch-fragment.ts';
import { insertPreload, isWaitedFor, listWaiting } from './preloads.ts';
import { askForRange } from './ranges.ts';

type BusCamera = BusCameras['cameras'][number];

interface Range {
  /** ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Asks a bus's registrar for the video of a range: the announced fragments, and of service cameras, which always
 * record, the rest, too; of all cameras if the registrar announces nothing by itself. Video that is stored or on its way
 * is left alone.
 * @param cameras whose video is wanted
 * @param who the user, and the bus
 * @throws AppError conflict when there is no registrar, or no camera can send
 */
export async function preload(
  db: Db,
  actor: Actor,
  bus: BusCameras,
  cameras: readonly BusCamera[],
  who: { readonly userId: number; readonly busId: number },
  range: Range,
  nowMs: number,
): Promise<void> {
  const { unitId } = bus;
  if (unitId === null || bus.type !== 'VMS') {
    throw new AppError('conflict', 'This bus has no registrar.');
  }
  const able = cameras.filter(canSend);
  if (able.length === 0) throw offline();
  const ids = able.map(({ camera_id }) => camera_id).sort((a, b) => a - b);
  const preloadId = await db.transaction().execute(async (tx) => {
    // Concurrent requests take turns. The lock lets commands of these cameras in: a transaction that inserts one has
    // locked its fragment, for which this one waits below.
    await tx
      .selectFrom('cameras')
      .select('id')
      .where('id', 'in', ids)
      .orderBy('id')
      .forNoKeyUpdate()
      .execute();
    const commandIds: number[] = [];
    for (const { camera_id, live } of able) {
      if (!(live || bus.isAsked)) continue;
      commandIds.push(await askForRange(tx, { unitId, cameraId: camera_id, ...range }, nowMs));
    }
    await insertAudit(tx, actor, {
      action: 'preload',
      objectType: 'unit',
      objectId: unitId,
      after: { cameraIds: ids, from: new Date(range.startMs), to: new Date(range.endMs) },
    });
    const { busId, userId } = who;
    const wanted = { unitId, busId, userId, cameraIds: ids, ...range, commandIds };
    return insertPreload(tx, wanted, nowMs);
  });
  if (preloadId === undefined) return;
  // One transaction each: an hour in one would delay the unit's batches.
  for (const id of await listWaiting(db, preloadId)) {
    await db.transaction().execute((tx) => requestIfWanted(tx, preloadId, id, nowMs));
  }
}

/** Asks for a fragment of a request, also one whose video was deleted. */
export async function requestIfWanted(
  tx: Tx,
  preloadId: number,
  fragmentId: number,
  nowMs: number,
): Promise<void> {
  const { status } = await tx
    .selectFrom('segments')
    .select('status')
    .where('id', '=', fragmentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isOnItsWay = status === 'DOWNLOADING_FROM_TASK' || status === 'LOADING';
  // It may have arrived, or the request been cancelled, meanwhile.
  if (!(isOnItsWay || canFetch(status)) || !(await isWaitedFor(tx, preloadId, fragmentId))) return;
  await askForVideo(tx, fragmentId, nowMs);
}
