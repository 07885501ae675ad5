import type { Recalculation } from '@ridewatch/contract/recalculation';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

interface Row {
  readonly id: number;
  readonly camera_ids: number[];
  readonly from_time: Date;
  readonly to_time: Date;
  readonly reload: boolean;
  readonly created_at: Date;
  readonly listed_at: Date | null;
  readonly total: number;
  readonly done: number;
  readonly failed: number;
}

/** The last recalculation of a bus and its progress; undefined when there is none. */
export async function findLatest(db: Db, busId: number): Promise<Recalculation | undefined> {
  // Ended: counted, failed, or loaded from a service camera. With a reason it went wrong.
  const { rows } = await sql<Row>`
    select latest.*, taken.total, taken.done, taken.failed
    from (select * from recalculations where workplace_id = ${busId}
      order by id desc limit 1) as latest
    cross join lateral (
      select count(*)::int as total, count(*) filter (where ended)::int as done,
        count(*) filter (where ended and fail_reason is not null)::int as failed
      from (
        select fail_reason, segments.status in ('PROCESSED', 'MERGING', 'WAS_MERGED', 'DOWNLOAD_FAIL')
          or (segments.status = 'LOADED' and (cameras.live or fail_reason is not null)) as ended
        from segments join cameras on cameras.id = camera_id
        where recalculation_id = latest.id) as one) as taken`.execute(db);
  const row = rows[0];
  if (row === undefined) return undefined;
  const { total, done, failed } = row;
  return {
    id: row.id,
    cameraIds: row.camera_ids,
    from: row.from_time.toISOString(),
    to: row.to_time.toISOString(),
    reload: row.reload,
    created_at: row.created_at.toISOString(),
    state: row.listed_at === null || done < total ? 'running' : 'done',
    total,
    done,
    failed,
  };
}
