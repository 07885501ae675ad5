// The stream of units whose protocol numbers nothing that lasts: a record's number is made of its time. Such numbers have
// gaps everywhere, so ranges of received ones would grow without bound; what is stored is looked up instead.
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { findStoredPoints, pointKey } from '../../positions/append.ts';
import { movedCountNumber } from '../by-id/numbers.ts';
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
 * A clock that was ahead may have used up the second of a position; one with another content is another position. Counts are
 * often equal, so one whose time is possible is never what is kept aside.
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
  const { positions, passengers, cameraStates, announcements } = sortRecords(records);
  const fixes = positions.filter(hasPlace);
  const points = await findStoredPoints(
    tx,
    unitId,
    fixes.map(({ seq, sentMs, timeMs }) => {
      return { key: pointKey(streamId, seq), sentMs, timeMs, isOfWrongClock: false };
    }),
    receivedMs,
  );
  const numbersIn = async (
    table: 'passenger_events' | 'camera_states' | 'segment_announcements',
    some: readonly CheckedRecord[],
  ): Promise<{ seq: number }[]> => {
    if (some.length === 0) return [];
    // The key of states begins with the time.
    const times = some.map(({ sentMs }) => new Date(sentMs));
    const isThen =
      table === 'camera_states' ? sql`and sent_time = any(${times}::timestamptz[])` : sql``;
    const { rows } = await sql<{ seq: number }>`
      select seq from ${sql.table(table)}
      where unit_id = ${unitId} and stream_id = ${streamId}
        and seq = any(${some.map(({ seq }) => seq)}::bigint[]) ${isThen}`.execute(tx);
    return rows;
  };
  const isCount = new Set(timed.filter(({ type }) => type === 'passenger'));
  const comparable = records.filter((record) => !isCount.has(record));
  const aside = await findAside(tx, streamId, comparable);
  const mayDiffer = new Set<number>(timed.filter(isFix).map(({ seq }) => seq));
  const isKept = (record: CheckedRecord): boolean => {
    const kept = aside.get(record.seq);
    return kept !== undefined && (!mayDiffer.has(record.seq) || isSameContent(kept, record));
  };
  const stored = [
    ...fixes.filter(({ seq }) => points.has(pointKey(streamId, seq))),
    ...comparable.filter(isKept),
    ...timeless.filter(({ seq }) => includesSequence(placed, seq)),
    ...(await numbersIn('passenger_events', passengers)),
    ...(await numbersIn('camera_states', cameraStates)),
    ...(await numbersIn('segment_announcements', announcements)),
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
  const timeless = new Set(positions.map(({ seq }) => seq));
  const known = { unitId, streamId, unplaced: [], timeless };
  const asSent = positions.map((record) => ({ ...record, timeMs: record.sentMs }));
  const missing = await findOtherContent(tx, known, sortRecords(asSent), new Map(), nowMs);
  return new Set(positions.map(({ seq }) => seq).filter((seq) => !missing.has(seq)));
}

/**
 * Gives counts that were kept aside and are placed the numbers of their places, if others were stored under their own
 * meanwhile: a clock that was ahead had used up their seconds. The caller holds the unit's lock.
 * @returns the records to store, by those that are placed; a count whose place is taken is missing
 */
export async function withFreeNumbers(
  tx: Tx,
  { unitId, streamId }: TimedStream,
  placed: readonly CheckedRecord[],
): Promise<ReadonlyMap<CheckedRecord, CheckedRecord>> {
  const counts = new Set(placed.filter(({ type }) => type === 'passenger'));
  const taken = async (some: ReadonlySet<CheckedRecord>): Promise<ReadonlySet<number>> => {
    const rows = await tx
      .selectFrom('passenger_events')
      .select('seq')
      .where('unit_id', '=', unitId)
      .where('stream_id', '=', streamId)
      .where('seq', '=', sql<number>`any(${[...some].map(({ seq }) => seq)}::bigint[])`)
      .execute();
    return new Set(rows.map(({ seq }) => seq));
  };
  const same = new Map(placed.map((record) => [record, record]));
  // All of them or none: the place of one may be the number of another.
  if (counts.size === 0 || (await taken(counts)).size === 0) return same;
  const numberOf = ({ seq, sentMs, timeMs }: CheckedRecord) =>
    movedCountNumber(seq, timeMs - sentMs);
  const moved = new Map(
    placed.map((record) => [
      record,
      counts.has(record) ? { ...record, seq: numberOf(record) } : record,
    ]),
  );
  const gone = await taken(new Set([...counts].flatMap((record) => moved.get(record) ?? [])));
  return new Map([...moved].filter(([record, { seq }]) => !counts.has(record) || !gone.has(seq)));
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
