// The stream of units whose protocol numbers nothing that lasts: a record's number is made of its time. Such numbers have
// gaps everywhere, so ranges of received ones would grow without bound; what is stored is looked up instead.
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { findStoredPoints, pointKey } from '../../positions/append.ts';
import { type CheckedRecord, hasPlace, sortRecords } from './records.ts';
import { rangesOf, type SequenceRanges } from './sequences.ts';

/** The id of this stream; the unit interface refuses it. */
export const TIMED_STREAM = '00000000-0000-0000-0000-000000000000';

/**
 * Finds which numbers of records are stored or kept aside. A position without a fix is never: only its answer counts.
 * @param receivedMs the server's clock at arrival
 */
export async function findStoredNumbers(
  tx: Tx,
  { unitId, streamId }: { readonly unitId: number; readonly streamId: number },
  records: readonly CheckedRecord[],
  receivedMs: number,
): Promise<SequenceRanges> {
  const { positions, passengers } = sortRecords(records);
  const placed = positions.filter(hasPlace);
  const points = await findStoredPoints(
    tx,
    unitId,
    placed.map(({ seq, sentMs, timeMs }) => {
      return { key: pointKey(streamId, seq), sentMs, timeMs, isOfWrongClock: false };
    }),
    receivedMs,
  );
  const events = passengers.map(({ seq }) => seq);
  const { rows } = await sql<{ seq: number }>`
    select seq from aside_records
    where stream_id = ${streamId} and seq = any(${records.map(({ seq }) => seq)}::bigint[])
    union all
    select seq from passenger_events
    where unit_id = ${unitId} and stream_id = ${streamId} and seq = any(${events}::bigint[])`.execute(
    tx,
  );
  return rangesOf([
    ...placed.map(({ seq }) => seq).filter((seq) => points.has(pointKey(streamId, seq))),
    ...rows.map(({ seq }) => seq),
  ]);
}
