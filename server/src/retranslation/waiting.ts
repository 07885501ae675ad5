// Records that wait for an upstream, and those kept for it.
import { MAX_COUNTED_WAITING, MAX_NAMED_UNREGISTERED } from '@ridewatch/contract/admin-upstreams';
import { type RawBuilder, sql } from 'kysely';
import { wantedUnregistered } from './unregistered.ts';

/** Rows of a queue that are counted. */
const MOST_ROWS = 20_000;

/**
 * The records that wait for an upstream, as a subquery with one row: `since`, when the oldest was stored, or put back if it was
 * kept for a bus that the upstream did not know, `records`, their number as far as it is counted, and `more`, whether there are
 * more.
 * @param upstreamId a bigint
 * @param mostRows that are counted; tests have fewer
 */
export function waitingOf(
  upstreamId: RawBuilder<unknown>,
  mostRows = MOST_ROWS,
): RawBuilder<unknown> {
  const [queue, since] = [sql.table('upstream_queue'), sql`coalesce(back_at, stored_at)`];
  // Rows that are back have the ids of old ones, and may be more than are read. Others that were there before them were due before.
  return sql`(
    select least(counted.since, (select ${since} from ${queue} where upstream_id = ${upstreamId}
      order by due_at, id limit 1)) as since, counted.records, counted.more
    from ${oldestOf(queue, since, upstreamId, mostRows)} as counted
  )`;
}

const oldestOf = (
  table: RawBuilder<unknown>,
  since: RawBuilder<unknown>,
  upstreamId: RawBuilder<unknown>,
  mostRows = MOST_ROWS,
) => sql`(
    select since, least(counted, ${MAX_COUNTED_WAITING}::int)::int as records,
      rows > ${mostRows}::int or counted > ${MAX_COUNTED_WAITING}::int as more
    from (
      select min(since) as since, count(*) as rows,
        coalesce(sum(records) filter (where at <= ${mostRows}::int), 0) as counted
      from (select ${since} as since, records, row_number() over (order by id) as at from ${table}
        where upstream_id = ${upstreamId} order by id limit ${mostRows + 1}) as oldest
    ) as summed
  )`;

/**
 * The buses that an upstream does not know, with the records that are kept for it, as a subquery with one row and the column
 * `told`, as answers have it. Buses that have left the fleet, and those that never were of one of its customers, are neither
 * counted nor named; `records`, `more` and `since` are of all that is kept, which falls out by its age.
 * @param upstreamId a bigint
 */
export function unregisteredOf(upstreamId: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
    select jsonb_build_object('buses', buses, 'records', kept.records, 'more', kept.more, 'named',
      jsonb_path_query_array(named, ${`$[0 to ${MAX_NAMED_UNREGISTERED - 1}]`}::jsonpath),
      'since', to_char(kept.since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as told
    from ${oldestOf(sql.table('upstream_unregistered'), sql`stored_at`, upstreamId)} as kept
    cross join (
      select count(*)::int as buses, coalesce(jsonb_agg(jsonb_build_object('id', bus.id, 'name', bus.name)
        order by bus.name collate natural_ru, bus.id), '[]') as named
      from ${wantedUnregistered(upstreamId)} as bus
    ) as counted
  )`;
}
