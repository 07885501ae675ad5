// The rollup of effective counts within the shift by local hour, updated in the transaction that changes anything they
// depend on (rebuild-hours.ts).
import { hoursOf } from '@ridewatch/contract/hours';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import {
  boundsOfDay,
  createDayFinder,
  type LocalDay,
  listZoneSpans,
  type ZoneSpan,
} from '../days/bus-days.ts';
import type { BoardingEvent } from './effective.ts';
import { isInShift, listShifts, NO_SHIFTS, type Shifts } from './shifts.ts';
import { listEffectiveSums } from './summed-events.ts';

/** People who got on and off within an hour; negative where a manual count removes people. */
export interface HourSum {
  /** ms since 1970 UTC */
  readonly hourMs: number;
  enteredAdults: number;
  enteredKids: number;
  exitedAdults: number;
  exitedKids: number;
}

/**
 * Sums events by the hours of the bus's clock.
 * @param shifts of the days of the events; those outside are left out
 * @returns the hours that have any, ascending: all transactions lock hours in this order
 */
export function sumHours(
  events: Iterable<BoardingEvent>,
  zones: readonly ZoneSpan[],
  shifts: Shifts = NO_SHIFTS,
): HourSum[] {
  const localDay = createDayFinder(zones);
  const sums = new Map<number, HourSum>();
  let lastDay: LocalDay | undefined;
  let hours: readonly number[] = [];
  for (const { timeMs, direction, adult, kids } of events) {
    const local = localDay(timeMs);
    if (!isInShift(shifts, local.day, timeMs)) continue;
    if (local !== lastDay) hours = hoursOf(local, local.zone);
    lastDay = local;
    const hourMs = hours.findLast((startMs) => startMs <= timeMs) ?? local.startMs;
    const sum = sums.get(hourMs) ?? {
      hourMs,
      ...{ enteredAdults: 0, enteredKids: 0, exitedAdults: 0, exitedKids: 0 },
    };
    sum[`${direction}Adults`] += adult;
    sum[`${direction}Kids`] += kids;
    sums.set(hourMs, sum);
  }
  return [...sums.values()].sort((a, b) => a.hourMs - b.hourMs);
}

/** Adds to the rollup. @param hours ascending */
export async function addHours(tx: Tx, busId: number, hours: readonly HourSum[]): Promise<void> {
  if (hours.length === 0) return;
  await sql`
    insert into hourly_traffic as kept
      (workplace_id, hour_start, entered_adults, entered_kids, exited_adults, exited_kids)
    select ${busId}::bigint, hours.* from ${hourRows(hours)} as hours
    on conflict (workplace_id, hour_start) do update set
      entered_adults = kept.entered_adults + excluded.entered_adults,
      entered_kids = kept.entered_kids + excluded.entered_kids,
      exited_adults = kept.exited_adults + excluded.exited_adults,
      exited_kids = kept.exited_kids + excluded.exited_kids`.execute(tx);
}

/** The hours as a subquery with the columns of hourly_traffic, without the bus. */
export function hourRows(hours: readonly HourSum[]): RawBuilder<unknown> {
  const column = (pick: (sum: HourSum) => number): number[] => hours.map(pick);
  return sql`(
    select * from unnest(${hours.map(({ hourMs }) => new Date(hourMs))}::timestamptz[],
      ${column((sum) => sum.enteredAdults)}::int[], ${column((sum) => sum.enteredKids)}::int[],
      ${column((sum) => sum.exitedAdults)}::int[], ${column((sum) => sum.exitedKids)}::int[]
    ) as hours (hour_start, entered_adults, entered_kids, exited_adults, exited_kids))`;
}

/**
 * The effective counts of a bus within its shifts by local hour, ascending, without empty hours.
 * @param fromDay first local day, `YYYY-MM-DD`
 * @param toDay last local day
 */
export async function listHours(
  db: Db,
  busId: number,
  fromDay: string,
  toDay: string,
): Promise<HourSum[]> {
  const zones = await listZoneSpans(db, busId);
  const [first, last] = [boundsOfDay(zones, fromDay), boundsOfDay(zones, toDay)];
  const stale = await db
    .selectFrom('stale_hours')
    .select('day')
    .where('workplace_id', '=', busId)
    .where('day', '>=', fromDay)
    .where('day', '<=', toDay)
    .orderBy('day')
    .execute();
  const raw = stale.map(({ day }) => ({ busId, day, ...boundsOfDay(zones, day) }));
  const shifts = raw.length === 0 ? NO_SHIFTS : await listShifts(db, busId, fromDay, toDay);
  const { rows } = await sql<HourSum>`
    select (extract(epoch from hour_start) * 1000)::bigint as "hourMs",
      entered_adults as "enteredAdults", entered_kids as "enteredKids",
      exited_adults as "exitedAdults", exited_kids as "exitedKids"
    from hourly_traffic
    where workplace_id = ${busId}
      and hour_start >= ${new Date(first.startMs)} and hour_start < ${new Date(last.endMs)}
    order by hour_start`.execute(db);
  const hours = rows.filter(
    ({ hourMs }) => !raw.some(({ startMs, endMs }) => hourMs >= startMs && hourMs < endMs),
  );
  for (const day of raw) {
    hours.push(...sumHours(await listEffectiveSums(db, day, shifts), zones, shifts));
  }
  return hours.filter(hasPeople).sort((a, b) => a.hourMs - b.hourMs);
}

function hasPeople(sum: HourSum): boolean {
  return [sum.enteredAdults, sum.enteredKids, sum.exitedAdults, sum.exitedKids].some(
    (count) => count !== 0,
  );
}
