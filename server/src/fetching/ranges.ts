// Ranges of recordings requested from registrars, beyond the announced fragments.
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { insertCommand } from './commands.ts';
import { waitedTooLong } from './waits.ts';

interface WantedRange {
  readonly unitId: number;
  readonly cameraId: number;
  /** ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
}

/**
 * Asks a unit for a range of a camera's recording, or joins a running request that contains it.
 * @returns the command
 */
export async function askForRange(tx: Tx, wanted: WantedRange, nowMs: number): Promise<number> {
  const { unitId, cameraId, startMs, endMs } = wanted;
  // Concurrent requests take turns; the second one joins.
  await tx.selectFrom('cameras').select('id').where('id', '=', cameraId).forNoKeyUpdate().execute();
  const running = await tx
    .selectFrom('unit_commands')
    .select('id')
    .where('unit_id', '=', unitId)
    .where('kind', '=', 'fetch_range')
    .where('camera_id', '=', cameraId)
    .where('finished_at', 'is', null)
    .where('created_at', '>', waitedTooLong(nowMs, sql`${unitId}::bigint`))
    .where('range_start', '<=', new Date(startMs))
    .where('range_end', '>=', new Date(endMs))
    .executeTakeFirst();
  if (running !== undefined) return running.id;
  const aheadMs = await clockOffsetOf(tx, wanted);
  const range = { startMs, endMs, sentStartMs: startMs - aheadMs, sentEndMs: endMs - aheadMs };
  return insertCommand(tx, { unitId, kind: 'fetch_range', cameraId, range, createdMs: nowMs });
}

// The offset of the unit's clock, from its last fragment of this camera: an earlier unit of the bus had another clock.
async function clockOffsetOf(
  tx: Tx,
  { unitId, cameraId }: Pick<WantedRange, 'unitId' | 'cameraId'>,
): Promise<number> {
  const latest = await tx
    .selectFrom('segments')
    .select(['start_time', 'sent_start'])
    .where('camera_id', '=', cameraId)
    .where('unit_id', '=', unitId)
    .orderBy('start_time', 'desc')
    .limit(1)
    .executeTakeFirst();
  return latest === undefined ? 0 : latest.start_time.getTime() - latest.sent_start.getTime();
}
