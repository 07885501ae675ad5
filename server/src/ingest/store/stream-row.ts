// The received numbers of a stream: one row, the truth of what was stored.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { type CheckedRecord, isUnplaced } from './records.ts';
import {
  closeLowestGaps,
  estimateOf,
  estimateWith,
  fromMultirange,
  joinRanges,
  type RangeEstimate,
  rangesOf,
  type SequenceRanges,
  toMultirange,
} from './sequences.ts';

/** Longer text than this has far more ranges than the limit: a range has 21 bytes at most. */
const LARGE_BYTES = 64 * 1024;

/** The row of a stream. */
export interface StreamRow {
  readonly id: number;
  /** Received numbers, including those of closed gaps, of which nothing is stored. */
  readonly received: SequenceRanges;
  /** Numbers under which a position without a fix was acknowledged, as far as remembered. */
  readonly unplaced: SequenceRanges;
}

/** The parts of a stream's row that are known without reading it. */
export interface KnownNumbers {
  readonly received: RangeEstimate;
  readonly unplaced: RangeEstimate;
  /** The largest number of people in a stream without remembered numbers, -Infinity of none. */
  readonly lastPeople: number;
}

/** Of a stream without remembered numbers. */
export const NO_NUMBERS: KnownNumbers = {
  received: estimateOf([]),
  unplaced: estimateOf([]),
  lastPeople: Number.NEGATIVE_INFINITY,
};

/**
 * Locks the row of a stream for the transaction; inserts it when the stream is new.
 * @param receivedMs the server's clock at the batch's arrival
 * @param most ranges to read; a row with more is read as if the limit had been applied
 */
export async function lockStream(
  tx: Tx,
  { unitId, stream }: { unitId: number; stream: string },
  receivedMs: number,
  most: number,
): Promise<StreamRow> {
  // FOR NO KEY UPDATE: other transactions may still reference the row, as those that move a fragment do while they hold
  // the day.
  const { rows } = await sql<{ id: number; received: string; lowest: number; unplaced: string }>`
    insert into unit_streams (unit_id, stream, created_at)
    values (${unitId}, ${stream}, ${new Date(receivedMs)})
    on conflict (unit_id, stream) do update set received = unit_streams.received
    returning id, ${highest('received', most)}::text as received, lower(received) as lowest,
      ${highest('unplaced', most)}::text as unplaced`.execute(tx);
  const row = rows[0];
  if (row === undefined) throw new Error('no row of the stream');
  const received = fromMultirange(row.received, most);
  const [first] = received;
  if (first !== undefined) first[0] = row.lowest;
  return { id: row.id, received, unplaced: fromMultirange(row.unplaced, most) };
}

// The database cannot write a million ranges as text within the statement's timeout, but it can scan them.
function highest(column: 'received' | 'unplaced', most: number): RawBuilder<string> {
  const ranges = sql.ref(`unit_streams.${column}`);
  return sql`case when pg_column_size(${ranges}) < ${LARGE_BYTES} then ${ranges} else (
    select range_agg(r) from (
      select r from unnest(${ranges}) with ordinality as u (r, n) order by n desc limit ${most}
    ) as highest) end`;
}

/**
 * Adds numbers to a stream that lockStream locked. Beyond the limit gaps are closed, the smallest numbers first: a
 * record that still comes for one is refused as other content. Of numbers without a fix the smallest are forgotten
 * instead: closing gaps there would acknowledge what was never sent.
 * @param fresh records whose numbers are new
 * @param most ranges to store
 */
export async function addNumbers(
  tx: Tx,
  row: StreamRow,
  fresh: readonly CheckedRecord[],
  most: number,
): Promise<KnownNumbers> {
  const added = numbersOf(fresh);
  const received = closeLowestGaps(joinRanges(row.received, added.received), most);
  const unplaced = joinRanges(row.unplaced, added.unplaced).slice(-most);
  await sql`update unit_streams set received = ${toMultirange(received)}::int8multirange,
    unplaced = ${toMultirange(unplaced)}::int8multirange where id = ${row.id}`.execute(tx);
  return { ...NO_NUMBERS, received: estimateOf(received), unplaced: estimateOf(unplaced) };
}

/** The numbers of records, and those without a fix among them. */
export function numbersOf(records: readonly CheckedRecord[]): {
  readonly received: SequenceRanges;
  readonly unplaced: SequenceRanges;
} {
  const ranges = (some: readonly CheckedRecord[]) => rangesOf(some.map(({ seq }) => seq));
  return { received: ranges(records), unplaced: ranges(records.filter(isUnplaced)) };
}

/** Works out what is known of a stream's row after adding records. */
export function numbersWith(
  known: KnownNumbers,
  { received, unplaced }: ReturnType<typeof numbersOf>,
): KnownNumbers {
  return {
    received: estimateWith(known.received, received),
    unplaced: estimateWith(known.unplaced, unplaced),
    lastPeople: known.lastPeople,
  };
}
