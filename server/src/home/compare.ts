// What buses came to until now on the running day, and until the same time of day a week before.
import { addDays } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type BoundDay, boundDays, figuresOf } from '../counts/day-figures.ts';
import { type BusDay, boundsOfDay, listZonesOf } from '../days/bus-days.ts';

const WEEK_DAYS = 7;
const HOUR_MS = 3_600_000;

/** People and revenue of one bus. */
export interface BusSum {
  readonly busId: number;
  readonly entered: number;
  readonly exited: number;
  readonly kopecks: number;
}

/** People by hour of the local day, from 0, of all buses together. */
export interface HourSums {
  readonly entered: readonly number[];
  readonly exited: readonly number[];
}

/** The same weekday a week before, and the same time of day on it. */
export interface EarlierDay extends BusDay {
  /** ms since 1970 UTC; as long after the start of that day as now is after today's. */
  readonly atMs: number;
}

/**
 * The days a week before the present days of buses, in one statement.
 * @param days the present days
 * @param nowMs ms since 1970 UTC
 */
export async function listEarlierDays(
  db: Db,
  days: readonly BusDay[],
  nowMs: number,
): Promise<EarlierDay[]> {
  const zones = await listZonesOf(
    db,
    days.map(({ busId }) => busId),
  );
  return days.map(({ busId, day, startMs }) => {
    const before = addDays(day, -WEEK_DAYS);
    const bounds = boundsOfDay(zones.get(busId) ?? [], before);
    const atMs = Math.min(bounds.endMs, bounds.startMs + (nowMs - startMs));
    return { busId, day: before, ...bounds, atMs };
  });
}

/** What each bus came to on its day, in one statement. */
export async function sumDays(db: Db, days: readonly BoundDay[]): Promise<BusSum[]> {
  const { rows } = await sql<BusSum>`
    select workplace_id as "busId", entered_adults + entered_kids as entered,
      exited_adults + exited_kids as exited, revenue_kopecks::float8 as kopecks
    from (${figuresOf(boundDays(days))}) as figures`.execute(db);
  return rows;
}

/**
 * What each bus had come to at a time of its day, in two statements. Of the hour that then ran, its share is counted:
 * half of it at half past.
 */
export async function sumUntil(db: Db, days: readonly EarlierDay[]): Promise<BusSum[]> {
  const shareOf = ({ startMs, atMs }: EarlierDay): number => ((atMs - startMs) % HOUR_MS) / HOUR_MS;
  const hourOf = (day: EarlierDay): number => day.atMs - shareOf(day) * HOUR_MS;
  const whole = await sumDays(
    db,
    days.map((day) => ({ ...day, endMs: hourOf(day) })),
  );
  const withHour = await sumDays(
    db,
    days.map((day) => ({ ...day, endMs: Math.min(day.endMs, hourOf(day) + HOUR_MS) })),
  );
  const [earlier, share] = [
    new Map(whole.map((sum) => [sum.busId, sum])),
    new Map(days.map((day) => [day.busId, shareOf(day)])),
  ];
  return withHour.map((later) => {
    const at = (pick: 'entered' | 'exited' | 'kopecks'): number => {
      const first = earlier.get(later.busId)?.[pick] ?? 0;
      return first + Math.round((later[pick] - first) * (share.get(later.busId) ?? 0));
    };
    return {
      busId: later.busId,
      entered: at('entered'),
      exited: at('exited'),
      kopecks: at('kopecks'),
    };
  });
}

/** People by hour of days, of all buses together, in one statement; no day has more than 25 hours. */
export async function sumHours(db: Db, days: readonly BoundDay[]): Promise<HourSums> {
  const { rows } = await sql<{ hour: number; entered: number; exited: number }>`
    select (extract(epoch from hour_start - bus.day_start) * 1000 / ${HOUR_MS})::int as hour,
      sum(entered_adults + entered_kids)::int as entered, sum(exited_adults + exited_kids)::int as exited
    from ${boundDays(days)}
    join hourly_traffic on workplace_id = bus.id and hour_start >= bus.day_start and hour_start < bus.day_end
    group by 1 order by 1`.execute(db);
  const last = rows.at(-1)?.hour ?? -1;
  const sums = { entered: zeros(last + 1), exited: zeros(last + 1) };
  for (const { hour, entered, exited } of rows) {
    sums.entered[hour] = entered;
    sums.exited[hour] = exited;
  }
  return sums;
}

const zeros = (length: number): number[] => Array.from({ length }, () => 0);
