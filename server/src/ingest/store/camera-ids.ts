import type { Db } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import type { CheckedRecord } from './records.ts';

/** The ids of the bus's cameras by stream id; none are read for a batch without records of cameras. */
export async function listCameraIds(
  { database }: { readonly database: { readonly db: Db } },
  unit: KnownUnit,
  records: readonly CheckedRecord[],
): Promise<Map<string, number>> {
  if (unit.busId === null) return new Map();
  if (!records.some((record) => 'camera' in record)) return new Map();
  const rows = await database.db
    .selectFrom('cameras')
    .select(['id', 'stream_id'])
    .where('workplace_id', '=', unit.busId)
    .execute();
  return new Map(rows.map((row) => [row.stream_id, row.id]));
}
