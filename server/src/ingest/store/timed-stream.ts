// The stream of units whose protocol numbers nothing that lasts: a record's number is made of its time. Such numbers have
// gaps everywhere, so ranges of received ones would grow without bound; what is stored is looked up instead.
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { findStoredPoints, pointKey } from '../../positions/append.ts';
import {
  COUNT_NUMBERS,
  countNumberAt,
  isCountOfBytes,
  isTimelessPosition,
  nextCountNumber,
  secondOfCount,
} from '../by-id/numbers.ts';
import { findAside, isSameContent } from './aside.ts';
import { type CheckedRecord, hasPlace, isUnplaced, sortRecords } from './records.ts';
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
 * A clock that was ahead may have used up the second of a position: one with another content is another position, and one
 * whose time is possible is never what is placed elsewhere. Counts are often equal, so one whose time is possible is never
 * what is kept aside.
 * @param row the stream, whose received numbers are those of records that were kept aside and placed (notePlaced)
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
  const timedFixes = new Set<number>(timed.filter(isFix).map(({ seq }) => seq));
  const points = await findStoredPoints(
    tx,
    unitId,
    fixes.map(({ seq, sentMs, timeMs }) => ({
      ...{ key: pointKey(streamId, seq), sentMs, timeMs, isOfWrongClock: false },
      isAsSent: timedFixes.has(seq),
    })),
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
  const isComparable = (record: CheckedRecord): boolean => !isCount(record) && !isUnplaced(record);
  const comparable = [...timed.filter(isComparable), ...timeless];
  const aside = await findAside(tx, streamId, comparable);
  const isKept = (record: CheckedRecord): boolean => {
    const kept = aside.get(record.seq);
    return kept !== undefined && (!timedFixes.has(record.seq) || isSameContent(kept, record));
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

// Between those of positions at whole seconds and those of positions between seconds.
const isCountNumber = (seq: number): boolean => {
  const { first, counters } = COUNT_NUMBERS;
  return seq >= first && seq < first + 2 ** 32 * counters;
};

const isCount = ({ type }: CheckedRecord): boolean => type === 'passenger';

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
  const known = { unitId, streamId, unplaced: [], timeless, placed: [], isTimed: true };
  const asSent = positions.map((record) => ({ ...record, timeMs: record.sentMs }));
  const missing = await findOtherContent(tx, known, sortRecords(asSent), new Map(), nowMs);
  return new Set(positions.map(({ seq }) => seq).filter((seq) => !missing.has(seq)));
}

/** Modules that are tried for a count; beyond them it stays kept aside. */
const MOST_MODULES = 1000;

/**
 * Gives counts that were kept aside and are placed the numbers of their places: under their own, they would keep the real
 * counts of those moments away. The module of a count whose number bytes made tells nothing, so it gives way. The caller
 * holds the unit's lock.
 * @returns the records to store, by those that are placed; a count whose place is taken is missing
 */
export async function withNumbersOfPlaces(
  tx: Tx,
  stream: TimedStream,
  placed: readonly CheckedRecord[],
): Promise<ReadonlyMap<CheckedRecord, CheckedRecord>> {
  const all = new Map<CheckedRecord, CheckedRecord>(placed.map((record) => [record, record]));
  const moved = placed.filter(isCount).map((count) => ({
    ...{ count, seq: countNumberAt(count.seq, count.timeMs) },
    isOfBytes: isCountOfBytes(count.seq, count.sentMs),
  }));
  if (moved.length === 0) return all;
  const taken = await findTaken(
    tx,
    stream,
    moved.map(({ seq }) => seq),
  );
  // Those that cannot give way come first.
  moved.sort((a, b) => Number(a.isOfBytes) - Number(b.isOfBytes));
  for (const { count, seq: wanted, isOfBytes } of moved) {
    let seq = wanted;
    for (let n = 1; n < MOST_MODULES && isOfBytes && taken.has(seq); n += 1) {
      seq = nextCountNumber(seq);
    }
    if (taken.has(seq)) all.delete(count);
    else all.set(count, { ...count, seq });
    taken.add(seq);
  }
  return all;
}

/**
 * Finds the numbers of counts that are stored: those among the wanted ones, and all of a second in which two counts want
 * one number.
 */
async function findTaken(
  tx: Tx,
  { unitId, streamId }: TimedStream,
  wanted: readonly number[],
): Promise<Set<number>> {
  const stored = await tx
    .selectFrom('passenger_events')
    .select('seq')
    .where('unit_id', '=', unitId)
    .where('stream_id', '=', streamId)
    .where('seq', '=', sql<number>`any(${wanted}::bigint[])`)
    .execute();
  const taken = new Set(stored.map(({ seq }) => seq));
  const [seen, crowded] = [new Set(taken), new Set<number>()];
  for (const seq of wanted) {
    if (seen.has(seq)) crowded.add(secondOfCount(seq));
    seen.add(seq);
  }
  if (crowded.size === 0) return taken;
  const { rows } = await sql<{ seq: number }>`
    select there.seq from unnest(${[...crowded]}::bigint[]) as second (seq)
    cross join lateral (
      select seq from passenger_events where unit_id = ${unitId} and stream_id = ${streamId}
        and seq >= second.seq and seq < second.seq + ${COUNT_NUMBERS.counters}::bigint
    ) as there`.execute(tx);
  for (const { seq } of rows) taken.add(seq);
  return taken;
}

/**
 * Notes which positions and counts were kept aside and are placed: what is stored does not tell, and they may be sent
 * again. The caller holds the unit's lock.
 * @param most ranges of numbers, half of them for either; positions without a date are forgotten first, then the smallest
 */
export async function notePlaced(
  tx: Tx,
  streamId: number,
  placed: readonly CheckedRecord[],
  most: number,
): Promise<void> {
  const numbers = placed.filter((one) => isFix(one) || isCount(one)).map(({ seq }) => seq);
  if (numbers.length === 0) return;
  const { rows } = await sql<{ received: string }>`
    select received::text as received from unit_streams where id = ${streamId}`.execute(tx);
  const before = fromMultirange(rows[0]?.received ?? '', most);
  // Numbers of counts are larger, and would have all of positions forgotten.
  const byKind = Map.groupBy(joinRanges(before, rangesOf(numbers)), ([seq]) => isCountNumber(seq));
  const known = [...byKind.values()].flatMap((some) =>
    // Those without a date never join, and are above all others.
    some
      .toSorted(([a], [b]) => Number(isTimelessPosition(b)) - Number(isTimelessPosition(a)))
      .slice(-Math.floor(most / 2)),
  );
  await sql`update unit_streams set received = ${toMultirange(known)}::int8multirange
    where id = ${streamId}`.execute(tx);
}
