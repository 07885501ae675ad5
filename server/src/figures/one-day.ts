// Reads what one local day of a bus came to: its people by hour and unit, its type, its revenue. The page of the day,
// the calculator and the statistics of a day use it.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { type HourPeople, type HourSum, hourRows } from '../counts/hours.ts';
import { boundDays } from '../days/bound-days.ts';
import { type BusDay, listZoneSpans } from '../days/bus-days.ts';
import { figuresOf } from './day-figures.ts';
import { listStale, readHours, sumPeople, sumRecords } from './hours.ts';

/** The revenue of a day. */
export interface DayRevenue {
  /** Whether the revenue comes from the prices of the rides of laps; else from the fare. */
  readonly isByLaps: boolean;
  readonly kopecks: number;
  /** People of laps whose ride has no price, thousandths. */
  readonly noPriceMilli: number;
  /** The error of each lap that counts, kopecks. */
  readonly lapErrors: readonly number[];
  /** Laps that start on the day, also outside the shift. */
  readonly laps: number;
}

/** The figures of a day. */
export interface DayFigures extends DayRevenue {
  /** The route valid on the day. */
  readonly routeId: number | null;
  readonly people: HourPeople;
  /** By unit, ascending. */
  readonly hours: readonly HourSum[];
}

/** Reads the figures of a day as they are now. While a job rebuilds its hours, they are summed from its records. */
export async function findDayFigures(db: Db, day: BusDay): Promise<DayFigures> {
  const isStale = (await listStale(db, [day])).length > 0;
  const hours = isStale
    ? await sumRecords(db, day, await listZoneSpans(db, day.busId))
    : await readHours(db, day);
  const source = isStale
    ? sql`(select ${day.busId}::bigint as workplace_id, hours.* from ${hourRows(hours)} as hours)`
    : undefined;
  const { rows } = await sql<DayRevenue & { routeId: number | null }>`
    select group_id as "routeId", by_laps as "isByLaps", revenue_kopecks::bigint as kopecks,
      no_price_milli as "noPriceMilli", lap_errors::float8[] as "lapErrors", laps
    from (${figuresOf(boundDays([day]), source)}) as figures`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('The query of figures returned no row.');
  return { ...row, people: sumPeople(hours), hours };
}
