// The days of a route's buses that a command would change, and what they come to.
import { MAX_CALCULATED_DAYS } from '@ridewatch/contract/calculation';
import type { CalculationEvent } from '@ridewatch/contract/day-calculation';
import { hundredthsOf, percentOf } from '@ridewatch/contract/money';
import { sql } from 'kysely';
import { isVisibleBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { boundsOfDay, listZonesOf } from '../days/bus-days.ts';
import { periodsOnRoute } from '../days/bus-settings.ts';
import { listStale, peopleOf } from '../figures/hours.ts';
import { sumDays } from '../figures/many-days.ts';
import { type DayFigures, findDayFigures } from '../figures/one-day.ts';
import type { DayValues } from './day-money.ts';

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
}

interface Row extends DayOfBus {
  readonly isStored: boolean;
  readonly version: number;
  readonly fareKopecks: number;
  readonly percent: string;
  readonly event: CalculationEvent;
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
      coalesce(own.calculation_event, earlier.calculation_event, 'ENTERED') as event
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
  return rows.map(({ percent: text, ...row }) => ({
    ...row,
    hundredths: hundredthsOf(text),
  }));
}

/** The counts of a day, and its revenue by laps. */
export interface CountedDay {
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
 * Lists what days count, in their order.
 * @throws AppError unavailable while the hours of many of them are being rebuilt
 */
export async function listDayCounts(db: Db, days: readonly GroupDay[]): Promise<CountedDay[]> {
  const zones = await listZonesOf(db, [...new Set(days.map(({ busId }) => busId))]);
  const bound = days.map(({ busId, day }) => ({
    ...{ busId, day },
    ...boundsOfDay(zones.get(busId) ?? [], day),
  }));
  const stale = new Set((await listStale(db, bound)).map(keyOfDay));
  if (stale.size > MOST_STALE) {
    throw new AppError(
      'unavailable',
      'The hours of these buses are being rebuilt. Try again soon.',
    );
  }
  const sums = new Map((await sumDays(db, bound)).map((sum) => [keyOfDay(sum), sum]));
  const counted: CountedDay[] = [];
  for (const day of bound) {
    const sum = sums.get(keyOfDay(day));
    if (sum === undefined) throw new Error('The query of figures left a day out.');
    const people = stale.has(keyOfDay(day)) ? peopleIn(await findDayFigures(db, day)) : sum;
    const { entered, exited } = people;
    const hasRecords = entered + exited + sum.laps > 0;
    counted.push({
      ...{ entered, exited, hasRecords },
      lapKopecks: sum.isByLaps ? sum.kopecks : undefined,
    });
  }
  return counted;
}

function keyOfDay({ busId, day }: DayOfBus): string {
  return `${busId} ${day}`;
}

function peopleIn({ people }: DayFigures) {
  return {
    entered: peopleOf(people, 'entered').count,
    exited: peopleOf(people, 'exited').count,
  };
}
