// The stream of units whose protocol numbers nothing that lasts: a record's number is made of its time. Such numbers have
// gaps everywhere, so ranges of received ones would grow without bound; what is stored is looked up instead.
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { findStoredPoints, pointKey } from '../../positions/append.ts';
import { findAside, isSameContent } from './aside.ts';
import { type CheckedRecord, hasPlace, sortRecords } from './records.ts';
import {
  fromMultirange,
  includesSequence,
  joinRanges,
  rangesOf,
  type SequenceRanges,
  toMultirange,
} from './sequences.ts';
import { findOtherContent } from './stored.ts';
import type { StreamRow } from './stream-row.ts';

/** The id of this stream; the unit interface refuses it. */
export const TIMED_STREAM = '00000000-0000-0000-0000-000000000000';

/** Records of a batch by whether their times are possible. */
interface Arrived {
  readonly timed: readonly CheckedRecord[];
  /** Those that are to be kept aside. */
  readonly timeless: readonly CheckedRecord[];
}

/**
 * Finds which numbers of records are stored or kept aside. A position without a fix is never: only its answer counts.
 * A clock that was ahead may have used up the second of a position; one with another content is another position.
 * @param row the stream, whose received numbers are those of positions that were kept aside and placed (notePlaced)
 * @param receivedMs the server's clock at arrival
 */
export async function findStoredNumbers(
  tx: Tx,
  unitId: number,
  { id: streamId, received: placed }: Pick<StreamRow, 'id' | 'received'>,
  { timed, timeless }: Arrived,
  receivedMs: number,
): Promise<SequenceRanges> {
  const records = [...timed, ...timeless];
  const { positions, passengers } = sortRecords(records);
  const fixes = positions.filter(hasPlace);
  const points = await findStoredPoints(
    tx,
    unitId,
    fixes.map(({ seq, sentMs, timeMs }) => {
      return { key: pointKey(streamId, seq), sentMs, timeMs, isOfWrongClock: false };
    }),
    receivedMs,
  );
  const events = passengers.map(({ seq }) => seq);
  const { rows } = await sql<{ seq: number }>`
    select seq from passenger_events
    where unit_id = ${unitId} and stream_id = ${streamId} and seq = any(${events}::bigint[])`.execute(
    tx,
  );
  const aside = await findAside(tx, streamId, records);
  const mayDiffer = new Set<number>(timed.filter(isFix).map(({ seq }) => seq));
  const isKept = (record: CheckedRecord): boolean => {
    const kept = aside.get(record.seq);
    return kept !== undefined && (!mayDiffer.has(record.seq) || isSameContent(kept, record));
  };
  const stored = [
    ...fixes.filter(({ seq }) => points.has(pointKey(streamId, seq))),
    ...records.filter(isKept),
    ...timeless.filter(({ seq }) => includesSequence(placed, seq)),
    ...rows,
  ];
  return rangesOf(stored.map(({ seq }) => seq));
}

const isFix = (record: CheckedRecord): boolean => record.type === 'position' && hasPlace(record);

/** A unit and its stream. */
export interface TimedStream {
  readonly unitId: number;
  readonly streamId: number;
}

/** Whether a stream is the one of numbers made of times. */
export async function isTimedStream(tx: Tx, streamId: number): Promise<boolean> {
  const { stream } = await tx
    .selectFrom('unit_streams')
    .select('stream')
    .where('id', '=', streamId)
    .executeTakeFirstOrThrow();
  return stream === TIMED_STREAM;
}

/**
 * Finds which of the records that are kept aside are stored, too: their times had come when they were sent again.
 * @param nowMs the present, ms since 1970 UTC
 */
export async function findStoredSince(
  tx: Tx,
  { unitId, streamId }: TimedStream,
  aside: readonly CheckedRecord[],
  nowMs: number,
): Promise<ReadonlySet<number>> {
  const positions = sortRecords(aside).positions.filter(hasPlace);
  const known = { unitId, streamId, unplaced: [] };
  const asSent = positions.map((record) => ({ ...record, timeMs: record.sentMs }));
  const missing = await findOtherContent(tx, known, sortRecords(asSent), new Map(), nowMs);
  return new Set(positions.map(({ seq }) => seq).filter((seq) => !missing.has(seq)));
}

/**
 * Notes which positions were kept aside and are placed: their numbers do not tell where, and they may be sent again. The
 * caller holds the unit's lock.
 * @param most ranges of numbers; the smallest are forgotten
 */
export async function notePlaced(
  tx: Tx,
  streamId: number,
  placed: readonly CheckedRecord[],
  most: number,
): Promise<void> {
  const numbers = placed.filter(isFix).map(({ seq }) => seq);
  if (numbers.length === 0) return;
  const { rows } = await sql<{ received: string }>`
    select received::text as received from unit_streams where id = ${streamId}`.execute(tx);
  const before = fromMultirange(rows[0]?.received ?? '', most);
  const known = joinRanges(before, rangesOf(numbers)).slice(-most);
  await sql`update unit_streams set received = ${toMultirange(known)}::int8multirange
    where id = ${streamId}`.execute(tx);
}
