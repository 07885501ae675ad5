// The figures of a bus's local day, as a query: what settle.ts stores, and what statistics read of days that are not
// settled yet. Both are one text, so that they cannot differ.
import { type RawBuilder, sql } from 'kysely';
import { settingsOn } from '../days/bus-settings.ts';

/** The columns of people and money, which are summed. */
export const FIGURE_COLUMNS = [
  'entered_adults',
  'entered_kids',
  'exited_adults',
  'exited_kids',
  'revenue_kopecks',
  'no_price_milli',
] as const;

/**
 * The figures of days: effective counts within the shift, and revenue. FIXED: fare × people in the chosen direction.
 * CALCULATION: the laps that start on the day and in the shift, whole. A day without a calculation has the values of the
 * latest earlier one, without its shift. A day with laps is of the type with which they were calculated, as in the
 * calculator: a bus that is moved to another route keeps the money of its past days until somebody recalculates them.
 * @param days rows `bus (id, day, day_start, day_end)`, each day once
 * @param hours rows as of hourly_traffic
 * @returns a select with the columns of day_traffic that hours and laps tell, the number of laps, and the error of each lap
 *   that counts, kopecks
 */
export function figuresOf(
  days: RawBuilder<unknown>,
  hours: RawBuilder<unknown> = sql`hourly_traffic`,
): RawBuilder<unknown> {
  return sql`
    select bus.id as workplace_id, bus.day, customer.client_id, settings.group_id,
      hours.entered_adults, hours.entered_kids, hours.exited_adults, hours.exited_kids,
      hours.entered_manual, hours.exited_manual, kind.by_laps, driven.laps, driven.lap_errors,
      case when kind.by_laps then driven.kopecks else ${fareOf('hours')} end as revenue_kopecks,
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
        coalesce(sum(exited_kids), 0)::int as exited_kids,
        coalesce(sum(entered_manual), 0)::int as entered_manual,
        coalesce(sum(exited_manual), 0)::int as exited_manual
      from ${hours} as kept
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
        case when kind.by_laps then 0 else ${fareOf('kept')} end as kopecks
      from hourly_traffic as kept
      where workplace_id = bus.id and hour_start >= bus.day_start and hour_start < bus.day_end
      union all
      select start_time, 0, 0, revenue_kopecks from laps
      where kind.by_laps and laps.workplace_id = bus.id and laps.day = bus.day and ${isInShift}
    ) as part`;
}

// The fare of the people of a row with columns of hourly_traffic.
function fareOf(row: string): RawBuilder<unknown> {
  const people = (side: string) =>
    sql`(${sql.ref(`${row}.${side}_adults`)} + ${sql.ref(`${row}.${side}_kids`)})`;
  return sql`coalesce(calc.fare_kopecks, 0)
    * case when calc.calculation_event = 'EXITED' then ${people('exited')} else ${people('entered')} end`;
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
      select count(*)::int as laps, bool_or(revenue_kopecks is not null) as are_priced,
        coalesce(array_agg(coalesce(revenue_error_kopecks, 0)) filter (where is_in), '{}') as lap_errors,
        coalesce(sum(revenue_kopecks) filter (where is_in), 0)::bigint as kopecks,
        coalesce(sum(round(no_price * 1000)) filter (where is_in), 0)::bigint as no_price_milli
      from laps cross join lateral (select ${isInShift} as is_in) as shift
      where laps.workplace_id = bus.id and laps.day = bus.day
    ) as driven
    cross join lateral (
      select coalesce(driven.are_priced, ${isPricedRoute(sql.ref('settings.group_id'), sql.ref('bus.day'))}) as by_laps
    ) as kind`;
}

/** Whether a unit sent something on a day, or somebody counted people on it, of a row with columns of day_traffic. */
export const isKnownDay = sql<boolean>`(heard_hours, entered_adults, entered_kids, exited_adults, exited_kids)
  <> (0, 0, 0, 0, 0)`;

/**
 * Whether the revenue of a route comes from the prices of rides on a day, as SQL.
 * @param groupId a bigint; qualify columns with their tables
 * @param day a date
 */
export function isPricedRoute(
  groupId: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return sql<boolean>`(coalesce(
    (select type_calculation from route_calculations as dated
      where dated.group_id = ${groupId} and dated.valid_from <= ${day}
      order by dated.valid_from desc limit 1),
    (select type_calculation from route_groups where id = ${groupId}), '') = 'CALCULATION')`;
}
