// The answers of statistics.
import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import { addDays } from '@ridewatch/contract/day';
import { roublesOf } from '@ridewatch/contract/money';
import { STAT_TICKS, type StatTick, tickOf, ticksOf } from '@ridewatch/contract/stat-ticks';
import {
  MAX_STAT_ROWS,
  type PassengerTraffic,
  type SeriesId,
  type TrafficSum,
} from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import { listKnownBuses } from '../access/own-days.ts';
import { isKnownBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { listZonesOf, presentDaysOf } from '../days/bus-days.ts';
import { sameTimeOn, type TimedDay } from '../figures/figures-until.ts';
import type { Cut } from './cut.ts';
import { findKnownDays, findMissingHours } from './known-days.ts';
import { listLiveDays } from './live-days.ts';
import type { Selection } from './selection.ts';
import { listTraffic, type TrafficSums } from './traffic.ts';

/** The name of buses without a route; screens show their own. */
const UNGROUPED_NAME = 'Без маршрута';

/**
 * People and revenue by bus or route and tick.
 * @param wanted the tick; as the period asks unless given
 */
export async function buildPassengerTraffic(
  db: Db,
  selection: Selection,
  grouping: 'bus' | 'route',
  wanted: StatTick | undefined,
  cut: Cut,
): Promise<Omit<PassengerTraffic, 'arriving'>> {
  const [tick, { days: live, pending }, known, missing, until] = await Promise.all([
    chooseTick(db, selection, grouping, wanted),
    listLiveDays(db, selection, cut.nowMs),
    findKnownDays(db, selection, cut),
    findMissingHours(db, selection, grouping, cut),
    listDaysUntil(db, selection, cut),
  ]);
  const rows = await listTraffic(db, selection, { grouping, tick, cut, until }, live);
  const names = await listNames(db, grouping, [...new Set(rows.map(({ series }) => series))]);
  const idOf = (series: number): SeriesId => (series === 0 ? UNGROUPED : series);
  return {
    items: rows.map((row) => ({
      ...{ id: idOf(row.series), start_time: row.start, running: row.isRunning, days: row.days },
      ...figuresIn(row),
      heard_hours: row.heardHours,
    })),
    number: 0,
    total: rows.length,
    series: names.map(({ id, name }) => ({
      ...{ id: idOf(id), name, missing_hours: missing.get(id) ?? 0 },
    })),
    tick,
    totals: {
      ...totalsOf(rows, cut),
      missing_hours: [...missing.values()].reduce((sum, hours) => sum + hours, 0),
      ...known,
    },
    pending,
  };
}

// The cut days of a compared range, which count until the present time of the clock.
async function listDaysUntil(db: Db, selection: Selection, cut: Cut): Promise<TimedDay[]> {
  const { nowMs, shiftDays, otherTo, isUntilNow } = cut;
  if (!isUntilNow || otherTo === undefined) return [];
  const { viewer, buses, days } = selection;
  const ids = buses === 'all' ? (await listKnownBuses(db, viewer)).map(({ id }) => id) : buses;
  const zones = await listZonesOf(db, ids);
  const cuts = presentDaysOf(zones, nowMs)
    .filter(({ day }) => day <= otherTo)
    .map(({ busId, day }) => ({ busId, day: addDays(day, shiftDays) }))
    .filter(({ day }) => day >= days.dateFrom && day <= days.dateTo);
  return sameTimeOn(zones, cuts, nowMs);
}

type Figures = Omit<TrafficSums, 'series' | 'start' | 'isRunning' | 'days' | 'heardHours'>;

function figuresIn(row: Figures): TrafficSum {
  return {
    entered: row.enteredAdults + row.enteredKids,
    exited: row.exitedAdults + row.exitedKids,
    entered_kids: row.enteredKids,
    exited_kids: row.exitedKids,
    fare: roublesOf(row.revenueKopecks),
    no_price: row.noPriceMilli / 1000,
    silent_hours: row.silentHours,
  };
}

function totalsOf(
  rows: readonly TrafficSums[],
  { isUntilNow }: Cut,
): TrafficSum & { heard_hours: number } {
  const over = rows.filter(({ isRunning }) => !isRunning);
  const counted = isUntilNow ? rows : over;
  const sum = (pick: (row: TrafficSums) => number, of = counted): number =>
    of.reduce((all, row) => all + pick(row), 0);
  return {
    ...figuresIn({
      enteredAdults: sum((row) => row.enteredAdults),
      enteredKids: sum((row) => row.enteredKids),
      exitedAdults: sum((row) => row.exitedAdults),
      exitedKids: sum((row) => row.exitedKids),
      revenueKopecks: sum((row) => row.revenueKopecks),
      noPriceMilli: sum((row) => row.noPriceMilli),
      silentHours: sum((row) => row.silentHours, over),
    }),
    heard_hours: sum((row) => row.heardHours, over),
  };
}

// The finest ticks that are not too many, and do not make too many rows.
async function chooseTick(
  db: Db,
  { viewer, days, buses }: Selection,
  grouping: 'bus' | 'route',
  wanted: StatTick | undefined,
): Promise<StatTick> {
  const tick = tickOf(days, undefined, wanted);
  const chosen = buses === 'all' ? await countSeries(db, { viewer }, grouping) : buses.length;
  const coarser = STAT_TICKS.slice(STAT_TICKS.indexOf(tick));
  return coarser.find((one) => ticksOf(days, one).length * chosen <= MAX_STAT_ROWS) ?? 'year';
}

async function countSeries(
  db: Db,
  { viewer }: Pick<Selection, 'viewer'>,
  grouping: 'bus' | 'route',
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from workplaces
    where ${isKnownBus(viewer, sql.ref('workplaces.id'))}`.execute(db);
  const buses = rows[0]?.count ?? 0;
  if (grouping === 'bus') return buses;
  const routes = await sql<{
    count: number;
  }>`select count(*)::int as count from route_groups`.execute(db);
  // A bus may change its route each day, but each row is of a bus: there are never more.
  return Math.min(routes.rows[0]?.count ?? 0, buses * 2) + 1;
}

async function listNames(
  db: Db,
  grouping: 'bus' | 'route',
  ids: readonly number[],
): Promise<{ id: number; name: string }[]> {
  if (ids.length === 0) return [];
  const table = sql.table(grouping === 'bus' ? 'workplaces' : 'route_groups');
  const { rows } = await sql<{ id: number; name: string }>`
    select id, name from ${table} where id = any(${[...ids]}::bigint[])
    order by name collate natural_ru, id`.execute(db);
  return ids.includes(0) ? [{ id: 0, name: UNGROUPED_NAME }, ...rows] : rows;
}
