// The laps and fragments to which the parts of a calculation lead.
import {
  type CalculationLap,
  MAX_UNPRICED_PAIRS,
  type UnpricedPair,
} from '@ridewatch/contract/calculation';
import { addDays, type DayRange } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { DayOfBus } from '../days/bus-days.ts';

/** A stored lap as far as the sums need it. */
export interface LapRow extends DayRange {
  readonly id: number;
  readonly day: string;
  readonly number: number;
  readonly open: boolean;
  /** Effective counts of the whole lap. */
  readonly entered: number;
  readonly exited: number;
  /** When the bus arrived where the lap departs, ms since 1970 UTC; null if that is unknown. */
  readonly arrivedMs: number | null;
  readonly kopecks: number | null;
  readonly errorKopecks: number | null;
  readonly noPrice: number;
}

/** The laps that start on a local day, on the day before and on the day after, in order of time. */
export async function listLapsAround(db: Db, { busId, day }: DayOfBus): Promise<LapRow[]> {
  const { rows } = await sql<LapRow>`
    select id, day, number, open, entered, exited,
      (extract(epoch from start_time) * 1000)::bigint as "startMs",
      (extract(epoch from end_time) * 1000)::bigint as "endMs",
      (select (extract(epoch from arrival) * 1000)::bigint from lap_stops
        where lap_id = laps.id order by position limit 1) as "arrivedMs",
      revenue_kopecks as kopecks, revenue_error_kopecks as "errorKopecks", no_price as "noPrice"
    from laps
    where workplace_id = ${busId} and day between ${addDays(day, -1)}::date and ${addDays(day, 1)}::date
    order by day, number`.execute(db);
  return rows;
}

/** The rides without a price of some laps, those with the most people first. */
export async function listUnpricedPairs(
  db: Db,
  laps: readonly Pick<CalculationLap, 'lap_id'>[],
): Promise<UnpricedPair[]> {
  const { rows } = await sql<UnpricedPair>`
    select laps.id as lap_id, laps.number, pair."from" as from_stop_id, pair."to" as to_stop_id,
      ${stopName('from')} as from_stop, ${stopName('to')} as to_stop, pair.people
    from laps cross join lateral jsonb_to_recordset(no_price_pairs)
      as pair ("from" bigint, "to" bigint, people float8)
    where laps.id = any(${laps.map((lap) => lap.lap_id)}::bigint[])
    order by pair.people desc, laps.number, pair."from", pair."to"
    limit ${MAX_UNPRICED_PAIRS}`.execute(db);
  return rows;
}

function stopName(side: 'from' | 'to') {
  return sql`coalesce((select name from lap_stops
    where lap_id = laps.id and route_stop_id = ${sql.ref(`pair.${side}`)} limit 1), '')`;
}

/** When and by whom a fragment was last counted by hand. */
export interface FragmentEditor {
  readonly cameraId: number;
  readonly at: Date;
  readonly login: string;
}

/** Lists who counted fragments by hand, by the fragment's id. */
export async function listEditors(
  db: Db,
  fragmentIds: readonly number[],
): Promise<Map<number, FragmentEditor>> {
  if (fragmentIds.length === 0) return new Map();
  const { rows } = await sql<FragmentEditor & { id: number }>`
    select segment_id as id, camera_id as "cameraId", updated_at as at, login
    from manual_counts join segments on segments.id = segment_id join users on users.id = updated_by
    where segment_id = any(${[...fragmentIds]}::bigint[])`.execute(db);
  return new Map(rows.map(({ id, ...editor }) => [id, editor]));
}

/** How many fragments of door cameras start in a period, with and without video, and how many somebody reviewed. */
export async function countReviewed(
  db: Db,
  busId: number,
  { startMs, endMs }: DayRange,
): Promise<{ total: number; reviewed: number }> {
  const { rows } = await sql<{ total: number; reviewed: number }>`
    select count(*)::int as total, count(reviewed_at)::int as reviewed
    from cameras join segments on segments.camera_id = cameras.id
    where cameras.workplace_id = ${busId} and not cameras.live
      and start_time >= ${new Date(startMs)} and start_time < ${new Date(endMs)}`.execute(db);
  return rows[0] ?? { total: 0, reviewed: 0 };
}
