// People and revenue of days of buses, summed by bus, route and tick. A figure is what is settled, less what days that
// are not settled yet have in there, plus what these come to now: one statement, so that it adds up at any moment.
import type { StatTick } from '@ridewatch/contract/stat-ticks';
import { type RawBuilder, sql } from 'kysely';
import { knownRoute } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { type BoundDay, boundDays, figuresOf } from '../counts/day-figures.ts';
import { isOfBuses, isOfClients, isOfDays, type Selection } from './selection.ts';

/** By bus, by route (0: none), or all together. */
export type Grouping = 'bus' | 'route' | 'none';

/** The sums of one series at one tick. */
export interface TrafficSums {
  /** The id of the bus or route; 0 for buses without a route, and when all are together. */
  readonly series: number;
  /** The first local day of the tick within the range, `YYYY-MM-DD`. */
  readonly start: string;
  readonly enteredAdults: number;
  readonly enteredKids: number;
  readonly exitedAdults: number;
  readonly exitedKids: number;
  readonly revenueKopecks: number;
  readonly noPriceMilli: number;
  readonly heardHours: number;
  readonly silentHours: number;
}

/** The columns that are summed. */
const figures = sql.join(
  [
    'entered_adults',
    'entered_kids',
    'exited_adults',
    'exited_kids',
    'revenue_kopecks',
    'no_price_milli',
    'heard_hours',
    'silent_hours',
  ].map((name) => sql.ref(name)),
);

/**
 * Sums the days of a selection, by series and tick, without those that are all 0.
 * @param live the selection's days that are not settled
 */
export async function listTraffic(
  db: Db,
  selection: Selection,
  { grouping, tick }: { readonly grouping: Grouping; readonly tick: StatTick },
  live: readonly BoundDay[],
): Promise<TrafficSums[]> {
  // Sums by route hold whole customers; chosen buses are read one by one.
  const isByRoutes = grouping !== 'bus' && selection.buses === 'all';
  const series = {
    bus: sql`workplace_id`,
    route: sql`coalesce(${knownRoute(selection.viewer, sql.ref('group_id'))}, 0)`,
    none: sql`0`,
  }[grouping];
  const start =
    tick === 'day'
      ? sql`day`
      : sql`greatest(date_trunc(${tick}, day::timestamp)::date, ${selection.days.dateFrom}::date)`;
  const parts = [
    isByRoutes ? settledByRoute(selection, series) : settledByBus(selection, series),
    ...(live.length === 0 ? [] : [liveInstead(selection, series, live, isByRoutes)]),
  ];
  const { rows } = await sql<TrafficSums>`
    select series, start, "enteredAdults", "enteredKids", "exitedAdults", "exitedKids", "revenueKopecks",
      "noPriceMilli", "heardHours", "silentHours"
    from (
      select series::bigint as series, ${start} as start,
        sum(sign * entered_adults)::bigint as "enteredAdults", sum(sign * entered_kids)::bigint as "enteredKids",
        sum(sign * exited_adults)::bigint as "exitedAdults", sum(sign * exited_kids)::bigint as "exitedKids",
        sum(sign * revenue_kopecks)::bigint as "revenueKopecks", sum(sign * no_price_milli)::bigint as "noPriceMilli",
        sum(sign * heard_hours)::bigint as "heardHours", sum(sign * silent_hours)::bigint as "silentHours"
      from (${sql.join(parts, sql` union all `)}) as parts
      group by 1, 2
    ) as sums
    where ("enteredAdults", "enteredKids", "exitedAdults", "exitedKids", "revenueKopecks", "noPriceMilli",
      "heardHours", "silentHours") <> (0, 0, 0, 0, 0, 0, 0, 0)
    order by start, series`.execute(db);
  return rows;
}

function settledByBus(selection: Selection, series: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select 1 as sign, ${series} as series, day, ${figures} from day_traffic
    where ${isOfDays(selection.days, sql.ref('day'))}
      and ${isOfBuses(selection, sql.ref('day_traffic.workplace_id'), sql.ref('day'))}`;
}

// A bus with several customers is in no row of a route, so that nobody sees more than the own buses.
function settledByRoute(selection: Selection, series: RawBuilder<unknown>): RawBuilder<unknown> {
  const isChosen = isOfDays(selection.days, sql.ref('day'));
  return sql`
    select 1 as sign, ${series} as series, day, ${figures} from route_traffic
    where ${isChosen} and ${isOfClients(selection, sql.ref('client_id'))}
    union all
    select 1, ${series}, day, ${figures} from day_traffic
    where client_id is null and ${isChosen}
      and ${isOfBuses(selection, sql.ref('day_traffic.workplace_id'), sql.ref('day'))}`;
}

// The hours of silence of a live day are those of its last settlement.
function liveInstead(
  selection: Selection,
  series: RawBuilder<unknown>,
  days: readonly BoundDay[],
  isByRoutes: boolean,
): RawBuilder<unknown> {
  const settled = sql`
    select day_traffic.* from unnest(${days.map(({ busId }) => busId)}::bigint[],
      ${days.map(({ day }) => day)}::date[]) as asked (workplace_id, day)
    join day_traffic using (workplace_id, day)`;
  const isVisible = isOfBuses(selection, sql.ref('settled.workplace_id'), sql.ref('settled.day'));
  const isInThere = isByRoutes
    ? sql`(client_id is null and ${isVisible}) or ${isOfClients(selection, sql.ref('client_id'))}`
    : isVisible;
  return sql`
    select -1, ${series}, day, ${figures} from (${settled}) as settled where ${isInThere}
    union all
    select 1, ${series}, day, ${figures}
    from (
      select now_so.*, coalesce(heard_hours, 0) as heard_hours, coalesce(silent_hours, 0) as silent_hours
      from (${figuresOf(boundDays(days))}) as now_so
      left join (
        select workplace_id, day, heard_hours, silent_hours from (${settled}) as settled
      ) as settled using (workplace_id, day)
    ) as live where ${isOfBuses(selection, sql.ref('live.workplace_id'), sql.ref('live.day'))}`;
}
