import { countDays } from '@ridewatch/contract/day';
// People by day, by local hour, and by weekday and hour of the clock, of all chosen buses together.
import { weekdayOf } from '@ridewatch/contract/stat-ticks';
import { type DayTraffic, type DayTrafficAnswer, MAX_HOURLY_DAYS } from '@ridewatch/contract/stats';
import { listKnownBuses, listOwnDays } from '../access/own-days.ts';
import type { Db } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { listZonesOf } from '../days/bus-days.ts';
import { commonSpans, sumClockHours } from '../figures/clock-hours.ts';
import { listWeekdayHours } from '../figures/weekday-hours.ts';
import { countStaleDays, listLiveDays } from './live-days.ts';
import type { Selection } from './selection.ts';
import { listTraffic } from './traffic.ts';

/** Most days of buses whose hours one call reads: 200 buses for a year and four months. */
const MOST_DAYS_OF_BUSES = 100_000;

/**
 * The people of a selection by time, ascending.
 * @param nowMs the present, ms since 1970 UTC
 * @throws AppError too_large when hours are asked of more days of buses than one call reads
 */
export async function buildDayTraffic(
  db: Db,
  selection: Selection,
  by: 'day' | 'hour' | 'weekday_hour',
  nowMs: number,
): Promise<Omit<DayTrafficAnswer, 'arriving'>> {
  if (by === 'day') return listDaily(db, selection, nowMs);
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
  nowMs: number,
): Promise<Omit<DayTrafficAnswer, 'arriving'>> {
  const { days: live, pending } = await listLiveDays(db, selection, nowMs);
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
  const buses = chosen === 'all' ? (await listKnownBuses(db, viewer)).map(({ id }) => id) : chosen;
  refuseTooLarge(countDays(days.dateFrom, days.dateTo), buses.length, by);
  const own = await listOwnDays(db, viewer, buses, days);
  const zones = await listZonesOf(db, [...own.keys()]);
  if (by === 'weekday_hour') return listWeekdayHours(db, zones, days, own);
  const spans = commonSpans(zones, (busId) => own.get(busId) ?? []);
  return sumClockHours(db, spans, days.weekdays, true);
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
