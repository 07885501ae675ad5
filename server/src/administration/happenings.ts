import { type Happening, MOST_HAPPENINGS } from '@ridewatch/contract/admin-happenings';
import { sql } from 'kysely';
import type { Administered } from '../access/administration.ts';
import type { BusRow } from '../access/bus.ts';
import type { Db } from '../core/db/db.ts';
import { wireOf } from './page.ts';

type Row = Omit<Happening, 'at'> & { readonly at: Date };

/**
 * Reads the latest uploads, commands, live streams and silences of a bus's unit, the latest first. Each kind has its own
 * index.
 */
export async function listHappenings(
  db: Db,
  { id: busId }: Administered<BusRow>,
): Promise<Happening[]> {
  const most = sql.lit(MOST_HAPPENINGS);
  // Units that sit in the bus or sat there; what they do for other buses is not told.
  const isOfUnits = (unitId: string) => sql`${sql.ref(unitId)} = any(
    array(select unit_id from unit_assignments as assigned where assigned.workplace_id = ${busId}))`;
  const isOfBus = sql`cameras.workplace_id = ${busId}`;
  const { rows } = await sql<Row>`
    with received as (
      select segments.id, finished_at as at, 'received' as kind, cameras.name as camera,
        null::text as command, length_bytes as bytes, null::int as seconds
      from uploads join segments on segments.id = segment_id
      join cameras on cameras.id = camera_id
      where ${isOfUnits('uploads.unit_id')} and ${isOfBus} and finished_at is not null
      order by finished_at desc limit ${most}
    ), commands as (
      select latest.id, coalesce(finished_at, latest.created_at) as at,
        coalesce(result, 'asked') as kind, cameras.name as camera, latest.kind as command,
        null::bigint as bytes, null::int as seconds
      from (
        select unit_commands.*, coalesce(unit_commands.camera_id, segments.camera_id) as of_camera
        from unit_commands left join segments on segments.id = segment_id
        left join cameras on cameras.id = coalesce(unit_commands.camera_id, segments.camera_id)
        where ${isOfUnits('unit_commands.unit_id')} and (${isOfBus} or cameras.id is null and exists (
          select from unit_assignments as assigned where assigned.unit_id = unit_commands.unit_id
            and assigned.workplace_id = ${busId} and unit_commands.created_at >= from_at
            and unit_commands.created_at < until_at))
        order by unit_commands.id desc limit ${most}
      ) as latest
      left join cameras on cameras.id = of_camera
    ), lives as (
      select live_streams.id, ended_at as at, 'live' as kind, cameras.name as camera,
        null::text as command, null::bigint as bytes,
        extract(epoch from ended_at - started_at)::int as seconds
      from live_streams join cameras on cameras.id = camera_id
      where ${isOfUnits('live_streams.unit_id')} and ${isOfBus} and ended_at is not null
      order by started_at desc limit ${most}
    ), silences as (
      select distinct on (since) attention_causes.id, ended_at as at, 'silent' as kind,
        null::text as camera, null::text as command, null::bigint as bytes,
        extract(epoch from ended_at - since)::int as seconds
      from attention_causes
      where ended_at is not null and key = any(
        select 'silent_bus ' || client_id || ' ' || ${busId}::bigint || ' 0 '
        from workplace_clients where workplace_id = ${busId}
        union all select 'silent_bus 0 ' || ${busId}::bigint || ' 0 ')
      order by since desc limit ${most}
    )
    select * from (
      select * from received union all select * from commands
      union all select * from lives union all select * from silences
    ) as happened order by at desc, kind, id limit ${most}`.execute(db);
  return rows.map(wireOf);
}
