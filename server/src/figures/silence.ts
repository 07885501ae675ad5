// Hours in which a unit sent nothing although it should have. Many units are off at night, so not every hour without a
// record is silence: it lies between two records of its day, or the unit sent something at that time of the same weekday
// in one of the four weeks before. The latter tells of a day without any record, too; it counts once the day has ended.
import { formatMoment } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { SeenHours } from '../counts/rebuild-hours.ts';
import { type BusDay, hasEvenHours, hoursOfDay, type ZoneSpan, zoneAt } from '../days/bus-days.ts';

const DAY_HOURS = 24;
const HOUR_MS = 3_600_000;

/** Weeks whose same weekday says at which hours a unit should send. */
export const WEEKS_BEFORE = 4;

/** Hours of the clock as bits: bit 7 is from 7 to 8 o'clock. */
export type ClockHours = number;

/**
 * The hour of the clock of each hour of a local day. An hour that a change of the clocks repeats is one; one that it
 * skips is none.
 */
export function clockHoursOf(day: Pick<BusDay, 'startMs' | 'endMs'>, zones: readonly ZoneSpan[]) {
  const starts = hoursOfDay(zones, day);
  if (day.endMs - day.startMs === DAY_HOURS * HOUR_MS) return starts.map((_, hour) => hour);
  return starts.map((ms) => Number(formatMoment(ms, zoneAt(zones, ms), 'H')));
}

/** Hours of the clock as bits. */
export function bitsOf(hours: Iterable<number>): ClockHours {
  let bits = 0;
  for (const hour of hours) bits |= 1 << hour;
  return bits;
}

/** The number of hours. */
export function countHours(hours: ClockHours): number {
  let count = 0;
  for (let rest = hours; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/**
 * The hours in which a unit was silent.
 * @param day the hours that the day has
 * @param heard those in which the unit sent something
 * @param before those in which it did so in the weeks before; none while the day goes on
 */
export function silentHoursOf(day: ClockHours, heard: ClockHours, before: ClockHours): ClockHours {
  const between = heard === 0 ? 0 : (1 << (32 - Math.clz32(heard))) - (heard & -heard);
  return day & ~heard & (between | before);
}

/**
 * The hours of days, as places in `hoursOfDay`, in which the units of a bus sent a position or a passenger event.
 * @param zones of the bus, the latest last
 * @param seen those of days whose events the caller has just read; these are not read again
 */
export async function listHeard(
  db: Db,
  busId: number,
  days: readonly BusDay[],
  zones: readonly ZoneSpan[],
  seen: SeenHours,
): Promise<Map<string, number[]>> {
  const hoursOn = new Map(days.map((day) => [day.day, hoursOfDay(zones, day)]));
  // An array of arrays of different lengths does not exist.
  const uneven = [...hoursOn.values()].map((hours) =>
    hasEvenHours(hours) ? null : `{${hours.map((ms) => new Date(ms).toISOString())}}`,
  );
  const { rows } = await sql<{ day: string; hours: number[] }>`
    select bus.day, array_agg(sent.hour) as hours
    from unnest(${days.map(({ day }) => day)}::date[],
      ${days.map(({ startMs }) => new Date(startMs))}::timestamptz[],
      ${days.map(({ endMs }) => new Date(endMs))}::timestamptz[],
      ${days.map(({ day }) => seen.has(day))}::boolean[], ${uneven}::text[])
      as bus (day, day_start, day_end, is_seen, uneven_hours)
    cross join lateral (
      select case when bus.uneven_hours is null then floor(extract(epoch from at - bus.day_start) / 3600)::int
        else width_bucket(at, bus.uneven_hours::timestamptz[]) - 1 end as hour
      from (
        select edge as at
        from unit_assignments as assigned join position_blocks as block on block.unit_id = assigned.unit_id
        cross join lateral unnest(array[first_time, last_time]) as edge
        -- A block is five minutes by the unit's clock; a day leaves room for a clock that was corrected meanwhile.
        where assigned.workplace_id = ${busId} and last_time >= from_at and first_time < until_at
          and last_time >= bus.day_start and last_time < bus.day_end + interval '1 day'
          -- The unit may have come or gone within a block.
          and edge >= from_at and edge < until_at
        union all
        select time from passenger_events
        where not bus.is_seen and workplace_id = ${busId} and time >= bus.day_start and time < bus.day_end
      ) as records
      where at >= bus.day_start and at < bus.day_end
      group by 1
    ) as sent
    group by bus.day`.execute(db);
  const heard = new Map(rows.map(({ day, hours }) => [day, hours]));
  for (const { day } of days) {
    const starts = hoursOn.get(day) ?? [];
    const hours = seen.get(day)?.map((ms) => starts.findLastIndex((start) => start <= ms)) ?? [];
    if (hours.length > 0) heard.set(day, [...(heard.get(day) ?? []), ...hours]);
  }
  return heard;
}
