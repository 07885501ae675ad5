// People and revenue of days of buses, summed by bus, route and tick. A figure is what is settled, with the present
// figures of the days that are not settled yet in their place: one statement, so that it adds up at any moment.
import type { StatTick } from '@ridewatch/contract/stat-ticks';
import { type RawBuilder, sql } from 'kysely';
import { knownRoute } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { boundDays } from '../days/bound-days.ts';
import type { BusDay } from '../days/bus-days.ts';
import { FIGURE_COLUMNS, figuresOf, isKnownDay } from '../figures/day-figures.ts';
import { figuresUntil, type TimedDay } from '../figures/figures-until.ts';
import { type Cut, firstCutDay, isCut } from './cut.ts';
import { isOfBuses, isOfClients, isOfDays, type Selection } from './selection.ts';

/** By bus, by route (0: none), or all together. */
export type Grouping = 'bus' | 'route' | 'none';

/** The sums of one series at one tick. */
export interface TrafficSums {
  /** The id of the bus or route; 0 for buses without a route, and when all are together. */
  readonly series: number;
  /** The first local day of the tick within the range, `YYYY-MM-DD`. */
  readonly start: string;
  /** Of days that are not over, apart from the others. */
  readonly isRunning: boolean;
  /** Days with records. */
  readonly days: number;
  readonly enteredAdults: number;
  readonly enteredKids: number;
  readonly exitedAdults: number;
  readonly exitedKids: number;
  readonly revenueKopecks: number;
  readonly noPriceMilli: number;
  readonly heardHours: number;
  readonly silentHours: number;
}

/** How days are summed. */
export interface Summing {
  readonly grouping: Grouping;
  readonly tick: StatTick;
  /** The ends of the days of each bus; days that run are not told apart unless given. */
  readonly cut?: Cut;
  /** The days that count until a moment, in a compared range. */
  readonly until?: readonly TimedDay[];
}

/** The columns that are summed. */
const NAMES = [...FIGURE_COLUMNS, 'heard_hours', 'silent_hours'] as const;
const figures = sql.join(NAMES.map((name) => sql.ref(name)));

/**
 * Sums the days of a selection, by series and tick, without those that are all 0.
 * @param live the selection's days that are not settled
 */
export async function listTraffic(
  db: Db,
  selection: Selection,
  { grouping, tick, cut, until = [] }: Summing,
  live: readonly BusDay[],
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
  const asked = { selection, series, live, cut };
  const parts = [
    ...(isByRoutes ? settledByRoute(asked) : [settledByBus(asked)]),
    ...(cut ? [newestByBus(asked, cut)] : []),
    ...(live.length > 0 ? [liveDays(asked)] : []),
    ...(until.length > 0 ? [daysUntil(asked, until)] : []),
  ];
  const all = sql.join(parts, sql` union all `);
  // Each day of a bus is one row.
  const days = grouping === 'bus' ? all : sumsByDay(all);
  const { rows } = await sql<TrafficSums>`
    select series, start, is_running as "isRunning", days, entered_adults as "enteredAdults",
      entered_kids as "enteredKids", exited_adults as "exitedAdults", exited_kids as "exitedKids",
      revenue_kopecks as "revenueKopecks", no_price_milli as "noPriceMilli", heard_hours as "heardHours",
      silent_hours as "silentHours"
    from (
      select series::bigint as series, ${start} as start, is_running,
        count(*) filter (where ${isKnownDay})::int as days, ${sql.join(NAMES.map((name) => columnSum(name)))}
      from (${days}) as by_day
      group by 1, 2, 3
    ) as sums
    where (${figures}) <> (0, 0, 0, 0, 0, 0, 0, 0)
    order by start, series, is_running`.execute(db);
  return rows;
}

function sumsByDay(parts: RawBuilder<unknown>): RawBuilder<unknown> {
  const sums = sql.join(NAMES.map((name) => columnSum(name, sql`sign * `)));
  return sql`select series, day, is_running, ${sums} from (${parts}) as parts group by 1, 2, 3`;
}

const columnSum = (name: string, sign: RawBuilder<unknown> = sql``): RawBuilder<unknown> =>
  sql`sum(${sign}${sql.ref(name)})::bigint as ${sql.ref(name)}`;

interface Asked {
  readonly selection: Selection;
  readonly series: RawBuilder<unknown>;
  readonly live: readonly BusDay[];
  readonly cut: Cut | undefined;
}

// Before the first cut the days of every bus are whole.
const isBeforeCuts = ({ cut }: Asked): RawBuilder<boolean> =>
  cut ? sql<boolean>`day < ${firstCutDay(cut)}::date` : sql<boolean>`true`;

const isNotLive = ({ live }: Asked): RawBuilder<boolean> =>
  live.length === 0
    ? sql<boolean>`true`
    : sql<boolean>`not exists (select from (${daysAsked(live)}) as live
        where live.workplace_id = day_traffic.workplace_id and live.day = day_traffic.day)`;

const daysAsked = (days: readonly BusDay[]): RawBuilder<unknown> => sql`
  select * from unnest(${days.map(({ busId }) => busId)}::bigint[],
    ${days.map(({ day }) => day)}::date[]) as asked (workplace_id, day)`;

const isOfSelection = (selection: Selection, table: string): RawBuilder<boolean> =>
  isOfBuses(selection, sql.ref(`${table}.workplace_id`), sql.ref(`${table}.day`));

function settledByBus(asked: Asked): RawBuilder<unknown> {
  const { selection, series } = asked;
  return sql`
    select 1 as sign, ${series} as series, day, false as is_running, ${figures} from day_traffic
    where ${isOfDays(selection.days, sql.ref('day'))} and ${isOfSelection(selection, 'day_traffic')}
      and ${isBeforeCuts(asked)} and ${isNotLive(asked)}`;
}

// A bus with several customers is in no row of a route, so that nobody sees more than the own buses. What live days have
// in the rows of routes is taken out of them.
function settledByRoute(asked: Asked): RawBuilder<unknown>[] {
  const { selection, series, live } = asked;
  const isChosen = sql`${isOfDays(selection.days, sql.ref('day'))} and ${isBeforeCuts(asked)}`;
  const isOfUser = isOfClients(selection, sql.ref('client_id'));
  const ofRoutes = sql`
    select 1 as sign, ${series} as series, day, false as is_running, ${figures} from route_traffic
    where ${isChosen} and ${isOfUser}
    union all
    select 1, ${series}, day, false, ${figures} from day_traffic
    where client_id is null and ${isChosen} and ${isOfSelection(selection, 'day_traffic')}`;
  if (live.length === 0) return [ofRoutes];
  const ofLive = sql`
    select -1, ${series}, day, false, ${figures}
    from (select day_traffic.* from (${daysAsked(live)}) as asked join day_traffic using (workplace_id, day)) as settled
    where ${isBeforeCuts(asked)}
      and ((client_id is null and ${isOfSelection(selection, 'settled')}) or ${isOfUser})`;
  return [ofRoutes, ofLive];
}

// The cut of each bus says which of the newest days run. A compared range ends at the cut.
function newestByBus(asked: Asked, cut: Cut): RawBuilder<unknown> {
  const { selection, series } = asked;
  const isRunning = isCut(cut, sql.ref('day_traffic.workplace_id'), sql.ref('day_traffic.day'));
  return sql`
    select * from (
      select 1 as sign, ${series} as series, day, ${isRunning} as is_running, ${figures} from day_traffic
      where ${isOfDays(selection.days, sql.ref('day'))} and ${isOfSelection(selection, 'day_traffic')}
        and day >= ${firstCutDay(cut)}::date and ${isNotLive(asked)}
    ) as newest where ${isWithin(cut)}`;
}

const isWithin = (cut: Cut | undefined): RawBuilder<boolean> =>
  cut?.otherTo !== undefined ? sql<boolean>`not is_running` : sql<boolean>`true`;

// The hours of silence of a live day are those of its last settlement.
function liveDays({ selection, series, live, cut }: Asked): RawBuilder<unknown> {
  const isRunning = cut
    ? isCut(cut, sql.ref('now_so.workplace_id'), sql.ref('now_so.day'))
    : sql`false`;
  return sql`
    select 1, ${series}, day, is_running, ${figures}
    from (
      select now_so.*, ${isRunning} as is_running, coalesce(heard_hours, 0) as heard_hours,
        coalesce(silent_hours, 0) as silent_hours
      from (${figuresOf(boundDays(live))}) as now_so
      left join (select workplace_id, day, heard_hours, silent_hours from day_traffic) as settled
        using (workplace_id, day)
    ) as live where ${isOfSelection(selection, 'live')} and ${isWithin(cut)}`;
}

function daysUntil({ selection, series }: Asked, days: readonly TimedDay[]): RawBuilder<unknown> {
  return sql`
    select 1, ${series}, day, true, ${figures}
    from (
      select figures.*, 0 as heard_hours, 0 as silent_hours from (${figuresUntil(days)}) as figures
    ) as until
    where ${isOfDays(selection.days, sql.ref('day'))} and ${isOfSelection(selection, 'until')}`;
}
