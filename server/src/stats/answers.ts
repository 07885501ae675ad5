// The answers of statistics.
import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import { roublesOf } from '@ridewatch/contract/money';
import { STAT_TICKS, type StatTick, tickOf, ticksOf } from '@ridewatch/contract/stat-ticks';
import {
  MAX_STAT_ROWS,
  type PassengerTraffic,
  type SeriesId,
  type TrafficSum,
} from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import { isKnownBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import { findKnownDays } from './known-days.ts';
import { listLiveDays } from './live-days.ts';
import type { Selection } from './selection.ts';
import { listTraffic, type TrafficSums } from './traffic.ts';

/** The name of buses without a route; screens show their own. */
const UNGROUPED_NAME = 'Без маршрута';

/** People and revenue by bus or route and tick. @param nowMs the present, ms since 1970 UTC */
export async function buildPassengerTraffic(
  db: Db,
  selection: Selection,
  grouping: 'bus' | 'route',
  wanted: StatTick | undefined,
  nowMs: number,
): Promise<Omit<PassengerTraffic, 'arriving'>> {
  const [tick, { days: live, pending }, known] = await Promise.all([
    chooseTick(db, selection, grouping, wanted),
    listLiveDays(db, selection, nowMs),
    findKnownDays(db, selection),
  ]);
  const rows = await listTraffic(db, selection, { grouping, tick }, live);
  const names = await listNames(db, grouping, [...new Set(rows.map(({ series }) => series))]);
  const idOf = (series: number): SeriesId => (series === 0 ? UNGROUPED : series);
  return {
    items: rows.map((row) => ({ id: idOf(row.series), start_time: row.start, ...sumOf(row) })),
    number: 0,
    total: rows.length,
    series: names.map(({ id, name }) => ({ id: idOf(id), name })),
    tick,
    totals: { ...totalsOf(rows), ...known },
    pending,
  };
}

function sumOf(row: Omit<TrafficSums, 'series' | 'start' | 'heardHours'>): TrafficSum {
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

function totalsOf(rows: readonly TrafficSums[]): TrafficSum & { heard_hours: number } {
  const sum = (pick: (row: TrafficSums) => number): number =>
    rows.reduce((all, row) => all + pick(row), 0);
  return {
    ...sumOf({
      enteredAdults: sum((row) => row.enteredAdults),
      enteredKids: sum((row) => row.enteredKids),
      exitedAdults: sum((row) => row.exitedAdults),
      exitedKids: sum((row) => row.exitedKids),
      revenueKopecks: sum((row) => row.revenueKopecks),
      noPriceMilli: sum((row) => row.noPriceMilli),
      silentHours: sum((row) => row.silentHours),
    }),
    heard_hours: sum((row) => row.heardHours),
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
