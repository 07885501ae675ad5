// People by hour of the clock, from the hours of buses.
import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import type { DayTraffic } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type ZoneSpan, type ZoneSpanOfDays, zoneSpansWithin } from '../days/bus-days.ts';

/** A period in which some buses have a zone; `buses` is an array of their ids as PostgreSQL writes it. */
interface BusesSpan extends ZoneSpanOfDays {
  readonly buses: string;
}

/**
 * The periods in which buses have a zone. Most buses have the same, and a period is read at once.
 * @param daysOf the days of each bus
 */
export function commonSpans(
  zonesOf: ReadonlyMap<number, readonly ZoneSpan[]>,
  daysOf: (busId: number) => readonly DaySpan[],
): BusesSpan[] {
  const spans = [...zonesOf].flatMap(([busId, zones]) =>
    daysOf(busId).flatMap((days) =>
      zoneSpansWithin(zones, days).map((span) => ({ busId, ...span })),
    ),
  );
  const groups = Map.groupBy(spans, ({ zone, fromMs, toMs }) => `${zone} ${fromMs} ${toMs}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    // An array of arrays of different lengths does not exist.
    return first === undefined ? [] : { ...first, buses: `{${same.map(({ busId }) => busId)}}` };
  });
}

/**
 * Sums the hours of periods by hour of the clock, and by weekday, or by date, in one statement.
 * @param weekdays only these, 1 = Monday; all unless given
 * @param isByDate one row an hour of a day, ascending; else the days of a weekday together
 */
export async function sumClockHours(
  db: Db,
  spans: readonly BusesSpan[],
  weekdays: readonly number[] | undefined,
  isByDate: boolean,
): Promise<DayTraffic[]> {
  const { rows } = await sql<DayTraffic>`
    -- Buses first, clocks then: to tell the time of each row costs more than to sum them.
    with hours as materialized (
      select span.zone, seen.* from unnest(${spans.map(({ zone }) => zone)}::text[],
        ${spans.map(({ buses }) => buses)}::text[], ${spans.map(({ fromMs }) => new Date(fromMs))}::timestamptz[],
        ${spans.map(({ toMs }) => new Date(toMs))}::timestamptz[]) as span (zone, buses, valid_from, valid_to)
      cross join lateral (
        select hour_start, sum(entered_adults + entered_kids) as entered, sum(exited_adults + exited_kids) as exited
        from hourly_traffic
        where workplace_id = any(span.buses::bigint[])
          and hour_start >= span.valid_from and hour_start < span.valid_to
        group by hour_start
      ) as seen
    )
    select date, weekday, hour, sum(entered)::int as entered, sum(exited)::int as exited
    from (
      select case when ${isByDate} then at::date end as date, extract(isodow from at)::int as weekday,
        extract(hour from at)::int as hour, entered, exited
      from (select hour_start at time zone zone as at, entered, exited from hours) as local
    ) as people
    where weekday = any(${[...(weekdays ?? [1, 2, 3, 4, 5, 6, 7])]}::int[])
    group by 1, 2, 3
    having sum(entered) <> 0 or sum(exited) <> 0
    order by 1, 2, 3`.execute(db);
  return rows;
}
