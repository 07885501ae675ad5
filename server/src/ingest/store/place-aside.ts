// Places records that were kept aside: they become what they would have been if their time had been known.
import { sql } from 'kysely';
import { busAt, findKnownUnit } from '../../access/unit-assignments.ts';
import type { Database, Db, Tx } from '../../core/db/db.ts';
import { openBlocks } from '../../positions/append.ts';
import { BOUNDS } from './bounds.ts';
import { momentOf } from './by-bus.ts';
import { listCameraIds } from './camera-ids.ts';
import { insertFresh } from './insert-fresh.ts';
import { makePartitions } from './partitions.ts';
import { createRecordedDays } from './recorded-days.ts';
import { type CheckedRecord, type SentRecord, sortRecords } from './records.ts';
import { partByRoom, timesOfPoints } from './room.ts';
import type { Source } from './store-traffic.ts';
import { findStoredSince, isTimedStream, notePlaced, withNumbersOfPlaces } from './timed-stream.ts';
import { readWanted } from './upstreams.ts';

/** Records of one stream with their corrected times, ms since 1970 UTC, by number; at most 10,000. */
export interface Placing {
  readonly streamId: number;
  readonly times: ReadonlyMap<number, number>;
}

/** Most records of one placing, as of one batch. */
export const MOST_PLACED = 10_000;

/** Makes the partitions of the days of a placing. Call it before the transaction of `placeAside`. */
export async function makeRoom(
  database: Database,
  unitId: number,
  placing: Placing,
): Promise<void> {
  await makePartitions(database, timedOf(await askedOf(database.db, unitId, placing), placing));
}

/**
 * Places records that are kept aside, each for the bus in which its unit sat then. Those that are not there any
 * more are left out; one of an unknown camera, a position in five full minutes, and a count of whose moment, module and
 * door others are stored, stay. A position that is stored already, because its time had come when it was sent again, is only
 * removed.
 * @param nowMs the present, ms since 1970 UTC
 * @returns how many were placed or removed
 */
export async function placeAside(
  tx: Tx,
  unitId: number,
  placing: Placing,
  nowMs: number,
): Promise<number> {
  // As every writer of the unit's records: another number of batches makes processes read what they know again.
  const own = await tx
    .updateTable('units')
    .set((eb) => ({ batches: eb('batches', '+', 1) }))
    .where('id', '=', unitId)
    .returning('test_since')
    .executeTakeFirstOrThrow();
  const unit = await findKnownUnit(tx, unitId);
  const rows = await askedOf(tx, unitId, placing);
  const tested = new Set(rows.filter(({ in_test }) => in_test).map(({ seq }) => seq));
  // Released from its test, a unit has given everything to its bus.
  const sourceOf = (record: CheckedRecord): string => {
    const isTest = tested.has(record.seq) && own.test_since !== null;
    const busId = isTest || unit === undefined ? null : busAt(unit, momentOf(record));
    return JSON.stringify({ isTest, busId });
  };
  const { streamId } = placing;
  const waiting = timedOf(rows, placing);
  const isTimed = rows.length > 0 && (await isTimedStream(tx, streamId));
  const stream = { streamId, isTimed };
  const stored = isTimed
    ? await findStoredSince(tx, { unitId, streamId }, waiting, nowMs)
    : new Set<number>();
  await removeAside(tx, streamId, [...stored]);
  let count = stored.size;
  const placed = waiting.filter(({ seq }) => !stored.has(seq));
  for (const [source, timed] of Map.groupBy(placed, sourceOf)) {
    const fresh = await insertTimed(tx, unitId, stream, JSON.parse(source), timed, nowMs);
    if (isTimed) await notePlaced(tx, streamId, fresh, BOUNDS.streamRanges);
    count += fresh.length;
  }
  return count;
}

interface Row {
  readonly seq: number;
  readonly record: unknown;
  readonly in_test: boolean;
}

// The caller holds the unit's lock, under which alone these rows change, or only looks.
async function askedOf(db: Db, unitId: number, { streamId, times }: Placing): Promise<Row[]> {
  return db
    .selectFrom('aside_records')
    .select(['seq', 'record', 'in_test'])
    .where('unit_id', '=', unitId)
    .where('stream_id', '=', streamId)
    .where('seq', '=', sql<number>`any(${[...times.keys()]}::bigint[])`)
    .orderBy('seq')
    .execute();
}

function timedOf(rows: readonly Row[], { times }: Placing): CheckedRecord[] {
  return rows.map(({ seq, record }, index) => ({
    ...(record as SentRecord),
    index,
    timeMs: times.get(seq) ?? 0,
  }));
}

async function insertTimed(
  tx: Tx,
  unitId: number,
  { streamId, isTimed }: { readonly streamId: number; readonly isTimed: boolean },
  { isTest, busId }: Pick<Source, 'isTest' | 'busId'>,
  timed: readonly CheckedRecord[],
  nowMs: number,
): Promise<readonly CheckedRecord[]> {
  const cameraIds = await listCameraIds({ database: { db: tx } }, { busId }, timed);
  const usable = timed.filter((one) => !('camera' in one) || cameraIds.has(one.camera));
  const open = await openBlocks(tx, unitId, timesOfPoints(usable), BOUNDS.blockPoints);
  const { fresh } = partByRoom(usable, open, BOUNDS.blockPoints);
  const stored = isTimed
    ? await withNumbersOfPlaces(tx, { unitId, streamId }, fresh)
    : new Map(fresh.map((record) => [record, record]));
  const placed = [...stored.keys()];
  const upstreams = busId === null ? [] : ((await readWanted(tx)).get(busId) ?? []);
  const recordedDays = createRecordedDays();
  const source = { unitId, streamId, busId, isTest, recordedDays, isTimed, upstreams };
  await insertFresh(tx, source, sortRecords([...stored.values()]), open, cameraIds, nowMs);
  await removeAside(
    tx,
    streamId,
    placed.map(({ seq }) => seq),
  );
  return placed;
}

async function removeAside(tx: Tx, streamId: number, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await tx
    .deleteFrom('aside_records')
    .where('stream_id', '=', streamId)
    .where('seq', '=', sql<number>`any(${seqs}::bigint[])`)
    .execute();
}
