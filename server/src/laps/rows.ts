import { MOST_IMBALANCE } from '@ridewatch/contract/attention';
import type * as contract from '@ridewatch/contract/laps';
import { roublesOf } from '@ridewatch/contract/money';
import { roundTo } from '@ridewatch/contract/round';
import { type Selectable, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { DB } from '../core/db/db-types.ts';

/** A stored lap with its route's name. */
export type LapRow = Selectable<DB['laps']> & {
  readonly group_name: string | null;
  /** The user may not know its route: neither the route nor its stops are told. */
  readonly isHidden: boolean;
};
export type LapStopRow = Selectable<DB['lap_stops']>;

/** The source of answers about a bus's day. */
export interface LapDayQuestion {
  readonly busId: number;
  readonly date: string;
  /** The local day, ms since 1970 UTC; the end is excluded. */
  readonly startMs: number;
  readonly endMs: number;
  readonly timezone: string;
  /** False: another customer's day, which answers like one without data. */
  readonly isOwn: boolean;
  /** Routes that are not told. */
  readonly hiddenRoutes: readonly number[];
}

/** The laps of a day, or one of them. */
export async function listLapRows(
  db: Db,
  { busId, date, isOwn, hiddenRoutes }: LapDayQuestion,
  lapId?: number,
): Promise<LapRow[]> {
  if (!isOwn) return [];
  const rows = await db
    .selectFrom('laps')
    .leftJoin('route_groups', 'route_groups.id', 'laps.group_id')
    .selectAll('laps')
    .select('route_groups.name as group_name')
    .where('workplace_id', '=', busId)
    .where('day', '=', date)
    .$if(lapId !== undefined, (query) => query.where('laps.id', '=', lapId ?? 0))
    .orderBy('number')
    .execute();
  return rows.map((row) => {
    const isHidden = row.group_id !== null && hiddenRoutes.includes(row.group_id);
    const nothing = { group_id: null, group_name: null, pattern_id: null, pattern_name: null };
    return { ...row, isHidden, ...(isHidden && nothing) };
  });
}

/** The stops of laps, by lap and order. */
export async function listLapStopRows(db: Db, laps: readonly LapRow[]): Promise<LapStopRow[]> {
  const told = toldOf(laps);
  if (told.length === 0) return [];
  const { rows } = await sql<LapStopRow>`
    select lap_stops.* from lap_stops join laps on laps.id = lap_id
    where lap_id = any(${told}::bigint[])
    order by number, position`.execute(db);
  return rows;
}

const toldOf = (laps: readonly LapRow[]): number[] =>
  laps.flatMap(({ id, isHidden }) => (isHidden ? [] : [id]));

/** How many visits each lap has. */
export async function countVisits(db: Db, laps: readonly LapRow[]): Promise<Map<number, number>> {
  const told = toldOf(laps);
  if (told.length === 0) return new Map();
  const { rows } = await sql<{ id: number; visits: number }>`
    select lap_id as id, count(*)::int as visits from lap_stops
    where lap_id = any(${told}::bigint[]) and arrival is not null
    group by lap_id`.execute(db);
  return new Map(rows.map((row) => [row.id, row.visits]));
}

/** The answer's form of a lap. */
export function summaryOf(
  row: LapRow,
  visits: number,
  { startMs, endMs }: LapDayQuestion,
): contract.LapSummary {
  const lapStartMs = row.start_time.getTime();
  const lapEndMs = row.end_time.getTime();
  const share = (ms: number): number =>
    roundTo((100 * (Math.min(Math.max(ms, startMs), endMs) - startMs)) / (endMs - startMs), 2);
  return {
    lap_id: row.id,
    number: row.number,
    group:
      row.group_id === null || row.group_name === null
        ? null
        : { id: row.group_id, name: row.group_name },
    pattern:
      row.pattern_id === null || row.pattern_name === null
        ? null
        : { id: row.pattern_id, name: row.pattern_name },
    start: row.start_time.toISOString(),
    end: row.end_time.toISOString(),
    duration: Math.round((lapEndMs - lapStartMs) / 1000),
    startPositionPercent: share(lapStartMs),
    percent: roundTo(share(lapEndMs) - share(lapStartMs), 2),
    incomplete: row.incomplete as contract.IncompleteReason | null,
    open: row.open,
    legs: row.legs as contract.LapSummary['legs'],
    entered: row.entered,
    exited: row.exited,
    stops: visits,
    unplaced: row.unplaced,
    max_passengers: roundTo(row.max_load, 2),
    drift: row.drift,
    imbalance_percent: roundTo(100 * row.imbalance, 2),
    imbalanced: row.imbalance > MOST_IMBALANCE,
    revenue: estimateOf(row.revenue_kopecks),
    revenue_error: estimateOf(row.revenue_error_kopecks),
    no_price: roundTo(row.no_price, 2),
  };
}

/**
 * An estimate in an answer.
 * @param kopecks null where there is none
 * @returns roubles with two decimals
 */
export function estimateOf(kopecks: number | null): string | null {
  return kopecks === null ? null : roublesOf(kopecks);
}
