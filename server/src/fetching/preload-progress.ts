// The progress of preload requests.
import { type RangeRequest, REQUEST_QUIET_MS } from '@ridewatch/contract/buses';
import type { FailReason } from '@ridewatch/contract/fail-reasons';
import { sql } from 'kysely';
import { isOwnMoment } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { DEPOT_WAIT_MS, uploadsAtDepot, waitedTooLong } from './waits.ts';

/** Most that one answer names. */
const MOST_SHOWN = 50;
/** A unit sends records every few seconds: after this time without any its link is down, ms. */
const UNHEARD_AFTER_MS = 60_000;

/**
 * The requests for recordings of a bus, for days that the user sees, the newest first: of the last 24 hours, of a unit
 * that uploads at the depot those of seven days.
 */
export function listRangeRequests(
  db: Db,
  viewer: Viewer,
  busId: number,
  nowMs: number,
): Promise<RangeRequest[]> {
  const isOwn = isOwnMoment(
    viewer,
    sql.ref('preloads.workplace_id'),
    sql.ref('preloads.from_time'),
  );
  // The index finds the rows of a week; few of them are older than the usual wait.
  const isRecent = sql`created_at > ${new Date(nowMs - DEPOT_WAIT_MS)}
    and created_at > ${waitedTooLong(nowMs, sql.ref('preloads.unit_id'))}`;
  const ofBus = sql`preloads.workplace_id = ${busId} and unit_id in (
    select assigned.unit_id from unit_assignments as assigned where assigned.workplace_id = ${busId})`;
  return readRequests(db, nowMs, sql`${ofBus} and ${isRecent} and ${isOwn}`);
}

/** One request as in the list. */
export async function findRangeRequest(db: Db, id: number, nowMs: number): Promise<RangeRequest> {
  const [found] = await readRequests(db, nowMs, sql`id = ${id}`);
  if (found === undefined) throw new Error(`there is no request ${id}`);
  return found;
}

interface Row {
  readonly id: number;
  readonly camera_ids: number[];
  readonly from_time: Date;
  readonly to_time: Date;
  readonly created_at: Date;
  readonly cancelled_at: Date | null;
  readonly last_seen_at: Date | null;
  /** The unit sits in the bus no longer. */
  readonly is_gone: boolean;
  readonly uploads_at_depot: boolean;
  /** Commands of the request. */
  readonly open: boolean;
  readonly accepted: boolean;
  readonly broken: boolean;
  /** The registrar has nothing of a camera. */
  readonly is_empty: boolean;
  /** Why the command of a range failed, where the server knows it, and the unit's words. */
  readonly said_reason: FailReason | null;
  readonly said: string | null;
  /** Fragments. */
  readonly total: number;
  readonly here: number;
  /** The reasons of the failed ones, and what the unit said. */
  readonly fail_reason: FailReason | null;
  readonly fail_detail: string | null;
  /** Of the next try after a failed one: why that failed, and when it is; null: the unit was asked by now. */
  readonly try_reason: FailReason | null;
  readonly try_detail: string | null;
  readonly try_at: Date | null;
  readonly waiting: number;
  readonly unsent: number;
  /** Recorded time, s, and how much of it has arrived. */
  readonly whole_s: number;
  readonly here_s: number;
  readonly moved_at: Date;
}

// Until the unit has announced everything, the whole range of a camera counts as expected, so that the progress never
// decreases when fragments are announced.
async function readRequests(
  db: Db,
  nowMs: number,
  which: ReturnType<typeof sql>,
): Promise<RangeRequest[]> {
  const { rows } = await sql<Row>`
    select asked.*, units.last_seen_at,
      units.workplace_id is distinct from asked.workplace_id as is_gone,
      ${uploadsAtDepot(sql.ref('units.id'))} as uploads_at_depot, summed.*
    from (select * from preloads where ${which} order by id desc limit ${MOST_SHOWN}) as asked
    join units on units.id = asked.unit_id
    cross join lateral (
      select coalesce(bool_or(command.open), false) as open,
        bool_or(coalesce(command.accepted, false) or parts.accepted) as accepted,
        coalesce(bool_or(command.broken and not command.is_empty), false) as broken,
        coalesce(bool_or(command.is_empty), false) as is_empty,
        min(command.fail_reason) filter (where not command.is_empty) as said_reason,
        min(command.reason) as said,
        (array_agg(parts.fail_reason order by camera.id)
          filter (where parts.fail_reason is not null))[1] as fail_reason,
        (array_agg(parts.fail_detail order by camera.id)
          filter (where parts.fail_reason is not null))[1] as fail_detail,
        (array_agg(parts.try_reason order by parts.try_at nulls last, camera.id)
          filter (where parts.try_reason is not null))[1] as try_reason,
        (array_agg(parts.try_detail order by parts.try_at nulls last, camera.id)
          filter (where parts.try_reason is not null))[1] as try_detail,
        min(parts.try_at) as try_at,
        sum(parts.total)::int as total, sum(parts.here)::int as here,
        sum(parts.waiting)::int as waiting, sum(parts.unsent)::int as unsent,
        sum(parts.here_s)::float8 as here_s,
        sum(greatest(parts.whole_s, case when command.open
          then extract(epoch from asked.to_time - asked.from_time) end))::float8 as whole_s,
        greatest(asked.created_at, max(command.moved_at), max(parts.moved_at)) as moved_at
      from unnest(asked.camera_ids) as camera (id)
      left join lateral (
        select finished_at is null as open, accepted_at is not null as accepted,
          result = 'failed' as broken, fail_reason,
          fail_reason is not distinct from 'no_recording' as is_empty, reason, coalesce(finished_at, accepted_at) as moved_at
        from unit_commands
        where unit_commands.id = any(asked.command_ids) and camera_id = camera.id limit 1
      ) as command on true
      cross join lateral (
        select count(*) as total, count(*) filter (where percent = 100) as here,
          count(*) filter (where ended_at is null) as waiting,
          count(*) filter (where ended_at is null and finished_at is null) as unsent,
          coalesce(sum(lasts_s), 0) as whole_s, coalesce(sum(lasts_s * percent / 100), 0) as here_s,
          -- Both of the same fragment.
          (array_agg(fail_reason order by fragment_id) filter (where has_failed))[1] as fail_reason,
          (array_agg(fail_detail order by fragment_id) filter (where has_failed))[1] as fail_detail,
          (array_agg(fail_reason order by retry_at nulls last, fragment_id)
            filter (where is_tried))[1] as try_reason,
          (array_agg(fail_detail order by retry_at nulls last, fragment_id)
            filter (where is_tried))[1] as try_detail,
          min(retry_at) filter (where is_tried) as try_at,
          coalesce(bool_or(has_come or is_accepted), false) as accepted,
          max(greatest(ended_at, received_at)) as moved_at
        from (
          select percent, ended_at, segments.id as fragment_id, fail_reason, fail_detail, finished_at,
            received_at, retry_at,
            -- An upload that stopped may resume by itself, and no try has failed.
            ended_at is null and finished_at is null and fail_reason is not null
              and (retry_at is not null or fail_reason <> 'upload_stopped') as is_tried,
            ended_at is not null and percent < 100 and fail_reason is not null as has_failed,
            -- Not what was here before.
            (percent > 0 and ended_at is distinct from asked.created_at)
              -- An upload that has begun, or gone on, since then: of a large file a percent comes late.
              or (ended_at is null and received_at >= asked.created_at) as has_come,
            ended_at is null and exists (
              select from unit_commands where segment_id = segments.id and finished_at is null
                and accepted_at is not null) as is_accepted,
            extract(epoch from least(end_time, asked.to_time)
              - greatest(start_time, asked.from_time)) as lasts_s
          from preload_segments
          join segments on segments.id = preload_segments.segment_id
          left join uploads on uploads.segment_id = segments.id and ended_at is null
          where preload_id = asked.id and camera_id = camera.id) as fragments
      ) as parts
    ) as summed
    order by asked.id desc`.execute(db);
  return rows.map((row) => requestOf(row, nowMs));
}

function requestOf(row: Row, nowMs: number): RangeRequest {
  const state = stateOfRange(row);
  const isOver = state === 'done' && row.here === row.total;
  return {
    id: row.id,
    camera_ids: row.camera_ids,
    start_time: row.from_time.toISOString(),
    end_time: row.to_time.toISOString(),
    asked_at: row.created_at.toISOString(),
    state,
    ...(state === 'failed' ? failureOf(row) : { reason: null, detail: null }),
    total: row.total,
    here: row.here,
    percent: isOver ? 100 : Math.min(99, Math.floor((100 * row.here_s) / (row.whole_s || 1))),
    waits_for: waitsFor(row, state, nowMs),
    failed_try: failedTryOf(row, state),
  };
}

function failedTryOf(row: Row, state: RangeRequest['state']): RangeRequest['failed_try'] {
  if (row.try_reason === null || (state !== 'asked' && state !== 'accepted')) return null;
  const next_at = row.try_at?.toISOString() ?? null;
  return { reason: row.try_reason, detail: row.try_detail, next_at };
}

// A command that failed explains more than the fragments that did.
function failureOf({ broken, said_reason, said, is_empty, ...row }: Row) {
  if (broken) return { reason: said_reason ?? ('unit_failed' as const), detail: said };
  if (row.total === 0 && is_empty) return { reason: 'no_recording' as const, detail: null };
  return { reason: row.fail_reason, detail: row.fail_detail };
}

function stateOfRange(row: Row): RangeRequest['state'] {
  if (row.cancelled_at !== null) return 'cancelled';
  if (row.open || row.waiting > 0) return row.accepted ? 'accepted' : 'asked';
  // A camera without recordings fails no request that has those of another one.
  const cameNothing = row.here === 0 && (row.total > 0 || row.is_empty);
  return row.broken || cameNothing ? 'failed' : 'done';
}

// A completely sent file that is being verified waits for nobody.
function waitsFor(
  row: Row,
  state: RangeRequest['state'],
  nowMs: number,
): RangeRequest['waits_for'] {
  if (state !== 'asked' && state !== 'accepted') return null;
  if (!row.open && row.unsent === 0) return null;
  if (nowMs - row.moved_at.getTime() < REQUEST_QUIET_MS) return null;
  const heardMs = row.last_seen_at?.getTime() ?? 0;
  const isHeard = nowMs - heardMs < UNHEARD_AFTER_MS;
  if (row.is_gone && !isHeard) return 'gone_unit';
  if (row.uploads_at_depot) return 'depot';
  return isHeard ? 'unit' : 'link';
}
