// What buses came to until now on the running day, and until the same time of day a week before.
import { addDays, type DayRange, formatMoment, momentOf } from '@ridewatch/contract/day';
import { hourEndOf, hoursOf } from '@ridewatch/contract/hours';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import {
  type BoundDay,
  boundDays,
  figuresOf,
  hourFiguresOf,
  zonedDays,
} from '../counts/day-figures.ts';
import {
  type BusDay,
  boundsOfDay,
  type LocalDay,
  type ZoneSpan,
  zoneAt,
  zoneSpansWithin,
} from '../days/bus-days.ts';

const WEEK_DAYS = 7;

/** People and revenue of one bus. */
export interface BusSum {
  readonly busId: number;
  readonly entered: number;
  readonly exited: number;
  readonly kopecks: number;
}

/** The time zones of buses over time, by bus. */
type ZonesOf = ReadonlyMap<number, readonly ZoneSpan[]>;

/** People and revenue by hour of each bus's clock, from 0 to at most 23, of all buses together. */
export interface HourSums {
  readonly entered: readonly number[];
  readonly exited: readonly number[];
  readonly kopecks: readonly number[];
}

/** The same weekday a week before, and the same time of day on it. */
export interface EarlierDay extends BusDay {
  /** ms since 1970 UTC; when the bus's clock showed what it shows now. */
  readonly atMs: number;
  /** The hour of the clock that then ran. */
  readonly hour: Readonly<DayRange>;
}

/**
 * The days a week before the present days of buses. A time that a clock showed twice is the first one; one that it
 * skipped is the moment of the jump.
 * @param days the present days
 * @param nowMs ms since 1970 UTC
 */
export function earlierDaysOf(
  zones: ZonesOf,
  days: readonly BusDay[],
  nowMs: number,
): EarlierDay[] {
  // Most buses have the same day and zone, and a conversion takes long.
  const known = new Map<string, Pick<EarlierDay, 'atMs' | 'hour'>>();
  return days.map(({ busId, day: today }) => {
    const spans = zones.get(busId) ?? [];
    const day = addDays(today, -WEEK_DAYS);
    const bounds = boundsOfDay(spans, day);
    const [zone, zoneNow] = [zoneAt(spans, bounds.startMs), zoneAt(spans, nowMs)];
    const key = `${day} ${bounds.startMs} ${bounds.endMs} ${zone} ${zoneNow}`;
    const found = known.get(key) ?? earlierTime({ day, ...bounds }, zone, timeOf(nowMs, zoneNow));
    known.set(key, found);
    return { busId, day, ...bounds, ...found };
  });
}

function earlierTime(day: LocalDay, zone: string, time: string): Pick<EarlierDay, 'atMs' | 'hour'> {
  const atMs = momentWithin(day, zone, time);
  const startMs = hoursOf(day, zone).findLast((ms) => ms <= atMs) ?? day.startMs;
  return { atMs, hour: { startMs, endMs: hourEndOf(startMs, zone) } };
}

// When clocks of a zone show a time on a day. An hour of the day begins where they jump.
function momentWithin(day: LocalDay, zone: string, time: string): number {
  const found = momentOf(`${day.day}T${time}`, zone);
  const isSkipped = timeOf(found, zone) !== time;
  const afterJump = hoursOf(day, zone).find((ms) => timeOf(ms, zone) > time);
  const atMs = isSkipped ? (afterJump ?? day.endMs) : found;
  return Math.min(Math.max(atMs, day.startMs), day.endMs);
}

const timeOf = (momentMs: number, zone: string): string =>
  formatMoment(momentMs, zone, 'HH:mm:ss.SSS');

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
  const whole = await sumDays(
    db,
    days.map((day) => ({ ...day, endMs: day.hour.startMs })),
  );
  const withHour = await sumDays(
    db,
    days.map((day) => ({ ...day, endMs: Math.min(day.endMs, day.hour.endMs) })),
  );
  const [earlier, share] = [
    new Map(whole.map((sum) => [sum.busId, sum])),
    new Map(
      days.map(({ busId, atMs, hour: { startMs, endMs } }) => [
        busId,
        endMs > startMs ? (atMs - startMs) / (endMs - startMs) : 0,
      ]),
    ),
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
