// Reads what buses came to until now on the running day, and until the same time of day a week before.
import { addDays } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { zonedDays } from '../days/bound-days.ts';
import { type BusDay, type ZoneSpan, zoneSpansWithin } from '../days/bus-days.ts';
import { hourFiguresOf } from '../figures/day-figures.ts';
import { sameTimeOn, type TimedDay } from '../figures/figures-until.ts';

const WEEK_DAYS = 7;

/** The time zones of buses over time, by bus. */
type ZonesOf = ReadonlyMap<number, readonly ZoneSpan[]>;

/** People and revenue by hour of each bus's clock, from 0 to at most 23, of all buses together. */
export interface HourSums {
  readonly entered: readonly number[];
  readonly exited: readonly number[];
  readonly kopecks: readonly number[];
}

/**
 * The days a week before the present days of buses, and the present time of the clock on them: see `sameTimeOn`.
 * @param days the present days
 * @param nowMs ms since 1970 UTC
 */
export function earlierDaysOf(zones: ZonesOf, days: readonly BusDay[], nowMs: number): TimedDay[] {
  const earlier = days.map(({ busId, day }) => ({ busId, day: addDays(day, -WEEK_DAYS) }));
  return sameTimeOn(zones, earlier, nowMs);
}

/**
 * People and revenue by hour of days, of all buses together, in one statement. An hour that a clock shows twice has both,
 * one that it skips nothing.
 */
export async function sumHours(db: Db, zones: ZonesOf, days: readonly BusDay[]): Promise<HourSums> {
  const parts = days.flatMap(({ busId, day }) =>
    zoneSpansWithin(zones.get(busId) ?? [], { dateFrom: day, dateTo: day }).map((span) => ({
      ...{ busId, day, zone: span.zone, startMs: span.fromMs, endMs: span.toMs },
    })),
  );
  const { rows } = await sql<{ hour: number; entered: number; exited: number; kopecks: number }>`
    -- Buses first, clocks then: to tell the time of each row costs more than to sum them.
    with seen as materialized (
      select zone, at, sum(entered) as entered, sum(exited) as exited, sum(kopecks) as kopecks
      from (${hourFiguresOf(zonedDays(parts))}) as figures
      group by 1, 2
    )
    select extract(hour from at at time zone zone)::int as hour, sum(entered)::int as entered,
      sum(exited)::int as exited, coalesce(sum(kopecks), 0)::float8 as kopecks
    from seen group by 1 order by 1`.execute(db);
  const last = rows.at(-1)?.hour ?? -1;
  const sums = { entered: zeros(last + 1), exited: zeros(last + 1), kopecks: zeros(last + 1) };
  for (const { hour, entered, exited, kopecks } of rows) {
    sums.entered[hour] = entered;
    sums.exited[hour] = exited;
    sums.kopecks[hour] = kopecks;
  }
  return sums;
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);
