// Counts the days of a selection that have records, and estimates the hours that are missing before the first ones.
import { addDays } from '@ridewatch/contract/day';
import type { PassengerTraffic } from '@ridewatch/contract/stats';
import { type RawBuilder, sql } from 'kysely';
import { knownRoute } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { type Cut, cutDayOf, isCut } from './cut.ts';
import { isOfBuses, isOfDays, type Selection, type StatDays } from './selection.ts';

/** Of how many of a selection's days its buses have records, and since when they have any; batches list these days. */
export async function findKnownDays(
  db: Db,
  selection: Selection,
  cut: Cut,
): Promise<Pick<PassengerTraffic['totals'], 'days_with_data' | 'first_day'>> {
  const { rows } = await sql<{ days: number; first: string | null }>`
    select (
      select count(*)::int from (
        select from bus_days where ${isOfDays(selection.days, sql.ref('day'))}
          and ${isOfBuses(selection, sql.ref('bus_days.workplace_id'), sql.ref('day'))}
          and not ${isCut(cut, sql.ref('bus_days.workplace_id'), sql.ref('bus_days.day'))}
        group by day
      ) as known
    ) as days, (select min(first.day) from (${firstDays(selection)}) as first) as first`.execute(
    db,
  );
  const { days = 0, first = null } = rows[0] ?? {};
  return { days_with_data: days, first_day: first };
}

// The first of each bus from the key: of all days of all years there may be millions.
function firstDays(selection: Selection): RawBuilder<unknown> {
  return sql`
    select workplaces.id, of_bus.day from workplaces
    cross join lateral (
      select day from bus_days where workplace_id = workplaces.id
        and ${isOfBuses(selection, sql.ref('bus_days.workplace_id'), sql.ref('day'))}
      order by day limit 1
    ) as of_bus`;
}

/**
 * The hours that buses would have had on the days before their first record: as many a day as on the days of the range
 * since then. A bus without records has none.
 * @returns by bus or route (0: none)
 */
export async function findMissingHours(
  db: Db,
  selection: Selection,
  grouping: 'bus' | 'route',
  cut: Cut,
): Promise<Map<number, number>> {
  const { viewer, days } = selection;
  const series =
    grouping === 'bus'
      ? sql`late.id`
      : sql`coalesce(${knownRoute(viewer, sql.ref('day_traffic.group_id'))}, 0)`;
  const isOfUser =
    viewer.clientIds === 'all'
      ? sql`true`
      : sql`client_id = any(${[...viewer.clientIds]}::bigint[])`;
  const { rows } = await sql<{ series: number; hours: number }>`
    with late as materialized (
      -- Days before the bus belonged to the user are not missing.
      select first.id, first.day, ${chosenDays(
        days,
        sql`greatest(${days.dateFrom}::date, (select min(from_day) from bus_owners
          where workplace_id = first.id and first.day between from_day and to_day and ${isOfUser}))`,
        sql`first.day - 1`,
      )} as missing_days,
        ${chosenDays(days, sql`first.day`, sql`least(${days.dateTo}::date, ${cutDayOf(cut, sql.ref('first.id'))} - 1)`)} as days
      from (${firstDays(selection)}) as first
      where first.day > ${days.dateFrom}::date and first.day <= ${days.dateTo}::date
        and not ${isCut(cut, sql.ref('first.id'), sql.ref('first.day'))}
    )
    select ${series}::bigint as series, round(sum(
      (heard_hours + silent_hours) * late.missing_days::numeric / nullif(late.days, 0)))::int as hours
    from late join day_traffic on day_traffic.workplace_id = late.id and day_traffic.day >= late.day
      and ${isOfDays(days, sql.ref('day_traffic.day'))}
      and ${isOfBuses(selection, sql.ref('day_traffic.workplace_id'), sql.ref('day_traffic.day'))}
      and not ${isCut(cut, sql.ref('day_traffic.workplace_id'), sql.ref('day_traffic.day'))}
    group by 1`.execute(db);
  return new Map(rows.map(({ series: id, hours }) => [id, hours ?? 0]));
}

/** A Monday. */
const MONDAY = '2001-01-01';

// The number of chosen days of a range, both ends included; 0 of a reversed one. Of each weekday one in seven days.
function chosenDays(
  { weekdays = [1, 2, 3, 4, 5, 6, 7] }: StatDays,
  from: RawBuilder<unknown>,
  to: RawBuilder<unknown>,
): RawBuilder<number> {
  const firsts = weekdays.map((weekday) => addDays(MONDAY, weekday - 1));
  return sql<number>`greatest(0, (
    select sum(floor((${to} - first) / 7.0) - floor((${from} - 1 - first) / 7.0))
    from unnest(${firsts}::date[]) as weekday (first)))`;
}
