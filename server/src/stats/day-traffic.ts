// People by day, by local hour, and by weekday and hour of the clock, of all chosen buses together.
import { weekdayOf } from '@ridewatch/contract/stat-ticks';
import { type DayTraffic, type DayTrafficAnswer, MAX_HOURLY_DAYS } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import { listVisibleBusIds } from '../access/bus.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { boundsOfDay, listZonesOf, type ZoneSpan } from '../days/bus-days.ts';
import { countStaleDays, listLiveDays } from './live-days.ts';
import { countDays, type Selection } from './selection.ts';
import { listTraffic } from './traffic.ts';

/** Most days of buses whose hours one call reads: 200 buses for a year and four months. */
const MOST_DAYS_OF_BUSES = 100_000;

/**
 * The people of a selection by time, ascending.
 * @throws AppError too_large when hours are asked of more days of buses than one call reads
 */
export async function buildDayTraffic(
  db: Db,
  selection: Selection,
  by: 'day' | 'hour' | 'weekday_hour',
): Promise<Omit<DayTrafficAnswer, 'arriving'>> {
  if (by === 'day') return listDaily(db, selection);
  // Hours follow each batch, so they need not be settled.
  const [items, pending] = await Promise.all([
    listHourly(db, selection, by),
    countStaleDays(db, selection),
  ]);
  return { items, number: 0, total: items.length, pending };
}

async function listDaily(
  db: Db,
  selection: Selection,
): Promise<Omit<DayTrafficAnswer, 'arriving'>> {
  const { days: live, pending } = await listLiveDays(db, selection);
  const rows = await listTraffic(db, selection, { grouping: 'none', tick: 'day' }, live);
  const items = rows.map((row) => ({
    date: row.start,
    weekday: weekdayOf(row.start),
    hour: null,
    entered: row.enteredAdults + row.enteredKids,
    exited: row.exitedAdults + row.exitedKids,
  }));
  return { items, number: 0, total: items.length, pending };
}

async function listHourly(
  db: Db,
  { viewer, days, buses: chosen }: Selection,
  by: 'hour' | 'weekday_hour',
): Promise<DayTraffic[]> {
  const buses = chosen === 'all' ? await listVisibleBusIds(db, viewer) : chosen;
  const length = countDays(days);
  refuseTooLarge(length, buses.length, by);
  const spans = commonSpans(await listZonesOf(db, buses), days);
  const weekdays = days.weekdays ?? [1, 2, 3, 4, 5, 6, 7];
  const { rows } = await sql<DayTraffic>`
    -- Buses first, clocks then: to tell the time of each row costs more than to sum them.
    with hours as materialized (
      select span.zone, seen.* from unnest(${spans.map(({ zone }) => zone)}::text[],
        ${spans.map(({ buses }) => buses)}::text[], ${spans.map(({ fromMs }) => new Date(fromMs))}::timestamptz[],
        ${spans.map(({ toMs }) => new Date(toMs))}::timestamptz[]) as span (zone, buses, valid_from, valid_to)
      cross join lateral (
        select hour_start, sum(entered_adults + entered_kids) as entered, sum(exited_adults + exited_kids) as exited
        from hourly_traffic
        where workplace_id = any(span.buses::bigint[])
          and hour_start >= span.valid_from and hour_start < span.valid_to
        group by hour_start
      ) as seen
    )
    select date, weekday, hour, sum(entered)::int as entered, sum(exited)::int as exited
    from (
      select case when ${by === 'hour'} then at::date end as date, extract(isodow from at)::int as weekday,
        extract(hour from at)::int as hour, entered, exited
      from (select hour_start at time zone zone as at, entered, exited from hours) as local
    ) as people
    where weekday = any(${[...weekdays]}::int[])
    group by 1, 2, 3
    having sum(entered) <> 0 or sum(exited) <> 0
    order by 1, 2, 3`.execute(db);
  return rows;
}

function refuseTooLarge(days: number, buses: number, by: 'hour' | 'weekday_hour'): void {
  if (by === 'hour' && days > MAX_HOURLY_DAYS) {
    const message = `is too late: the hours of at most ${MAX_HOURLY_DAYS} days are answered one by one`;
    throw new AppError('too_large', message, { field: 'dateTo' });
  }
  if (days * buses <= MOST_DAYS_OF_BUSES) return;
  const message = `is too late: ${days} days of ${buses} buses are more than ${MOST_DAYS_OF_BUSES} days of buses. Choose fewer buses or days.`;
  throw new AppError('too_large', message, { field: 'dateTo' });
}

// The periods in which buses have a zone. Most buses have the same, and a period is read at once.
function commonSpans(
  zonesOf: ReadonlyMap<number, readonly ZoneSpan[]>,
  days: Parameters<typeof zoneSpansWithin>[1],
) {
  const spans = [...zonesOf].flatMap(([busId, zones]) =>
    zoneSpansWithin(zones, days).map((span) => ({ busId, ...span })),
  );
  const groups = Map.groupBy(spans, ({ zone, fromMs, toMs }) => `${zone} ${fromMs} ${toMs}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    // An array of arrays of different lengths does not exist.
    return first === undefined ? [] : { ...first, buses: `{${same.map(({ busId }) => busId)}}` };
  });
}

// The parts of the days in which each zone holds.
function zoneSpansWithin(
  zones: readonly ZoneSpan[],
  { dateFrom, dateTo }: { readonly dateFrom: string; readonly dateTo: string },
): { zone: string; fromMs: number; toMs: number }[] {
  const firstMs = boundsOfDay(zones, dateFrom).startMs;
  const lastMs = boundsOfDay(zones, dateTo).endMs;
  return zones.flatMap(({ zone, fromMs }, at) => {
    const from = at === 0 ? firstMs : Math.max(firstMs, fromMs);
    const to = Math.min(lastMs, zones[at + 1]?.fromMs ?? lastMs);
    return from < to ? [{ zone, fromMs: from, toMs: to }] : [];
  });
}
