import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { boundDays } from '../days/bound-days.ts';
import { type BusDay, hoursOfDay, type ZoneSpan } from '../days/bus-days.ts';
import { clockHoursOf } from './silence.ts';

/**
 * The people that entered on days, by bus and hour of its clock, up to the last hour with any. Days without people are
 * left out.
 * @param zonesOf the zones of each bus
 * @param days a day of each bus
 */
export async function listEnteredByHour(
  db: Db,
  zonesOf: ReadonlyMap<number, readonly ZoneSpan[]>,
  days: readonly BusDay[],
): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ busId: number; minutes: number[]; people: number[] }>`
    select bus.id as "busId",
      array_agg((extract(epoch from hour_start - bus.day_start) / 60)::int order by hour_start) as minutes,
      array_agg(entered_adults + entered_kids order by hour_start) as people
    from ${boundDays(days)} join hourly_traffic
      on workplace_id = bus.id and hour_start >= bus.day_start and hour_start < bus.day_end
    where (entered_adults, entered_kids, exited_adults, exited_kids) <> (0, 0, 0, 0)
    group by bus.id`.execute(db);
  const dayOf = new Map(days.map((day) => [day.busId, day]));
  return new Map(
    rows.map(({ busId, minutes, people }) => [
      busId,
      spread(minutes, people, hoursOfClock(dayOf.get(busId), zonesOf.get(busId) ?? [])),
    ]),
  );
}

const DAY_MS = 86_400_000;

// The hours of the clock by the minutes of the day at which they begin; undefined for a usual day, of 24 hours.
function hoursOfClock(day: BusDay | undefined, zones: readonly ZoneSpan[]) {
  if (day === undefined || day.endMs - day.startMs === DAY_MS) return undefined;
  const starts = hoursOfDay(zones, day);
  const hours = clockHoursOf(day, zones);
  return new Map(starts.map((ms, at) => [(ms - day.startMs) / 60_000, hours[at] ?? 0]));
}

function spread(
  minutes: readonly number[],
  people: readonly number[],
  clock: ReadonlyMap<number, number> | undefined,
): number[] {
  const spread: number[] = [];
  for (const [at, minute] of minutes.entries()) {
    const hour = clock?.get(minute) ?? Math.floor(minute / 60);
    while (spread.length <= hour) spread.push(0);
    spread[hour] = (spread[hour] ?? 0) + (people[at] ?? 0);
  }
  return spread;
}
