// Stretches of recordings that are asked of registrars, beyond the fragments that they have announced.
import type { RangeRequest } from '@ridewatch/contract/buses';
import type { Db, Tx } from '../db.ts';
import { FORGOTTEN_AFTER_MS, insertCommand } from './queries.ts';

/** Most that one answer names. */
const MOST_SHOWN = 50;

interface WantedRange {
  readonly unitId: number;
  readonly cameraId: number;
  /** ms since 1970 UTC; the end no longer belongs to it. */
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Asks a unit for a stretch of a camera's recording. Joins a request that runs and has it whole.
 * @returns whether the unit was asked anew
 */
export async function askForRange(tx: Tx, wanted: WantedRange, nowMs: number): Promise<boolean> {
  const { unitId, cameraId, startMs, endMs } = wanted;
  // Two who ask at once take turns; the second one joins.
  await tx.selectFrom('cameras').select('id').where('id', '=', cameraId).forUpdate().execute();
  const running = await tx
    .selectFrom('unit_commands')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('kind', '=', 'fetch_range')
    .where('camera_id', '=', cameraId)
    .where('finished_at', 'is', null)
    .where('created_at', '>', new Date(nowMs - FORGOTTEN_AFTER_MS))
    .where('range_start', '<=', new Date(startMs))
    .where('range_end', '>=', new Date(endMs))
    .executeTakeFirst();
  if (running !== undefined) return false;
  const aheadMs = await clockOffsetOf(tx, cameraId);
  const range = { startMs, endMs, sentStartMs: startMs - aheadMs, sentEndMs: endMs - aheadMs };
  await insertCommand(tx, { unitId, kind: 'fetch_range', cameraId, range, createdMs: nowMs });
  return true;
}

// What is added to the unit's clock, as its last fragment of this camera tells.
async function clockOffsetOf(tx: Tx, cameraId: number): Promise<number> {
  const latest = await tx
    .selectFrom('segments')
    .select(['start_time', 'sent_start'])
    .where('camera_id', '=', cameraId)
    .orderBy('start_time', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest === undefined ? 0 : latest.start_time.getTime() - latest.sent_start.getTime();
}

/** Stretches that were asked of a unit in the last 24 hours, the newest first. */
export async function listRangeRequests(
  db: Db,
  unitId: number,
  nowMs: number,
): Promise<RangeRequest[]> {
  const rows = await db
    .selectFrom('unit_commands')
    .select(['id', 'camera_id', 'range_start', 'range_end', 'created_at'])
    .select(['accepted_at', 'finished_at', 'result', 'reason'])
    .where('unit_id', '=', unitId)
    .where('kind', '=', 'fetch_range')
    .where('segment_id', 'is', null)
    .where('created_at', '>', new Date(nowMs - FORGOTTEN_AFTER_MS))
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .execute();
  return rows.flatMap((row) =>
    row.camera_id === null || row.range_start === null || row.range_end === null
      ? []
      : [
          {
            id: row.id,
            camera_id: row.camera_id,
            start_time: row.range_start.toISOString(),
            end_time: row.range_end.toISOString(),
            asked_at: row.created_at.toISOString(),
            state: stateOf(row),
            reason: row.reason,
          },
        ],
  );
}

function stateOf(row: {
  accepted_at: Date | null;
  finished_at: Date | null;
  result: string | null;
}): RangeRequest['state'] {
  if (row.finished_at !== null) return row.result === 'done' ? 'done' : 'failed';
  return row.accepted_at === null ? 'asked' : 'accepted';
}
