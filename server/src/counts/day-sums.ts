import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { BusDay } from '../days/bus-days.ts';

const HOUR_MS = 3_600_000;

/** The effective counts of a bus's day, from the rollup. */
export interface DaySum {
  readonly busId: number;
  readonly entered: number;
  readonly exited: number;
  /** The people that entered, by hour of the day, up to the last hour with any. */
  readonly hours: readonly number[];
}

/**
 * The effective counts of days, in one statement. Days without people, and those that a job is rebuilding, are left out;
 * `stale` has the buses of the latter.
 */
export async function listDaySums(
  db: Db,
  days: readonly BusDay[],
): Promise<{ sums: DaySum[]; stale: ReadonlySet<number> }> {
  const { rows } = await sql<{
    busId: number;
    stale: boolean;
    entered: number;
    exited: number;
    hours: number[];
    people: number[];
  }>`
    select bus.id as "busId",
      exists (select from stale_hours where workplace_id = bus.id and day = bus.day) as stale,
      sum.entered, sum.exited, sum.hours, sum.people
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${days.map(({ endMs }) => new Date(endMs))}::timestamptz[]) as bus (id, day, day_start, day_end)
    cross join lateral (
      select coalesce(sum(entered_adults + entered_kids), 0)::int as entered,
        coalesce(sum(exited_adults + exited_kids), 0)::int as exited,
        coalesce(array_agg((extract(epoch from hour_start - bus.day_start) * 1000 / ${HOUR_MS})::int), '{}') as hours,
        coalesce(array_agg(entered_adults + entered_kids), '{}') as people
      from hourly_traffic
      where workplace_id = bus.id and hour_start >= bus.day_start and hour_start < bus.day_end
    ) as sum`.execute(db);
  return {
    sums: rows
      .filter(({ stale, hours }) => !stale && hours.length > 0)
      .map(({ busId, entered, exited, hours, people }) => ({
        busId,
        entered,
        exited,
        hours: spread(hours, people),
      })),
    stale: new Set(rows.flatMap(({ stale, busId }) => (stale ? [busId] : []))),
  };
}

function spread(hours: readonly number[], people: readonly number[]): number[] {
  const spread: number[] = [];
  for (const [at, hour] of hours.entries()) {
    while (spread.length <= hour) spread.push(0);
    spread[hour] = people[at] ?? 0;
  }
  return spread;
}
