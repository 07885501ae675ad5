// The stored people of a stream of times: there are none after the last ones, which the process remembers; earlier ones
// are looked up. The answer holds while the unit's row counts no further batch.
import { sql } from 'kysely';
import type { Database, Tx } from '../../core/db/db.ts';
import { createReadTogether } from './read-together.ts';
import type { CheckedRecord, PassengerRecord } from './records.ts';
import type { TimedStream } from './timed-stream.ts';

/** A stored event. */
interface StoredPeople {
  readonly unit: number;
  readonly seq: number;
  readonly sent: Date;
  readonly door: number;
  readonly direction: string;
  readonly passenger: string;
  readonly count: number;
}

/** Reads events of a unit by their numbers; those that exist. */
export type ReadPeople = (
  asked: TimedStream & { readonly seqs: readonly number[] },
) => Promise<StoredPeople[]>;

// Each event is a look at the key.
const TEXT = `select unit_id as unit, seq, sent_time as sent, door, direction, passenger, count
  from unnest($1::bigint[], $2::bigint[], $3::bigint[]) as wanted (of_unit, of_stream, number)
  cross join lateral (
    select * from passenger_events where unit_id = of_unit and stream_id = of_stream and seq = number offset 0
  ) as found`;

/** Makes the read of one process. */
export const createReadPeople = (database: Pick<Database, 'pool'>): ReadPeople =>
  createReadTogether(database, (asked) => ({
    ...{ name: 'read_passenger_events', text: TEXT },
    values: [
      asked.flatMap(({ unitId, seqs }) => seqs.map(() => unitId)),
      asked.flatMap(({ streamId, seqs }) => seqs.map(() => streamId)),
      asked.flatMap(({ seqs }) => seqs),
    ],
  }));

/**
 * Finds what is stored under the numbers of people.
 * @param last the largest number of people in the stream
 */
export async function findPeople(
  readPeople: ReadPeople,
  stream: TimedStream,
  last: number,
  records: readonly CheckedRecord[],
): Promise<ReadonlyMap<number, StoredPeople>> {
  const seqs = records
    .filter(({ type, seq }) => type === 'passenger' && seq <= last)
    .map(({ seq }) => seq);
  if (seqs.length === 0) return new Map();
  const rows = await readPeople({ ...stream, seqs });
  return new Map(rows.map((row) => [row.seq, row]));
}

/** Whether people are the stored ones; their corrected time is no part of them. */
export function samePeople(stored: StoredPeople, sent: PassengerRecord): boolean {
  return (
    stored.sent.getTime() === sent.sentMs &&
    stored.door === sent.door &&
    stored.direction === sent.direction &&
    stored.passenger === sent.passenger &&
    stored.count === sent.count
  );
}

/** The largest number of people in a stream, -Infinity of none. The caller holds the unit's lock. */
export async function findLastPeople(tx: Tx, { unitId, streamId }: TimedStream): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`select max(seq) as last from passenger_events
    where unit_id = ${unitId} and stream_id = ${streamId}`.execute(tx);
  return rows[0]?.last ?? Number.NEGATIVE_INFINITY;
}
