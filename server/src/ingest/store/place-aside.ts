// Places records that were kept aside: they become what they would have been if their time had been known.
import { sql } from 'kysely';
import type { Database, Db, Tx } from '../../core/db/db.ts';
import type { KnownUnit } from '../../core/viewer.ts';
import { openBlocks } from '../../positions/append.ts';
import { BOUNDS } from './bounds.ts';
import { listCameraIds } from './camera-ids.ts';
import { insertFresh } from './insert-fresh.ts';
import { makePartitions } from './partitions.ts';
import { createRecordedDays } from './recorded-days.ts';
import { type CheckedRecord, type SentRecord, sortRecords } from './records.ts';
import { partByRoom, timesOfPoints } from './room.ts';

/** Records of one stream with their corrected times, ms since 1970 UTC, by number; at most 10,000. */
export interface Placing {
  readonly streamId: number;
  readonly times: ReadonlyMap<number, number>;
}

/** Most records of one placing, as of one batch. */
export const MOST_PLACED = 10_000;

/**
 * Places records that are kept aside. Those that are not there any more are left out; one of an unknown camera, and a
 * position in five full minutes, stay.
 * @param nowMs the present, ms since 1970 UTC
 * @param withIt runs in the same transaction with the number of placed records
 * @returns how many were placed
 */
export async function placeAside(
  database: Database,
  unit: KnownUnit,
  { streamId, times }: Placing,
  nowMs: number,
  withIt: (tx: Tx, count: number) => Promise<void> = async () => undefined,
): Promise<number> {
  const { unitId } = unit;
  const seqs = [...times.keys()];
  const asked = (tx: Db) =>
    tx
      .selectFrom('aside_records')
      .select(['seq', 'record', 'workplace_id', 'in_test'])
      .where('unit_id', '=', unitId)
      .where('stream_id', '=', streamId)
      .where('seq', '=', sql<number>`any(${seqs}::bigint[])`)
      .orderBy('seq');
  const timed = (rows: readonly { seq: number; record: unknown }[]): CheckedRecord[] =>
    rows.map(({ seq, record }, index) => ({
      ...(record as SentRecord),
      index,
      timeMs: times.get(seq) ?? 0,
    }));
  const before = timed(await asked(database.db).execute());
  await makePartitions(database, before);
  const cameraIds = await listCameraIds({ database }, unit, before);
  return database.db.transaction().execute(async (tx) => {
    // As every writer of the unit's records: another number of batches makes processes read what they know again.
    const own = await tx
      .updateTable('units')
      .set((eb) => ({ batches: eb('batches', '+', 1) }))
      .where('id', '=', unitId)
      .returning(['workplace_id', 'test_since'])
      .executeTakeFirstOrThrow();
    const rows = await asked(tx).forUpdate().execute();
    const [first] = rows;
    // Released from its test, a unit has given everything to its bus.
    const isTest = (first?.in_test ?? false) && own.test_since !== null;
    const busId = isTest ? null : (first?.workplace_id ?? own.workplace_id);
    const usable = timed(rows).filter((one) => !('camera' in one) || cameraIds.has(one.camera));
    const open = await openBlocks(tx, unitId, timesOfPoints(usable), BOUNDS.blockPoints);
    const { fresh } = partByRoom(usable, open, BOUNDS.blockPoints);
    const source = { unitId, streamId, busId, isTest, recordedDays: createRecordedDays() };
    await insertFresh(tx, source, sortRecords(fresh), open, cameraIds, nowMs);
    const placed = fresh.map(({ seq }) => seq);
    await tx
      .deleteFrom('aside_records')
      .where('stream_id', '=', streamId)
      .where('seq', '=', sql<number>`any(${placed}::bigint[])`)
      .execute();
    await withIt(tx, placed.length);
    return placed.length;
  });
}
