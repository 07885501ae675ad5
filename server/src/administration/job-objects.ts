// The objects of jobs, by their keys: rooms that add jobs put the id of a row into the key.
import type { JobObject } from '@ridewatch/contract/admin-work';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';

interface ObjectRow extends Omit<JobObject, 'at'> {
  readonly job: string;
  readonly at: Date | null;
}

/**
 * Reads what the keys of jobs name: `day:12:2026-11-20`, `verify:` with the id of an upload, and the like.
 * @returns the objects by key; keys of no row are left out
 */
export async function readJobObjects(
  db: Db,
  keys: readonly string[],
): Promise<ReadonlyMap<string, JobObject>> {
  const { rows } = await sql<ObjectRow>`
    with asked as (
      select key as job, split_part(key, ':', 1) as kind, split_part(key, ':', 2) as name,
        substring(key from '^\\w+:(\\d{1,15})(?::|$)')::bigint as id,
        substring(key from '^day:\\d+:(\\d{4}-\\d{2}-\\d{2})$') as date
      from unnest(${keys}::text[]) as key
    ), found as (
      select job, id as bus_id, null::bigint as camera_id, date, null::timestamptz as at
        from asked where kind = 'day'
      union all
      select job, null, camera_id, null, start_time from asked
        join segments on asked.kind in ('count', 'clock') and segments.id = asked.id
      union all
      select job, null, camera_id, null, start_time from asked
        join uploads on asked.kind = 'verify' and uploads.id = name
        join segments on segments.id = segment_id
      union all
      select job, null, camera_id, null, from_time from asked
        join merge_requests on asked.kind = 'merge' and merge_requests.id = asked.id
      union all
      select job, null, camera_id, null, started_at from asked
        join live_streams on asked.kind = 'live' and live_streams.id = asked.id
      union all
      select job, workplace_id, null, null, from_time from asked
        join recalculations on asked.kind = 'recalculate' and recalculations.id = asked.id
      union all
      select job, workplace_id, null, date_from::text, null from asked
        join lap_recalculations on asked.kind = 'recalculate_laps' and lap_recalculations.id = asked.id
    )
    select job, jsonb_build_object('id', workplaces.id, 'name', workplaces.name) as bus, date,
      cameras.name as camera, at, null as login
    from found left join cameras on cameras.id = camera_id
    join workplaces on workplaces.id = coalesce(bus_id, cameras.workplace_id)
    union all
    select job, null, null, null, null, login from asked
    join reports on asked.kind = 'report' and reports.id = asked.id join users on users.id = user_id`.execute(
    db,
  );
  return new Map(
    rows.map(({ job, at, ...row }) => [job, { ...row, at: at?.toISOString() ?? null }]),
  );
}
