// People by unit and hour of a bus: from the rollup, and from sums of the records on days that a job is rebuilding.
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { eachColumn, type HourPeople, type HourSum, NO_PEOPLE, sumHours } from '../counts/hours.ts';
import { listShifts } from '../counts/shifts.ts';
import { listEffectiveSums } from '../counts/summed-events.ts';
import { boundDays, zonedDays } from '../days/bound-days.ts';
import {
  type BusDay,
  boundsOfDay,
  listZoneSpans,
  type ZoneSpan,
  zoneAt,
  zoneSpansWithin,
} from '../days/bus-days.ts';

/**
 * The people of a bus by local hour and unit, ascending, without empty hours.
 * @param fromDay first local day, `YYYY-MM-DD`
 * @param toDay last local day; at most some hundred days
 */
export async function listHours(
  db: Db,
  busId: number,
  fromDay: string,
  toDay: string,
): Promise<HourSum[]> {
  const zones = await listZoneSpans(db, busId);
  const [first, last] = [boundsOfDay(zones, fromDay), boundsOfDay(zones, toDay)];
  const isOfDays = sql`workplace_id = ${busId} and day between ${fromDay}::date and ${toDay}::date`;
  const stale = await sql<{ day: string }>`
    select day from stale_hours where ${isOfDays} order by day`.execute(db);
  const summed = stale.rows.map(({ day }) => ({ busId, day, ...boundsOfDay(zones, day) }));
  const stored = await readHours(db, { busId, day: fromDay, ...first, endMs: last.endMs });
  const hours = stored.filter(
    ({ hourMs }) => !summed.some(({ startMs, endMs }) => hourMs >= startMs && hourMs < endMs),
  );
  for (const day of summed) hours.push(...(await sumRecords(db, day, zones)));
  return hours.sort((a, b) => a.hourMs - b.hourMs || a.unitId - b.unitId);
}

/** The stored hours of a day, ascending. */
export async function readHours(db: Db, { busId, startMs, endMs }: BusDay): Promise<HourSum[]> {
  const { rows } = await sql<HourSum>`
    select (extract(epoch from hour_start) * 1000)::bigint as "hourMs", unit_id as "unitId",
      ${eachColumn((column, field) => sql`${column} as ${sql.ref(field)}`)}
    from hourly_traffic
    where workplace_id = ${busId}
      and hour_start >= ${new Date(startMs)} and hour_start < ${new Date(endMs)}
    order by hour_start, unit_id`.execute(db);
  return rows;
}

/** The hours of a day from its records, ascending; what a rebuild would store. @param zones of the bus */
export async function sumRecords(
  db: Db,
  day: BusDay,
  zones: readonly ZoneSpan[],
): Promise<HourSum[]> {
  const shifts = await listShifts(db, day.busId, day.day, day.day);
  return sumHours(await listEffectiveSums(db, day, shifts), zones, shifts);
}

/** People of all chosen buses in an hour. */
export interface HourOfBuses {
  /** Its start, ms since 1970 UTC. */
  readonly atMs: number;
  readonly zone: string;
  readonly entered: number;
  readonly exited: number;
}

/**
 * The people of days by hour and zone, of all buses together.
 * @param zonesOf the zones of each bus
 * @param days each once; at most some thousand
 */
export async function sumHoursOf(
  db: Db,
  zonesOf: ReadonlyMap<number, readonly ZoneSpan[]>,
  days: readonly BusDay[],
): Promise<HourOfBuses[]> {
  const stale = new Set((await listStale(db, days)).map(({ busId, day }) => `${busId} ${day}`));
  const isStored = ({ busId, day }: BusDay): boolean => !stale.has(`${busId} ${day}`);
  const parts = days
    .filter(isStored)
    .flatMap(({ busId, day }) =>
      zoneSpansWithin(zonesOf.get(busId) ?? [], { dateFrom: day, dateTo: day }).map(
        ({ zone, fromMs, toMs }) => ({ busId, day, zone, startMs: fromMs, endMs: toMs }),
      ),
    );
  const { rows } = await sql<HourOfBuses>`
    select (extract(epoch from hour_start) * 1000)::bigint as "atMs", bus.zone,
      sum(entered_adults + entered_kids)::int as entered, sum(exited_adults + exited_kids)::int as exited
    from ${zonedDays(parts)} join hourly_traffic on workplace_id = bus.id
      and hour_start >= bus.day_start and hour_start < bus.day_end
    group by hour_start, bus.zone`.execute(db);
  const hours = [...rows];
  for (const day of days.filter((one) => !isStored(one))) {
    const zones = zonesOf.get(day.busId) ?? [];
    for (const hour of await sumRecords(db, day, zones)) {
      const [entered, exited] = [peopleOf(hour, 'entered').count, peopleOf(hour, 'exited').count];
      hours.push({ atMs: hour.hourMs, zone: zoneAt(zones, hour.hourMs), entered, exited });
    }
  }
  return hours;
}

/** Finds which of the days have hours that a job is rebuilding. */
export async function listStale(
  db: Db,
  days: readonly BusDay[],
): Promise<{ busId: number; day: string }[]> {
  const { rows } = await sql<{ busId: number; day: string }>`
    select bus.id as "busId", bus.day from ${boundDays(days)}
    join stale_hours as stale on stale.workplace_id = bus.id and stale.day = bus.day`.execute(db);
  return rows;
}

/** Sums people. */
export function sumPeople(hours: Iterable<HourPeople>): HourPeople {
  const sum = { ...NO_PEOPLE };
  for (const hour of hours) {
    for (const field of Object.keys(NO_PEOPLE) as (keyof HourPeople)[]) sum[field] += hour[field];
  }
  return sum;
}

/** People in one direction. */
export interface PeopleSum {
  /** Of the counter. */
  readonly automatic: number;
  /** Added by manual counts; negative where they remove people. */
  readonly corrections: number;
  /** Both. */
  readonly count: number;
}

/** The people within the shift in one direction. */
export function peopleOf(hours: HourPeople, side: 'entered' | 'exited'): PeopleSum {
  const count = hours[`${side}Adults`] + hours[`${side}Kids`];
  const corrections = hours[`${side}Manual`];
  return { automatic: count - corrections, corrections, count };
}
