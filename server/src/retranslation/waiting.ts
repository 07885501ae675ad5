import { MAX_COUNTED_WAITING } from '@ridewatch/contract/admin-upstreams';
import { type RawBuilder, sql } from 'kysely';

/** Rows of a queue that a look reads. */
const MOST_ROWS = 20_000;

/**
 * The records that wait for an upstream, as a subquery with one row: `since`, when the oldest was stored, and `records`, their
 * number as far as it is counted.
 * @param upstreamId a bigint
 */
export function waitingOf(upstreamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select min(stored_at) as since,
      least(coalesce(sum(records), 0), ${MAX_COUNTED_WAITING}::int)::int as records
    from (select stored_at, records from upstream_queue where upstream_id = ${upstreamId}
      order by id limit ${MOST_ROWS}) as oldest
  )`;
}
