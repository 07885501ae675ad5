// The figures of a bus's local day, as a query: what settle.ts stores, and what statistics read of days that are not
// settled yet. Both are one text, so that they cannot differ.
import { type RawBuilder, sql } from 'kysely';
import { settingsOn } from '../days/bus-settings.ts';

/** A bus and the bounds of one of its local days. */
export interface BoundDay {
  readonly busId: number;
  /** `YYYY-MM-DD` */
  readonly day: string;
  /** ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
}

/** A local day, or a part of one, in which the bus has one time zone. */
export interface ZonedDay extends BoundDay {
  readonly zone: string;
}

/** The columns of people and money, which are summed. */
export const FIGURE_COLUMNS = [
  'entered_adults',
  'entered_kids',
  'exited_adults',
  'exited_kids',
  'revenue_kopecks',
  'no_price_milli',
] as const;

/** Days as rows `bus (id, day, day_start, day_end)`. */
export function boundDays(days: readonly BoundDay[]): RawBuilder<unknown> {
  return sql`unnest(${columnsOf(days)}) as bus (id, day, day_start, day_end)`;
}

/** Days or parts of them as rows `bus (id, day, day_start, day_end, zone)`. */
export function zonedDays(days: readonly ZonedDay[]): RawBuilder<unknown> {
  return sql`unnest(${columnsOf(days)}, ${days.map(({ zone }) => zone)}::text[])
    as bus (id, day, day_start, day_end, zone)`;
}

function columnsOf(days: readonly BoundDay[]): RawBuilder<unknown> {
  return sql`${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
    ${days.map(({ startMs }) => new Date(startMs))}::timestamptz[],
    ${days.map(({ endMs }) => new Date(endMs))}::timestamptz[]`;
}

/**
 * The figures of days: effective counts within the shift, and revenue. FIXED: fare × people in the chosen direction.
 * CALCULATION: the laps that start on the day and in the shift, whole. A day without a calculation has the values of the
 * latest earlier one, without its shift. A day with laps is of the type with which they were calculated, as in the
 * calculator: a bus that is moved to another route keeps the money of its past days until somebody recalculates them.
 * @param days rows `bus (id, day, day_start, day_end)`, each day once
 * @returns a select with the columns of day_traffic that do not depend on raw records
 */
export function figuresOf(days: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select bus.id as workplace_id, bus.day, customer.client_id, settings.group_id,
      hours.entered_adults, hours.entered_kids, hours.exited_adults, hours.exited_kids,
      case when kind.by_laps then driven.kopecks
        when calc.calculation_event = 'EXITED' then calc.fare_kopecks * (hours.exited_adults + hours.exited_kids)
        else coalesce(calc.fare_kopecks, 0) * (hours.entered_adults + hours.entered_kids)
      end as revenue_kopecks,
      case when kind.by_laps then driven.no_price_milli else 0 end as no_price_milli
    from ${days}
    cross join lateral (
      select case when count(*) = 1 then min(own.client_id) end as client_id
      from bus_owners as own
      where own.workplace_id = bus.id and bus.day between own.from_day and own.to_day
    ) as customer
    ${moneyRules()}
    cross join lateral (
      select coalesce(sum(entered_adults), 0)::int as entered_adults,
        coalesce(sum(entered_kids), 0)::int as entered_kids,
        coalesce(sum(exited_adults), 0)::int as exited_adults,
        coalesce(sum(exited_kids), 0)::int as exited_kids
      from hourly_traffic
      where workplace_id = bus.id and hour_start >= bus.day_start and hour_start < bus.day_end
    ) as hours`;
}

/**
 * People and revenue by hour of days, as rows `zone`, `at`, `entered`, `exited`, `kopecks`; their sums are those of
 * `figuresOf`. `at` is the start of an hour, and of the revenue of laps the moment at which the lap began.
 * @param days rows `bus (id, day, day_start, day_end, zone)`, each day once, or its parts
 */
export function hourFiguresOf(days: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    select bus.zone, part.*
    from ${days}
    ${moneyRules()}
    cross join lateral (
      select hour_start as at, entered_adults + entered_kids as entered, exited_adults + exited_kids as exited,
        case when kind.by_laps then 0
          when calc.calculation_event = 'EXITED' then calc.fare_kopecks * (exited_adults + exited_kids)
          else coalesce(calc.fare_kopecks, 0) * (entered_adults + entered_kids)
        end as kopecks
      from hourly_traffic
      where workplace_id = bus.id and hour_start >= bus.day_start and hour_start < bus.day_end
      union all
      select start_time, 0, 0, revenue_kopecks from laps
      where kind.by_laps and laps.workplace_id = bus.id and laps.day = bus.day and ${isInShift}
    ) as part`;
}

// A lap counts whole if it starts on the day and in the shift.
const isInShift = sql`(start_time >= greatest(bus.day_start, calc.shift_start)
  and start_time < least(bus.day_end, calc.shift_end))`;

// Joins that say by what the money of `bus` on its day is: `settings`, `calc`, `driven`, and `kind.by_laps`.
function moneyRules(): RawBuilder<unknown> {
  return sql`
    cross join lateral ${settingsOn(sql.ref('bus.id'), sql.ref('bus.day'))} as settings
    left join lateral (
      select fare_kopecks, calculation_event,
        case when latest.day = bus.day then shift_start end as shift_start,
        case when latest.day = bus.day then shift_end end as shift_end
      from calculations as latest
      where latest.workplace_id = bus.id and latest.day <= bus.day order by latest.day desc limit 1
    ) as calc on true
    cross join lateral (
      select count(*) as laps, coalesce(bool_or(revenue_kopecks is not null), false) as are_priced,
        coalesce(sum(revenue_kopecks) filter (where is_in), 0)::bigint as kopecks,
        coalesce(sum(round(no_price * 1000)) filter (where is_in), 0)::bigint as no_price_milli
      from laps cross join lateral (select ${isInShift} as is_in) as shift
      where laps.workplace_id = bus.id and laps.day = bus.day
    ) as driven
    cross join lateral (
      select case when driven.laps > 0 then driven.are_priced
        else ${isPricedRoute(sql.ref('settings.group_id'), sql.ref('bus.day'))} end as by_laps
    ) as kind`;
}

/** Whether a unit sent something on a day, or somebody counted people on it, of a row with columns of day_traffic. */
export const isKnownDay = sql<boolean>`(heard_hours, entered_adults, entered_kids, exited_adults, exited_kids)
  <> (0, 0, 0, 0, 0)`;

/**
 * Whether the money of a day comes from the prices of rides, as SQL: as its laps were calculated, else as its route is.
 * @param busId a bigint; qualify columns with their tables
 * @param day a date
 * @param groupId the route of the bus on the day
 */
export function isPricedByRides(
  busId: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
  groupId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`coalesce(
    (select bool_or(revenue_kopecks is not null) from laps
      where laps.workplace_id = ${busId} and laps.day = ${day}),
    ${isPricedRoute(groupId, day)})`;
}

function isPricedRoute(
  groupId: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(coalesce(
    (select type_calculation from route_calculations as dated
      where dated.group_id = ${groupId} and dated.valid_from <= ${day}
      order by dated.valid_from desc limit 1),
    (select type_calculation from route_groups where id = ${groupId}), '') = 'CALCULATION')`;
}
