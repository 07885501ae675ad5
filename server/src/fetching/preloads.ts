// Preload requests as rows: who asked for what, which fragments belong to it, and what became of each.
import { canFetch, FragmentStatus } from '@ridewatch/contract/fragment-states';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { waitedTooLong } from './waits.ts';

interface NewPreload {
  readonly unitId: number;
  readonly busId: number;
  readonly userId: number;
  /** Ascending. */
  readonly cameraIds: readonly number[];
  /** ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
  /** The commands for what the unit has not announced. */
  readonly commandIds: readonly number[];
}

/**
 * Inserts a request with the announced fragments. A user who asks again joins his own request; requests of different
 * users stay apart, so that each can be cancelled by itself. The rows of the cameras must be locked.
 * @returns the request; undefined when there is nothing to wait for
 */
export async function insertPreload(
  tx: Tx,
  preload: NewPreload,
  nowMs: number,
): Promise<number | undefined> {
  const id = (await findRunning(tx, preload, nowMs)) ?? (await insertRow(tx, preload, nowMs));
  await insertFragments(tx, id, preload, nowMs);
  if (await isRunning(tx, id)) return id;
  await tx.deleteFrom('preload_segments').where('preload_id', '=', id).execute();
  await tx.deleteFrom('preloads').where('id', '=', id).execute();
  return undefined;
}

/** Whether a request waits for something: a fragment, or the announcement of the rest. */
export async function isRunning(tx: Tx, preloadId: number): Promise<boolean> {
  const { rows } = await sql`
    select from preloads where id = ${preloadId} and ${IS_RUNNING}`.execute(tx);
  return rows.length > 0;
}

const IS_RUNNING = sql`cancelled_at is null and (
  exists (select from preload_segments where preload_id = preloads.id and ended_at is null)
  or exists (select from unit_commands
    where unit_commands.id = any(command_ids) and finished_at is null))`;

async function findRunning(
  tx: Tx,
  { userId, unitId, cameraIds, startMs, endMs }: NewPreload,
  nowMs: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    select id from preloads
    where unit_id = ${unitId} and user_id = ${userId} and ${IS_RUNNING}
      and created_at > ${waitedTooLong(nowMs, sql`${unitId}::bigint`)}
      and camera_ids @> ${[...cameraIds]}::bigint[]
      and from_time <= ${new Date(startMs)} and to_time >= ${new Date(endMs)}
    order by id desc limit 1`.execute(tx);
  return rows[0]?.id;
}

async function insertRow(tx: Tx, preload: NewPreload, nowMs: number): Promise<number> {
  const { id } = await tx
    .insertInto('preloads')
    .values({
      unit_id: preload.unitId,
      workplace_id: preload.busId,
      user_id: preload.userId,
      camera_ids: [...preload.cameraIds],
      from_time: new Date(preload.startMs),
      to_time: new Date(preload.endMs),
      created_at: new Date(nowMs),
      command_ids: [...preload.commandIds],
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

const ON_ITS_WAY: readonly FragmentStatus[] = ['DOWNLOADING_FROM_TASK', 'LOADING'];
/** Fragments that can be fetched and are not stored. */
const WANTED = [...ON_ITS_WAY, ...FragmentStatus.options.filter(canFetch)];

// Stored video counts as arrived; failed fragments are tried once more. Their references lock the fragments, in the order in
// which announcements lock them.
async function insertFragments(
  tx: Tx,
  preloadId: number,
  { cameraIds, startMs, endMs }: NewPreload,
  nowMs: number,
): Promise<void> {
  const now = new Date(nowMs);
  await sql`
    insert into preload_segments as known (preload_id, segment_id, percent, ended_at, also_wanted)
    select ${preloadId}::bigint, id,
      case when is_here then 100 else least(99, coalesce(share, 0)) end,
      case when is_here then ${now}::timestamptz end,
      not is_here and status = any(${ON_ITS_WAY}::text[]) and not exists (
        select from preload_segments where segment_id = found.id and ended_at is null)
    from (
      select segments.id, status,
        exists (select from segment_files where segment_id = segments.id) as is_here,
        (select max(100 * received_bytes / length_bytes) from uploads
          where segment_id = segments.id) as share
      from segments
      where camera_id = any(${[...cameraIds]}::bigint[])
        and start_time >= ${new Date(startMs)}::timestamptz - interval '4 hours'
        and start_time < ${new Date(endMs)} and end_time > ${new Date(startMs)}) as found
    where is_here or status = any(${WANTED}::text[])
    order by id
    on conflict (preload_id, segment_id) do update set ended_at = null
    where known.percent < 100`.execute(tx);
}

/** The fragments that a request still waits for, in order of time. */
export async function listWaiting(db: Db, preloadId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('preload_segments')
    .innerJoin('segments', 'segments.id', 'segment_id')
    .innerJoin('preloads', 'preloads.id', 'preload_id')
    .select('segment_id')
    .where('preload_id', '=', preloadId)
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .orderBy('start_time')
    .orderBy('segment_id')
    .execute();
  return rows.map(({ segment_id }) => segment_id);
}

/** Whether a request still waits for a fragment. */
export async function isWaitedFor(tx: Tx, preloadId: number, fragmentId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('preload_segments')
    .innerJoin('preloads', 'preloads.id', 'preload_id')
    .select('segment_id')
    .where('preload_id', '=', preloadId)
    .where('segment_id', '=', fragmentId)
    .where('ended_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Keeps a fragment that somebody wants for itself from being cancelled with the requests that it belongs to. */
export async function keepWanted(tx: Tx, fragmentId: number): Promise<void> {
  await tx
    .updateTable('preload_segments')
    .set({ also_wanted: true })
    .where('segment_id', '=', fragmentId)
    .where('percent', '<', 100)
    .execute();
}

/** Records the arrived share of a fragment, percent; it never decreases. */
export async function noteShare(tx: Tx, fragmentId: number, percent: number): Promise<void> {
  await tx
    .updateTable('preload_segments')
    .set({ percent: Math.min(99, Math.floor(percent)) })
    .where('segment_id', '=', fragmentId)
    .where('percent', '<', Math.min(99, Math.floor(percent)))
    .where('ended_at', 'is', null)
    .execute();
}

/**
 * Adds newly queued fragments to the requests of their time, including cancelled ones: the announcement may have been
 * on its way, and the fragment is cancelled with the rest.
 */
export async function joinAnnounced(
  tx: Tx,
  unitId: number,
  fragmentIds: readonly number[],
  nowMs: number,
): Promise<void> {
  await sql`
    insert into preload_segments (preload_id, segment_id)
    select preloads.id, segments.id
    from preloads
    join unit_commands on unit_commands.id = any(command_ids)
    join segments on segments.camera_id = unit_commands.camera_id
    where preloads.unit_id = ${unitId} and segments.id = any(${[...fragmentIds]}::bigint[])
      and preloads.created_at > ${waitedTooLong(nowMs, sql`${unitId}::bigint`)}
      and segments.status = 'ADDED'
      and start_time < to_time and end_time > from_time
      and (finished_at is null or result = 'cancelled')
    on conflict do nothing`.execute(tx);
}

/** Fragments without video that a list may have brought into the time of a request. */
const LISTED: readonly FragmentStatus[] = ['LIVE', 'DOWNLOAD_FAIL', ...ON_ITS_WAY];

/**
 * Adds known fragments to the requests that wait for a range: they were announced after the request, or have become
 * longer since.
 * @param commandId that asks for the range
 * @returns the fragments that are new to their requests
 */
export async function joinKnown(
  db: Db,
  commandId: number,
): Promise<{ preloadId: number; fragmentId: number }[]> {
  const { rows } = await sql<{ preloadId: number; fragmentId: number }>`
    insert into preload_segments (preload_id, segment_id, also_wanted)
    select preloads.id, segments.id, status = any(${ON_ITS_WAY}::text[]) and not exists (
      select from preload_segments where segment_id = segments.id and ended_at is null)
    from unit_commands
    join preloads on preloads.unit_id = unit_commands.unit_id and unit_commands.id = any(command_ids)
    join segments on segments.camera_id = unit_commands.camera_id
    where unit_commands.id = ${commandId} and finished_at is null and cancelled_at is null
      and start_time >= from_time - interval '4 hours' and start_time < to_time
      and end_time > from_time and segments.status = any(${LISTED}::text[])
      and not exists (select from segment_files where segment_id = segments.id)
    order by segments.id
    on conflict do nothing
    returning preload_id as "preloadId", segment_id as "fragmentId"`.execute(db);
  return rows;
}

/** Most fragments of one run. */
const MOST_UNASKED = 1000;

/**
 * Fragments that a request waits for and that nobody was asked for: after a crash, or when the unit said that it had
 * finished a range but sent only a part of it.
 * @param before requests from this moment on are still in progress
 */
export async function listUnasked(
  db: Db,
  before: Date,
): Promise<{ preloadId: number; fragmentId: number }[]> {
  const { rows } = await sql<{ preloadId: number; fragmentId: number }>`
    select preload_id as "preloadId", segments.id as "fragmentId"
    from preload_segments
    join preloads on preloads.id = preload_id
    join segments on segments.id = segment_id
    where ended_at is null and cancelled_at is null and preloads.created_at < ${before}
      and status = any(${FragmentStatus.options.filter(canFetch)}::text[])
      and not (status = 'ADDED' and exists (
        select from unit_commands
        where unit_commands.id = any(command_ids) and finished_at is null
          and unit_commands.camera_id = segments.camera_id))
    order by segments.id limit ${MOST_UNASKED}`.execute(db);
  return rows;
}
