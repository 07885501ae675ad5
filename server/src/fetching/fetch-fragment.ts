import type { FragmentStatus } from '@ridewatch/contract/fragment-states';
import { findFragment } from '../access/fragment.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { moveFragment } from '../fragments/state.ts';
import { type BusCameras, findBusCameras } from './bus-cameras.ts';
import { keepWanted } from './preloads.ts';
import { askAgain } from './tries.ts';

type BusCamera = BusCameras['cameras'][number];

/**
 * Asks the unit for the video of a fragment. A second request joins a running request or upload; a fragment that waits
 * for its next attempt is requested at once.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError not_found, or conflict when its camera cannot send or its state has nothing to fetch
 */
export async function requestVideo(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  fragmentId: number,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const fragment = await findFragment(tx, viewer, fragmentId);
    const { busId, unitId } = fragment;
    const { cameras } = await findBusCameras(tx, busId, nowMs, unitId);
    if (!cameras.some((camera) => camera.camera_id === fragment.cameraId && canSend(camera))) {
      throw offline();
    }
    const change = await askForVideo(tx, fragment.id, nowMs);
    await keepWanted(tx, fragment.id);
    if (change === undefined) return;
    await insertAudit(tx, actor, {
      action: 'fetch_segment',
      objectType: 'segment',
      objectId: fragment.id,
      before: { status: change.before },
      after: { status: change.after },
    });
  });
}

/** Whether a camera can be asked for video: it is in use and online, and its unit is not silent. */
export function canSend({ enabled, status }: Pick<BusCamera, 'enabled' | 'status'>): boolean {
  return enabled && status === 'online';
}

/** The error when a camera cannot send. */
export function offline(): AppError {
  return new AppError('conflict', 'The camera is offline.');
}

/**
 * The same for a visible fragment.
 * @returns the states before and after; undefined when it joined a running request
 * @throws AppError conflict when the fragment's state has nothing to fetch
 */
export async function askForVideo(
  tx: Tx,
  fragmentId: number,
  nowMs: number,
): Promise<Record<'before' | 'after', FragmentStatus> | undefined> {
  const { status, retry_at } = await tx
    .selectFrom('segments')
    .select(['status', 'retry_at'])
    .where('id', '=', fragmentId)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const isOnItsWay = status === 'DOWNLOADING_FROM_TASK' || status === 'LOADING';
  if (isOnItsWay && retry_at === null) return undefined;
  if (!isOnItsWay) await moveFragment(tx, fragmentId, 'DOWNLOADING_FROM_TASK', { atMs: nowMs });
  await askAgain(tx, fragmentId, nowMs);
  return { before: status, after: isOnItsWay ? status : 'DOWNLOADING_FROM_TASK' };
}
