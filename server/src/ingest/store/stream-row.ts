// The numbers of a stream that are in: one row, the truth of what was stored.
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

/** Stored ranges that take more than this are far more than a bounded row has: a range has 21 bytes at most. */
const LARGE_BYTES = 64 * 1024;

/** The row of a stream. */
export interface StreamRow {
  readonly id: number;
  /** Numbers that are in; those of gaps that were closed are, too, though nothing is stored of them. */
  readonly received: SequenceRanges;
  /** Those of them under which a position without a place was acknowledged, so far as they are remembered. */
  readonly unplaced: SequenceRanges;
}

/** What is known of a stream's row without reading it. */
export interface KnownNumbers {
  readonly received: RangeEstimate;
  readonly unplaced: RangeEstimate;
}

/**
 * Takes the row of a stream for the rest of the transaction; makes it when the stream is new.
 * @param receivedMs the server's clock at the arrival of the batch
 * @param most ranges to read; a row with more of them is read as if it had been bounded
 */
export async function lockStream(
  tx: Tx,
  { unitId, stream }: { unitId: number; stream: string },
  receivedMs: number,
  most: number,
): Promise<StreamRow> {
  // Setting a column of no key leaves others free to refer to the row: who moves a fragment does, with the day locked.
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

// To write a million ranges as text takes the database longer than a statement may; to go through them does not.
function highest(column: 'received' | 'unplaced', most: number): RawBuilder<string> {
  const ranges = sql.ref(`unit_streams.${column}`);
  return sql`case when pg_column_size(${ranges}) < ${LARGE_BYTES} then ${ranges} else (
    select range_agg(r) from (
      select r from unnest(${ranges}) with ordinality as u (r, n) order by n desc limit ${most}
    ) as highest) end`;
}

/**
 * Adds the numbers of records to a stream that lockStream took. Beyond the bound, gaps are closed from the smallest
 * number on: what would still come for them is taken for other content. Of numbers without a place the smallest are
 * forgotten instead: closed gaps would acknowledge what was never sent.
 * @param fresh records whose numbers are not in
 * @param most ranges to keep
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
  return { received: estimateOf(received), unplaced: estimateOf(unplaced) };
}

/** The numbers of records, and those of them without a place. */
export function numbersOf(records: readonly CheckedRecord[]): {
  readonly received: SequenceRanges;
  readonly unplaced: SequenceRanges;
} {
  const ranges = (some: readonly CheckedRecord[]) => rangesOf(some.map(({ seq }) => seq));
  return { received: ranges(records), unplaced: ranges(records.filter(isUnplaced)) };
}

/** What is known of a stream's row once the numbers of other records are in. */
export function numbersWith(
  known: KnownNumbers,
  { received, unplaced }: ReturnType<typeof numbersOf>,
): KnownNumbers {
  return {
    received: estimateWith(known.received, received),
    unplaced: estimateWith(known.unplaced, unplaced),
  };
}
