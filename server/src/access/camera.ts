import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isKnownBus, isVisibleBus, type Visible } from './visible.ts';

export interface CameraRow {
  readonly id: number;
  readonly busId: number;
  readonly live: boolean;
}

/** A camera of a bus that the user has now. @throws AppError not_found, also for cameras of foreign buses */
export async function findCamera(db: Db, viewer: Viewer, id: number): Promise<Visible<CameraRow>> {
  return findOne(db, id, isVisibleBus(viewer, sql.ref('cameras.workplace_id')));
}

/**
 * A camera of a bus that the user has or had; the caller asks whose each fragment is.
 * @throws AppError not_found, also for cameras of foreign buses
 */
export async function findKnownCamera(
  db: Db,
  viewer: Viewer,
  id: number,
): Promise<Visible<CameraRow>> {
  return findOne(db, id, isKnownBus(viewer, sql.ref('cameras.workplace_id')));
}

async function findOne(
  db: Db,
  id: number,
  isAllowed: RawBuilder<boolean>,
): Promise<Visible<CameraRow>> {
  const camera = await db
    .selectFrom('cameras')
    .select(['id', 'workplace_id as busId', 'live'])
    .where('id', '=', id)
    .where(isAllowed)
    .executeTakeFirst();
  if (camera === undefined) throw notFound();
  return camera as Visible<CameraRow>;
}
