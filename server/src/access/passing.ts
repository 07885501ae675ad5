// Buses on the day on which they pass to other customers. The next ones see the bus at once, and the day is still that of
// the former ones (docs/decisions/088-owned-days.md).
import { type RawBuilder, sql } from 'kysely';
import { earliestDayAt, localDayAt } from '../days/bus-settings.ts';

/**
 * The buses whose present customers do not all own the present local day, as a subquery: `workplace_id`; `from_day`, the
 * first one that all of them own and nobody else; `client_ids`, the owners until then. It reads the zones of these buses
 * only.
 * @param nowMs ms since 1970 UTC
 */
export function passingBuses(nowMs: number): RawBuilder<unknown> {
  const earliest = earliestDayAt(nowMs);
  return sql`(
    with today as materialized (
      select workplace_id, ${localDayAt(sql.ref('passed.workplace_id'), nowMs)} as day
      from (
        select distinct workplace_id from bus_owners
        where to_day >= ${earliest}::date and to_day < 'infinity' or from_day > ${earliest}::date
      ) as passed
    )
    select workplace_id,
      max(case when from_day > day then from_day when to_day < 'infinity' then to_day + 1 end) as from_day,
      coalesce(array_agg(client_id) filter (where from_day <= day), '{}') as client_ids
    from today join bus_owners using (workplace_id)
    where to_day >= day
    group by workplace_id
    having bool_or(from_day > day or to_day < 'infinity')
  )`;
}
