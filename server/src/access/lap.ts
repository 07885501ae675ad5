import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isOwnDay, type Visible } from './visible.ts';

export interface LapRow {
  readonly id: number;
  readonly busId: number;
  readonly day: string;
  readonly routeId: number | null;
  readonly startTime: Date;
  readonly endTime: Date;
}

/** @throws AppError not_found, also for laps of days that are not the user's */
export async function findLap(db: Db, viewer: Viewer, id: number): Promise<Visible<LapRow>> {
  const lap = await db
    .selectFrom('laps')
    .select([
      'id',
      'workplace_id as busId',
      'day',
      'group_id as routeId',
      'start_time as startTime',
      'end_time as endTime',
    ])
    .where('id', '=', id)
    .where(isOwnDay(viewer, sql.ref('laps.workplace_id'), sql.ref('laps.day')))
    .executeTakeFirst();
  if (lap === undefined) throw notFound();
  return lap as Visible<LapRow>;
}
