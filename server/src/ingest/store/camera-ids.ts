import type { Db } from '../../core/db/db.ts';
import type { Sender } from './by-bus.ts';
import type { CheckedRecord } from './records.ts';

/** The ids of the bus's cameras by stream id; none are read for a batch without records of cameras. */
export async function listCameraIds(
  { database }: { readonly database: { readonly db: Db } },
  { busId }: Pick<Sender, 'busId'>,
  records: readonly CheckedRecord[],
): Promise<Map<string, number>> {
  if (busId === null) return new Map();
  if (!records.some((record) => 'camera' in record)) return new Map();
  const rows = await database.db
    .selectFrom('cameras')
    .select(['id', 'stream_id'])
    .where('workplace_id', '=', busId)
    .execute();
  return new Map(rows.map((row) => [row.stream_id, row.id]));
}
