import { MAX_COUNTED_WAITING, MAX_NAMED_UNREGISTERED } from '@ridewatch/contract/admin-upstreams';
import { type RawBuilder, sql } from 'kysely';
import { unregisteredBuses } from './unregistered.ts';

/** Rows of a queue that a look reads. */
const MOST_ROWS = 20_000;

/**
 * The records that wait for an upstream, as a subquery with one row: `since`, when the oldest was stored, and `records`, their
 * number as far as it is counted.
 * @param upstreamId a bigint
 */
export const waitingOf = (upstreamId: RawBuilder<unknown>): RawBuilder<unknown> =>
  oldestOf(sql.table('upstream_queue'), upstreamId);

const oldestOf = (table: RawBuilder<unknown>, upstreamId: RawBuilder<unknown>) => sql`(
    select min(stored_at) as since,
      least(coalesce(sum(records), 0), ${MAX_COUNTED_WAITING}::int)::int as records
    from (select stored_at, records from ${table} where upstream_id = ${upstreamId}
      order by id limit ${MOST_ROWS}) as oldest
  )`;

/**
 * The buses that an upstream does not know, with the records that are kept for it, as a subquery with one row and the column
 * `told`, as answers have it. Buses that have left the fleet are left out.
 * @param upstreamId a bigint
 */
export function unregisteredOf(upstreamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select jsonb_build_object('buses', buses, 'records', kept.records, 'named',
      jsonb_path_query_array(named, ${`$[0 to ${MAX_NAMED_UNREGISTERED - 1}]`}::jsonpath),
      'since', to_char(kept.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as told
    from ${oldestOf(sql.table('upstream_unregistered'), upstreamId)} as kept
    cross join (
      select count(*)::int as buses, coalesce(jsonb_agg(jsonb_build_object('id', bus.id, 'name', bus.name)
        order by bus.name collate natural_ru, bus.id), '[]') as named
      from ${unregisteredBuses(upstreamId)} as unknown
      join workplaces as bus on bus.id = unknown.id and bus.retired_at is null
    ) as counted
  )`;
}
