import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type BusDay, hoursOfDay, type ZoneSpan } from '../days/bus-days.ts';
import { clockHoursOf } from './silence.ts';

/** The effective counts of a bus's day, from the rollup. */
export interface DaySum {
  readonly busId: number;
  readonly entered: number;
  readonly exited: number;
  /** The people that entered, by hour of the clock, up to the last hour with any. */
  readonly hours: readonly number[];
}

/**
 * The effective counts of days, in one statement. Days without people, and those that a job is rebuilding, are left out;
 * `stale` has the buses of the latter.
 * @param zonesOf the zones of each bus
 */
export async function listDaySums(
  db: Db,
  zonesOf: ReadonlyMap<number, readonly ZoneSpan[]>,
  days: readonly BusDay[],
): Promise<{ sums: DaySum[]; stale: ReadonlySet<number> }> {
  const { rows } = await sql<{
    busId: number;
    stale: boolean;
    entered: number;
    exited: number;
    minutes: number[];
    people: number[];
  }>`
    select bus.id as "busId",
      exists (select from stale_hours where workplace_id = bus.id and day = bus.day) as stale,
      sum.entered, sum.exited, sum.minutes, sum.people
    from unnest(${days.map(({ busId }) => busId)}::bigint[], ${days.map(({ day }) => day)}::date[],
      ${days.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${days.map(({ endMs }) => new Date(endMs))}::timestamptz[]) as bus (id, day, day_start, day_end)
    cross join lateral (
      select coalesce(sum(entered_adults + entered_kids), 0)::int as entered,
        coalesce(sum(exited_adults + exited_kids), 0)::int as exited,
        coalesce(array_agg((extract(epoch from hour_start - bus.day_start) / 60)::int), '{}') as minutes,
        coalesce(array_agg(entered_adults + entered_kids), '{}') as people
      from hourly_traffic
      where workplace_id = bus.id and hour_start >= bus.day_start and hour_start < bus.day_end
    ) as sum`.execute(db);
  const dayOf = new Map(days.map((day) => [day.busId, day]));
  const sums = rows
    .filter(({ stale, minutes }) => !stale && minutes.length > 0)
    .map(({ busId, entered, exited, minutes, people }) => ({
      ...{ busId, entered, exited },
      hours: spread(minutes, people, clockOf(dayOf.get(busId), zonesOf.get(busId) ?? [])),
    }));
  return { sums, stale: new Set(rows.flatMap(({ stale, busId }) => (stale ? [busId] : []))) };
}

const DAY_MS = 86_400_000;

// The hours of the clock by the minutes of the day at which they begin; undefined for a usual day, of 24 hours.
function clockOf(day: BusDay | undefined, zones: readonly ZoneSpan[]) {
  if (day === undefined || day.endMs - day.startMs === DAY_MS) return undefined;
  const starts = hoursOfDay(zones, day);
  const hours = clockHoursOf(day, zones);
  return new Map(starts.map((ms, at) => [(ms - day.startMs) / 60_000, hours[at] ?? 0]));
}

function spread(
  minutes: readonly number[],
  people: readonly number[],
  clock: ReadonlyMap<number, number> | undefined,
): number[] {
  const spread: number[] = [];
  for (const [at, minute] of minutes.entries()) {
    const hour = clock?.get(minute) ?? Math.floor(minute / 60);
    while (spread.length <= hour) spread.push(0);
    spread[hour] = (spread[hour] ?? 0) + (people[at] ?? 0);
  }
  return spread;
}
