import { type BusStatus, STATUS_TIMEOUT_MS } from '@ridewatch/contract/buses';
import type { Db, Tx } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { findBusCameras } from '../fetching/bus-cameras.ts';
import { insertCommand } from '../fetching/commands.ts';
import { listRangeRequests } from '../fetching/preload-progress.ts';

/** The states of a bus's cameras, and the requests to its unit for days that the user sees. */
export async function findStatus(
  db: Db,
  viewer: Viewer,
  busId: number,
  nowMs: number,
): Promise<BusStatus> {
  const { unitId, lastSeenAt, cameras } = await findBusCameras(db, busId, nowMs);
  return {
    workplace_id: busId,
    deviceId: unitId,
    last_seen_at: lastSeenAt?.toISOString() ?? null,
    cameras: cameras.map(({ live: _live, ...camera }) => camera),
    update: unitId === null ? null : await findUpdate(db, unitId, nowMs),
    requests: await listRangeRequests(db, viewer, busId, nowMs),
  };
}

async function findUpdate(db: Db, unitId: number, nowMs: number): Promise<BusStatus['update']> {
  const asked = await db
    .selectFrom('unit_commands')
    .select(['created_at', 'finished_at', 'result', 'reason'])
    .where('unit_id', '=', unitId)
    .where('kind', '=', 'report_camera_states')
    .where('segment_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (asked === undefined) return null;
  const { created_at, finished_at, result, reason } = asked;
  const isLate = nowMs - created_at.getTime() >= STATUS_TIMEOUT_MS;
  const open = isLate ? 'timed_out' : 'asked';
  const answered = result === 'done' ? 'done' : 'failed';
  const state = finished_at === null ? open : answered;
  const failure = result === 'failed' ? 'unit_failed' : 'no_answer';
  return {
    asked_at: created_at.toISOString(),
    state,
    reason: state === 'failed' ? failure : null,
    detail: reason,
  };
}

/**
 * Asks a unit for its cameras' states, or joins an open request. One that timed out is cancelled.
 * @returns whether a new request was made
 */
export async function askForStatus(tx: Tx, unitId: number, nowMs: number): Promise<boolean> {
  // Concurrent requests take turns.
  await tx.selectFrom('units').select('id').where('id', '=', unitId).forNoKeyUpdate().execute();
  const latest = await findUpdate(tx, unitId, nowMs);
  if (latest?.state === 'asked') return false;
  await tx
    .updateTable('unit_commands')
    .set({ finished_at: new Date(nowMs), result: 'cancelled' })
    .where('unit_id', '=', unitId)
    .where('kind', '=', 'report_camera_states')
    .where('finished_at', 'is', null)
    .execute();
  await insertCommand(tx, { unitId, kind: 'report_camera_states', createdMs: nowMs });
  return true;
}
