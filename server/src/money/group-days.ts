// The days of a route's buses that a command would change, and what they come to.
import { MAX_CALCULATED_DAYS } from '@ridewatch/contract/calculation';
import type { CalculationEvent } from '@ridewatch/contract/day-calculation';
import { hundredthsOf, percentOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import { isVisibleBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { listHours } from '../counts/hours.ts';
import { boundsOfDay, listZonesOf } from '../days/bus-days.ts';
import { periodsOnRoute } from '../days/bus-settings.ts';
import type { DayOfBus } from '../days/day-records.ts';
import { type DayValues, shiftWithin } from './day-money.ts';

/** The values that a route's buses get at once; undefined leaves each as it is. */
export interface GroupValues {
  readonly fareKopecks: number | undefined;
  readonly hundredths: number | undefined;
  readonly event: CalculationEvent | undefined;
}

/** A day that a command changes. */
export interface GroupDay
  extends DayOfBus,
    Pick<DayValues, 'fareKopecks' | 'hundredths' | 'event'> {
  readonly isStored: boolean;
  readonly version: number;
  readonly shiftStartMs: number | null;
  readonly shiftEndMs: number | null;
}

interface Row extends DayOfBus {
  readonly isStored: boolean;
  readonly version: number;
  readonly fareKopecks: number;
  readonly percent: string;
  readonly event: CalculationEvent;
  readonly shiftStart: Date | null;
  readonly shiftEnd: Date | null;
}

/** Days of a route from a local day on. */
export interface GroupQuestion {
  readonly routeId: number;
  readonly from: string;
}

/** The buses of a route from a local day on that the user may see and that have a calculator, ascending. */
export async function listGroupBuses(
  db: Db,
  viewer: Viewer,
  { routeId, from }: GroupQuestion,
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct id from workplaces join ${periodsOnRoute(routeId, from)} as span on bus = id
    where bus_calculation and ${isVisibleBus(viewer, sql.ref('workplaces.id'))}
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * The days with other values, by bus and day: stored ones on which the bus is on the route, and the first of each of its
 * periods on the route, from which later days copy.
 * @throws AppError invalid_request when there are more than one command may change
 */
export async function listGroupDays(
  db: Db,
  busIds: readonly number[],
  { routeId, from }: GroupQuestion,
  { fareKopecks, hundredths, event }: GroupValues,
): Promise<GroupDay[]> {
  const percent = hundredths === undefined ? null : percentOf(hundredths);
  const { rows } = await sql<Row>`
    with span as (select * from ${periodsOnRoute(routeId, from)} as own
      where bus = any(${[...busIds]}::bigint[])),
    asked as (
      select bus, day from span join calculations on workplace_id = bus
        and day >= first_day and (until is null or day < until)
      union select bus, first_day from span
    )
    select asked.bus as "busId", asked.day, own.workplace_id is not null as "isStored",
      coalesce(own.version, 0) as version, coalesce(own.fare_kopecks, earlier.fare_kopecks, 0) as "fareKopecks",
      coalesce(own.salary_percent, earlier.salary_percent, 0)::text as percent,
      coalesce(own.calculation_event, earlier.calculation_event, 'ENTERED') as event,
      own.shift_start as "shiftStart", own.shift_end as "shiftEnd"
    from asked
    left join calculations as own on own.workplace_id = asked.bus and own.day = asked.day
    left join lateral (
      select * from calculations where own.workplace_id is null and workplace_id = asked.bus
        and day < asked.day order by day desc limit 1
    ) as earlier on true
    where coalesce(own.fare_kopecks, earlier.fare_kopecks, 0)
        is distinct from coalesce(${fareKopecks ?? null}::bigint, own.fare_kopecks, earlier.fare_kopecks, 0)
      or coalesce(own.salary_percent, earlier.salary_percent, 0) is distinct from
        coalesce(${percent}::numeric, own.salary_percent, earlier.salary_percent, 0)
      or coalesce(own.calculation_event, earlier.calculation_event, 'ENTERED') is distinct from
        coalesce(${event ?? null}::text, own.calculation_event, earlier.calculation_event, 'ENTERED')
    order by asked.bus, asked.day
    limit ${MAX_CALCULATED_DAYS + 1}`.execute(db);
  if (rows.length > MAX_CALCULATED_DAYS) {
    const message = `changes more than ${MAX_CALCULATED_DAYS} days of buses: choose a later day`;
    throw new AppError('invalid_request', message, { field: 'date_from' });
  }
  return rows.map(({ percent: text, shiftStart, shiftEnd, ...row }) => ({
    ...row,
    hundredths: hundredthsOf(text),
    shiftStartMs: shiftStart?.getTime() ?? null,
    shiftEndMs: shiftEnd?.getTime() ?? null,
  }));
}

/** What a day counts, and its revenue by laps. */
export interface DaySums {
  readonly entered: number;
  readonly exited: number;
  /** Somebody was counted, or the bus drove. */
  readonly hasRecords: boolean;
  /** Of the laps that start inside the shift; undefined where the total is fare × count. */
  readonly lapKopecks: number | undefined;
}

/** Days whose hours are being rebuilt and that one preview sums itself. */
const MOST_STALE = 200;

/**
 * The effective counts and revenues of days, in their order.
 * @throws AppError unavailable while the hours of many of them are being rebuilt
 */
export async function listSums(
  db: Db,
  routeId: number,
  days: readonly GroupDay[],
): Promise<DaySums[]> {
  const zones = await listZonesOf(db, [...new Set(days.map(({ busId }) => busId))]);
  const bounds = days.map(({ busId, day }) => boundsOfDay(zones.get(busId) ?? [], day));
  const shifts = days.map((day, n) => shiftWithin(day, bounds[n] ?? EMPTY));
  const moments = (of: typeof bounds, pick: 'startMs' | 'endMs'): Date[] =>
    of.map((range) => new Date(range[pick]));
  const { rows } = await sql<{
    isStale: boolean;
    entered: number;
    exited: number;
    laps: number;
    isEstimated: boolean | null;
    kopecks: number;
    type: string | null;
  }>`
    select exists (select from stale_hours where workplace_id = asked.bus and day = asked.day) as "isStale",
      people.entered, people.exited, lap.laps, lap."isEstimated", lap.kopecks, route.type
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
      ${moments(bounds, 'startMs')}::timestamptz[], ${moments(bounds, 'endMs')}::timestamptz[],
      ${moments(shifts, 'startMs')}::timestamptz[], ${moments(shifts, 'endMs')}::timestamptz[])
      with ordinality as asked (bus, day, day_start, day_end, shift_start, shift_end, place)
    cross join lateral (
      select coalesce(sum(entered_adults + entered_kids), 0)::int as entered,
        coalesce(sum(exited_adults + exited_kids), 0)::int as exited
      from hourly_traffic
      where workplace_id = asked.bus and hour_start >= asked.day_start and hour_start < asked.day_end
    ) as people
    cross join lateral (
      select count(*)::int as laps, bool_or(revenue_kopecks is not null) as "isEstimated",
        coalesce(sum(revenue_kopecks) filter (
          where start_time >= asked.shift_start and start_time < asked.shift_end), 0)::bigint as kopecks
      from laps where workplace_id = asked.bus and laps.day = asked.day
    ) as lap
    cross join lateral (
      select coalesce((select type_calculation from route_calculations
        where group_id = ${routeId} and valid_from <= asked.day
        order by valid_from desc limit 1), (select type_calculation from route_groups
        where id = ${routeId})) as type
    ) as route
    order by place`.execute(db);
  if (rows.filter(({ isStale }) => isStale).length > MOST_STALE) {
    throw new AppError(
      'unavailable',
      'The hours of these buses are being rebuilt. Try again soon.',
    );
  }
  const sums: DaySums[] = [];
  for (const [n, row] of rows.entries()) {
    const day = days[n];
    const people = row.isStale && day !== undefined ? await sumRaw(db, day) : row;
    const isEstimated = row.laps > 0 ? row.isEstimated === true : row.type === 'CALCULATION';
    const { entered, exited } = people;
    const hasRecords = entered + exited + row.laps > 0;
    sums.push({ entered, exited, hasRecords, lapKopecks: isEstimated ? row.kopecks : undefined });
  }
  return sums;
}

const EMPTY = { startMs: 0, endMs: 0 };

async function sumRaw(db: Db, { busId, day }: DayOfBus) {
  let [entered, exited] = [0, 0];
  for (const hour of await listHours(db, busId, day, day)) {
    entered += hour.enteredAdults + hour.enteredKids;
    exited += hour.exitedAdults + hour.exitedKids;
  }
  return { entered, exited };
}
