// The days of buses as they are now: settled, and those that are not settled yet from their records.
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../core/db/db.ts';
import { type BoundDay, boundDays, figuresOf } from '../../counts/day-figures.ts';
import { unsettledDays } from '../../counts/unsettled.ts';
import { boundsOfDay, listZonesOf } from '../../days/bus-days.ts';
import type { DayRange } from './parts.ts';

/** Some days of some buses. */
export interface DaysOfBuses extends DayRange {
  readonly busIds: readonly number[];
}

/** Most days that a statement reads from their records; others are read as they were settled last. */
const MOST_LIVE_DAYS = 10_000;

/** Lists the days whose settled figures may be older than their records. */
export async function listLiveDays(db: Db, { busIds, from, to }: DaysOfBuses): Promise<BoundDay[]> {
  const isChosen = sql`waiting.day between ${from}::date and ${to}::date
    and waiting.workplace_id = any(${[...busIds]}::bigint[])
    and not exists (select from stale_hours as stale
      where stale.workplace_id = waiting.workplace_id and stale.day = waiting.day)`;
  const { rows } = await sql<{ busId: number; day: string }>`
    select workplace_id as "busId", day from (${unsettledDays(isChosen, MOST_LIVE_DAYS)}) as asked
    order by day desc, workplace_id limit ${MOST_LIVE_DAYS}`.execute(db);
  const zones = await listZonesOf(db, [...new Set(rows.map(({ busId }) => busId))]);
  return rows.map((row) => ({ ...row, ...boundsOfDay(zones.get(row.busId) ?? [], row.day) }));
}

/**
 * The figures of days, as a query with the columns of day_traffic. What counters saw and how long units were silent is
 * of the last settlement.
 * @param live the days that are read from their records
 */
export function dayFiguresOf(
  { busIds, from, to }: DaysOfBuses,
  live: readonly BoundDay[],
): RawBuilder<unknown> {
  const settled = sql`
    select workplace_id, day, group_id, entered_adults, entered_kids, exited_adults, exited_kids,
      entered_manual, exited_manual, revenue_kopecks, no_price_milli, heard_hours, silent_hours
    from day_traffic
    where workplace_id = any(${[...busIds]}::bigint[]) and day between ${from}::date and ${to}::date`;
  if (live.length === 0) return settled;
  return sql`
    ${settled} and not exists (
      select from ${boundDays(live)} where bus.id = workplace_id and bus.day = day_traffic.day)
    union all
    select workplace_id, day, present.group_id, present.entered_adults, present.entered_kids,
      present.exited_adults, present.exited_kids, coalesce(last.entered_manual, 0),
      coalesce(last.exited_manual, 0), present.revenue_kopecks, present.no_price_milli,
      coalesce(last.heard_hours, 0), coalesce(last.silent_hours, 0)
    from (${figuresOf(boundDays(live))}) as present
    left join day_traffic as last using (workplace_id, day)`;
}
