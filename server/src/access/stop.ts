import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isVisibleClient, type Visible } from './visible.ts';

export interface ClassifierRow {
  readonly id: number;
  readonly clientId: number;
}

/** A stop as a place. @throws AppError not_found, also for those of foreign customers */
export async function findClassifier(
  db: Db,
  viewer: Viewer,
  id: number,
): Promise<Visible<ClassifierRow>> {
  const place = await db
    .selectFrom('stop_classifiers')
    .select(['id', 'client_id as clientId'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (place === undefined || !isVisibleClient(viewer, place.clientId)) throw notFound();
  return place as Visible<ClassifierRow>;
}
