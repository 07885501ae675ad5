// The row of a merge at work. One merge runs at a time over all processes: it may use a core for long, and received
// videos must be verified meanwhile.
import type { MergeFailure } from '@ridewatch/contract/merges';
import { sql } from 'kysely';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { deleteLater } from '../storage/delete-later.ts';
import {
  beginFragments,
  finishFragments,
  listMergedFragments,
  type MergedFragment,
  releaseFragments,
} from './fragments.ts';
import type { MergedVideo } from './making/make-merged-video.ts';
import { nudgeNext } from './order.ts';

/** After this time without progress another merge may begin, ms. */
const SILENT_MS = 30_000;
/** Key of the advisory lock under which merges begin. Any constant will do. */
const MERGE_LOCK = 7_236_520;

/**
 * Begins a merge, or restarts it after a crash.
 * @returns its fragments; undefined when there is nothing to do, or when another merge runs, which will nudge this one
 */
export async function beginMerge(
  db: Db,
  id: number,
  nowMs: number,
): Promise<MergedFragment[] | undefined> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${MERGE_LOCK})`.execute(tx);
    const request = await lockRunning(tx, id);
    if (request === undefined) return undefined;
    const other = await tx
      .selectFrom('merge_requests')
      .select('id')
      .where('status', '=', 'PROCESS')
      .where('id', '<>', id)
      .where('worked_at', '>', silentSince(nowMs))
      .executeTakeFirst();
    if (other !== undefined) return undefined;
    const fragments = await listMergedFragments(tx, request);
    await beginFragments(tx, id, fragments, nowMs);
    await tx
      .updateTable('merge_requests')
      .set({ worked_at: new Date(nowMs), progress: 0 })
      .where('id', '=', id)
      .execute();
    return fragments;
  });
}

/** The merged video is stored. If the request was cancelled, it is deleted. */
export async function completeMerge(
  db: Db,
  id: number,
  merged: MergedVideo & { key: string },
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await lockRunning(tx, id)) === undefined) return deleteLater(tx, [merged.key]);
    await tx
      .updateTable('merge_requests')
      .set({
        status: 'COMPLETE',
        progress: 100,
        fail_reason: null,
        storage_key: merged.key,
        size_bytes: merged.sizeBytes,
        sha256: merged.sha256,
        duration_ms: merged.durationMs,
        completed_at: new Date(nowMs),
        worked_at: null,
      })
      .where('id', '=', id)
      .execute();
    await finishFragments(tx, id, nowMs);
    await nudgeNext(tx, id, silentSince(nowMs));
  });
}

/** The merge failed. Does nothing when it has ended. */
export async function failMerge(
  db: Db,
  id: number,
  reason: MergeFailure,
  nowMs: number,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await lockRunning(tx, id)) !== undefined) await end(tx, id, reason, nowMs);
  });
}

/** Cancels a running merge. @throws AppError conflict when it has ended */
export async function cancelMerge(db: Db, actor: Actor, id: number, nowMs: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    if ((await lockRunning(tx, id)) === undefined) {
      throw new AppError('conflict', 'The merge has already ended.');
    }
    await end(tx, id, 'cancelled', nowMs);
    await insertAudit(tx, actor, {
      action: 'cancel_merge',
      objectType: 'merge_request',
      objectId: id,
    });
  });
}

/** Lets other merges begin; this one will be tried again. */
export async function pauseMerge(db: Db, id: number): Promise<void> {
  await db
    .updateTable('merge_requests')
    .set({ worked_at: null })
    .where('id', '=', id)
    .where('status', '=', 'PROCESS')
    .execute();
}

async function end(tx: Tx, id: number, reason: MergeFailure, nowMs: number): Promise<void> {
  await tx
    .updateTable('merge_requests')
    .set({
      status: 'FAILED',
      fail_reason: reason,
      completed_at: new Date(nowMs),
      worked_at: null,
    })
    .where('id', '=', id)
    .execute();
  const failReason = reason === 'cancelled' ? 'merge_cancelled' : 'merge_failed';
  await releaseFragments(tx, id, { atMs: nowMs, failReason });
  await nudgeNext(tx, id, silentSince(nowMs));
}

interface RunningMerge {
  readonly cameraId: number;
  readonly from: Date;
  readonly to: Date;
}

async function lockRunning(tx: Tx, id: number): Promise<RunningMerge | undefined> {
  return tx
    .selectFrom('merge_requests')
    .select(['camera_id as cameraId', 'from_time as from', 'to_time as to'])
    .where('id', '=', id)
    .where('status', '=', 'PROCESS')
    .forUpdate()
    .executeTakeFirst();
}

function silentSince(nowMs: number): Date {
  return new Date(nowMs - SILENT_MS);
}
