import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isVisibleBus, type Visible } from './visible.ts';

export interface CameraRow {
  readonly id: number;
  readonly busId: number;
  readonly live: boolean;
}

/** @throws AppError not_found, also for cameras of foreign buses */
export async function findCamera(db: Db, viewer: Viewer, id: number): Promise<Visible<CameraRow>> {
  const camera = await db
    .selectFrom('cameras')
    .select(['id', 'workplace_id as busId', 'live'])
    .where('id', '=', id)
    .where(isVisibleBus(viewer, sql.ref('cameras.workplace_id')))
    .executeTakeFirst();
  if (camera === undefined) throw notFound();
  return camera as Visible<CameraRow>;
}
