// Records whose time is not known: stored under their numbers with their raw form, and in no figure until they are
// placed (place-aside.ts).
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { contentOf } from './part-usable.ts';
import type { AsideRecord, CheckedRecord, SentRecord, StoreRefusal } from './records.ts';
import type { Source } from './store-traffic.ts';

/** Longest raw form that is kept, characters. */
const MOST_RAW = 2000;

/** A record with its time as sent in place of the time that is not known. */
export function atSentTime({ record }: AsideRecord): CheckedRecord {
  return { ...record, timeMs: record.sentMs };
}

/** Finds what is kept aside under the numbers of records. @returns their contents as stored, by number */
export async function findAside(
  tx: Tx,
  streamId: number,
  records: readonly CheckedRecord[],
): Promise<ReadonlyMap<number, unknown>> {
  if (records.length === 0) return new Map();
  const rows = await tx
    .selectFrom('aside_records')
    .select(['seq', 'record'])
    .where('stream_id', '=', streamId)
    .where('seq', '=', sql<number>`any(${records.map(({ seq }) => seq)}::bigint[])`)
    .execute();
  return new Map(rows.map(({ seq, record }) => [seq, record]));
}

/** Whether a record is what is kept aside under its number. */
export function isSameContent(kept: unknown, record: CheckedRecord): boolean {
  return isDeepStrictEqual(kept, JSON.parse(contentOf(record)));
}

/**
 * Separates repeats of records that are kept aside from others.
 * @param repeated records whose numbers are known
 * @param mayBeStored those that may be stored although others are kept aside under their numbers
 * @returns those of other records, and the numbers of those that were kept aside with other content
 */
export async function partByAside(
  tx: Tx,
  streamId: number,
  repeated: readonly CheckedRecord[],
  mayBeStored: readonly CheckedRecord[],
): Promise<{ others: CheckedRecord[]; differing: Set<number> }> {
  const kept = await findAside(tx, streamId, repeated);
  const storable = new Set(mayBeStored);
  const others: CheckedRecord[] = [];
  const differing = new Set<number>();
  for (const record of repeated) {
    const isKept = kept.has(record.seq);
    const isSame = isKept && isSameContent(kept.get(record.seq), record);
    if (!isKept || (!isSame && storable.has(record))) others.push(record);
    else if (!isSame) differing.add(record.seq);
  }
  return { others, differing };
}

/** How many records of a unit may still be kept aside. @param most records of a unit */
export async function roomForAside(tx: Tx, unitId: number, most: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from aside_records where unit_id = ${unitId} limit ${most}) as kept`.execute(tx);
  return most - (rows[0]?.count ?? 0);
}

/** The refusal of a record for which there is no room. */
export function asideRefusal(record: SentRecord, most: number): StoreRefusal {
  const message = `has no known time, and ${most} such records of the unit wait already; send it again later`;
  return { record, reason: 'aside_full', field: 'time', message };
}

/** Keeps records aside. @param receivedMs the server's clock at arrival */
export async function insertAside(
  tx: Tx,
  { unitId, streamId, isTest }: Source,
  aside: readonly AsideRecord[],
  receivedMs: number,
): Promise<void> {
  if (aside.length === 0) return;
  await sql`
    insert into aside_records (unit_id, stream_id, in_test, received_at, seq, record, raw)
    select ${unitId}::bigint, ${streamId}::bigint, ${isTest},
      ${new Date(receivedMs)}::timestamptz, * from unnest(
      ${aside.map(({ record }) => record.seq)}::bigint[],
      ${aside.map(({ record }) => contentOf(record))}::jsonb[],
      ${aside.map(({ raw }) => JSON.stringify(raw).slice(0, MOST_RAW))}::text[])`.execute(tx);
}
