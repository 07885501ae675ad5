// Deletes video; counts, money and the audit log stay. Rows release their files in the transaction that adds the
// deletion, so that a crash leaves neither a row without its file nor a file without a row, and deleted videos say so.
import { sql } from 'kysely';
import { hasDayOf } from '../access/visible.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { markFragmentChanged } from '../fragments/state.ts';
import { deleteLater } from '../storage/delete-later.ts';

/** Fragments of one transaction. */
const BATCH = 100;

/** A fragment whose video may be deleted, and its size. */
export interface Deletable {
  readonly id: number;
  readonly startTime: Date;
  readonly sizeBytes: number;
}

// Not marked as kept, and nobody works on it.
const isDeletable = sql<boolean>`kept_at is null
  and segments.status in ('PROCESSED', 'WAS_MERGED', 'LOADED', 'DOWNLOAD_FAIL')
  and exists (select from segment_files where segment_id = segments.id)
  and not exists (select from uploads where segment_id = segments.id)
  and not exists (
    select from merge_request_segments join merge_requests on merge_requests.id = request_id
    where segment_id = segments.id and merge_requests.status = 'PROCESS')`;

const bytesOf = sql<number>`(select coalesce(sum(size_bytes), 0)::bigint from (
  select distinct storage_key, size_bytes from segment_files where segment_id = segments.id) as files)`;

/**
 * Fragments past their retention. The day of a bus of several customers has the longest retention of them; a video that was
 * fetched late is kept as long as other files.
 */
export async function listOutdated(
  db: Db,
  nowMs: number,
  { videoDays, filesDays }: { videoDays: number; filesDays: number },
): Promise<Deletable[]> {
  const now = new Date(nowMs);
  const { rows } = await sql<Deletable>`
    select segments.id, start_time as "startTime", ${bytesOf} as "sizeBytes"
    from segments join cameras on cameras.id = camera_id
    join lateral (
      select coalesce(max(coalesce(video_days, ${videoDays}::int)), ${videoDays}::int) as days,
        coalesce(max(coalesce(files_days, ${filesDays}::int)), ${filesDays}::int) as late_days
      from bus_owners as allowed left join client_retention using (client_id)
      where allowed.workplace_id = cameras.workplace_id
        and ${hasDayOf(sql.ref('cameras.workplace_id'), sql.ref('segments.start_time'))}) as kept on true
    where end_time < ${now}::timestamptz - make_interval(days => days) and ${isDeletable}
      and not exists (select from segment_files where segment_id = segments.id
        and created_at > ${now}::timestamptz - make_interval(days => late_days))
    order by start_time, segments.id limit ${BATCH}`.execute(db);
  return rows;
}

/** The oldest fragments with video that are not marked as kept. */
export async function listOldest(db: Db): Promise<Deletable[]> {
  const { rows } = await sql<Deletable>`
    select segments.id, start_time as "startTime", ${bytesOf} as "sizeBytes"
    from segments where ${isDeletable}
    order by start_time, segments.id limit ${BATCH}`.execute(db);
  return rows;
}

/**
 * Deletes the video of fragments, except those in use again.
 * @param reason past its retention, or the disk is full
 * @returns how many were deleted
 */
export async function deleteVideo(
  db: Db,
  ids: readonly number[],
  reason: 'age' | 'space',
  nowMs: number,
): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const free = await lockFree(tx, ids);
    for (const id of free) {
      const files = await tx
        .deleteFrom('segment_files')
        .where('segment_id', '=', id)
        .returning('storage_key')
        .execute();
      await tx
        .updateTable('segments')
        .set({ video_deleted_at: new Date(nowMs), video_deleted_for: reason })
        .where('id', '=', id)
        .execute();
      await deleteLater(tx, [...new Set(files.map(({ storage_key }) => storage_key))]);
    }
    for (const id of free) await markFragmentChanged(tx, id);
    return free.length;
  });
}

// All fragments before the days that show them: everybody who moves several locks in this order.
async function lockFree(tx: Tx, ids: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from segments where id = any(${[...ids]}::bigint[]) and ${isDeletable}
    order by id for update`.execute(tx);
  return rows.map(({ id }) => id);
}
