// Reads what many days of buses came to, each day of a bus apart, in one statement.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { boundDays } from '../days/bound-days.ts';
import type { BusDay } from '../days/bus-days.ts';
import { figuresOf } from './day-figures.ts';
import { figuresUntil, type TimedDay } from './figures-until.ts';

/** People and revenue of a bus. */
export interface BusSum {
  readonly busId: number;
  readonly entered: number;
  readonly exited: number;
  readonly kopecks: number;
}

/** The sums of a day, and how they come about. */
export interface DaySum extends BusSum {
  readonly day: string;
  /** The revenue comes from the prices of the rides of laps. */
  readonly isByLaps: boolean;
  /** Laps that start on the day. */
  readonly laps: number;
}

const BUS_SUM = sql`workplace_id as "busId", (entered_adults + entered_kids)::int as entered,
  (exited_adults + exited_kids)::int as exited, revenue_kopecks::float8 as kopecks`;

/**
 * Sums days as they are now. While a job rebuilds the hours of a day, the sum has the people of its former hours.
 * @param days each once
 */
export async function sumDays(db: Db, days: readonly BusDay[]): Promise<DaySum[]> {
  const { rows } = await sql<DaySum>`
    select ${BUS_SUM}, day, by_laps as "isByLaps", laps
    from (${figuresOf(boundDays(days))}) as figures`.execute(db);
  return rows;
}

/** Sums days until a time of each. @param days each once */
export async function sumDaysUntil(db: Db, days: readonly TimedDay[]): Promise<BusSum[]> {
  const { rows } = await sql<BusSum>`
    select ${BUS_SUM} from (${figuresUntil(days)}) as figures`.execute(db);
  return rows;
}

/** Some days of some buses. */
export interface DaysOfBuses {
  readonly busIds: readonly number[];
  /** Both ends included, `YYYY-MM-DD`. */
  readonly from: string;
  readonly to: string;
}

/**
 * The figures of days, as a query with the columns of day_traffic: settled, and those of some days as they are now. How
 * long units were silent is of the last settlement.
 * @param live the days that are read as they are now
 */
export function dayFiguresOf(
  { busIds, from, to }: DaysOfBuses,
  live: readonly BusDay[],
): RawBuilder<unknown> {
  const settled = sql`
    select workplace_id, day, group_id, entered_adults, entered_kids, exited_adults, exited_kids,
      entered_manual, exited_manual, by_laps, revenue_kopecks, no_price_milli, heard_hours, silent_hours
    from day_traffic
    where workplace_id = any(${[...busIds]}::bigint[]) and day between ${from}::date and ${to}::date`;
  if (live.length === 0) return settled;
  return sql`
    ${settled} and not exists (
      select from ${boundDays(live)} where bus.id = workplace_id and bus.day = day_traffic.day)
    union all
    select workplace_id, day, present.group_id, present.entered_adults, present.entered_kids,
      present.exited_adults, present.exited_kids, present.entered_manual, present.exited_manual,
      present.by_laps, present.revenue_kopecks, present.no_price_milli,
      coalesce(last.heard_hours, 0), coalesce(last.silent_hours, 0)
    from (${figuresOf(boundDays(live))}) as present
    left join day_traffic as last using (workplace_id, day)`;
}
