// People by weekday and hour of the clock: of ended months by their profiles, of other days by their hours.
import { addDays, countDays } from '@ridewatch/contract/day';
import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import type { DayTraffic } from '@ridewatch/contract/stats';
import { sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import type { ZoneSpan } from '../days/bus-days.ts';
import { unsettledDays } from '../days/unsettled.ts';
import { commonSpans, sumClockHours } from './clock-hours.ts';
import { lastDayOf } from './profiles.ts';

const HOURS = 24;

/**
 * Sums the people of buses by weekday and hour of the clock, ascending, in two statements. Each month of a bus is in one
 * of them: the second leaves out what the first has read.
 * @param zonesOf the zones of each chosen bus
 * @param ownOf the parts of the days that are the user's, of each chosen bus
 */
export async function listWeekdayHours(
  db: Db,
  zonesOf: ReadonlyMap<number, readonly ZoneSpan[]>,
  days: DaySpan & { readonly weekdays: readonly number[] | undefined },
  ownOf: ReadonlyMap<number, readonly DaySpan[]>,
): Promise<DayTraffic[]> {
  const months = wholeMonths(days);
  // No month is read whole of a bus that passed to another customer on these days.
  const isWhole = (own: readonly DaySpan[]): boolean =>
    own.some(({ dateFrom, dateTo }) => dateFrom === days.dateFrom && dateTo === days.dateTo);
  const whole = [...zonesOf.keys()].filter((busId) => isWhole(ownOf.get(busId) ?? []));
  const { sums, read } = await sumProfiles(db, whole, months);
  const spans = commonSpans(zonesOf, (busId) =>
    (ownOf.get(busId) ?? []).flatMap((own) => daysWithout(own, read.get(busId) ?? [])),
  );
  const rows = await sumClockHours(db, spans, days.weekdays, false);
  const bySlot = new Map(rows.map((row) => [slotOf(row), row]));
  for (const { slot, entered, exited } of sums) {
    const weekday = 1 + Math.floor(slot / HOURS);
    if (days.weekdays !== undefined && !days.weekdays.includes(weekday)) continue;
    const other = bySlot.get(slot);
    const row = {
      ...{ date: null, weekday, hour: slot % HOURS },
      entered: entered + (other?.entered ?? 0),
      exited: exited + (other?.exited ?? 0),
    };
    bySlot.set(slot, row);
  }
  return [...bySlot.values()]
    .filter(({ entered, exited }) => entered !== 0 || exited !== 0)
    .sort((a, b) => slotOf(a) - slotOf(b));
}

const slotOf = ({ weekday, hour }: Pick<DayTraffic, 'weekday' | 'hour'>): number =>
  (weekday - 1) * HOURS + (hour ?? 0);

interface Slot {
  readonly slot: number;
  readonly entered: number;
  readonly exited: number;
}

// The profiles that are as new as the records, summed over buses and months, and which they are.
async function sumProfiles(
  db: Db,
  buses: readonly number[],
  months: readonly string[],
): Promise<{ sums: readonly Slot[]; read: ReadonlyMap<number, string[]> }> {
  const [first, last] = [months[0], months.at(-1)];
  if (first === undefined || last === undefined) return { sums: [], read: new Map() };
  const range = { dateFrom: first, dateTo: lastDayOf(last) };
  const isAsked = sql<boolean>`waiting.workplace_id = any(${[...buses]}::bigint[])
    and waiting.day between ${range.dateFrom}::date and ${range.dateTo}::date`;
  // As many as there can be, so that none is left out.
  const most = buses.length * countDays(range.dateFrom, range.dateTo);
  const { rows } = await sql<{
    sums: Slot[] | null;
    read: [busId: number, month: string][] | null;
  }>`
    with waiting as (
      select workplace_id, day from stale_profiles as waiting where ${isAsked}
      union select workplace_id, date_trunc('month', day)::date
      from (${unsettledDays(isAsked, most)}) as unsettled
    ),
    ready as (
      select profile.* from month_profiles as profile
      left join waiting on waiting.workplace_id = profile.workplace_id and waiting.day = profile.month
      where profile.workplace_id = any(${[...buses]}::bigint[]) and profile.month = any(${[...months]}::date[])
        and waiting.day is null
    )
    select (select jsonb_agg(jsonb_build_array(workplace_id, month)) from ready) as read,
      (select jsonb_agg(sums) from (
        select place - 1 as slot, sum(entered_there) as entered, sum(exited_there) as exited
        from ready cross join lateral unnest(entered, exited)
          with ordinality as hour (entered_there, exited_there, place)
        group by place
      ) as sums) as sums`.execute(db);
  const { sums, read } = rows[0] ?? { sums: null, read: null };
  const byBus = Map.groupBy(read ?? [], ([busId]) => busId);
  return {
    sums: sums ?? [],
    read: new Map([...byBus].map(([busId, pairs]) => [busId, pairs.map(([, month]) => month)])),
  };
}

/** The months of which a range has every day, by their first days, ascending. */
function wholeMonths({ dateFrom, dateTo }: DaySpan): string[] {
  const months: string[] = [];
  for (
    let month = `${dateFrom.slice(0, 7)}-01`;
    month <= dateTo;
    month = addDays(lastDayOf(month), 1)
  ) {
    if (month >= dateFrom && lastDayOf(month) <= dateTo) months.push(month);
  }
  return months;
}

// The days of a range that are in none of the months.
function daysWithout({ dateFrom, dateTo }: DaySpan, months: readonly string[]): DaySpan[] {
  const spans: DaySpan[] = [];
  let next = dateFrom;
  for (const month of months.toSorted()) {
    if (next < month) spans.push({ dateFrom: next, dateTo: addDays(month, -1) });
    next = addDays(lastDayOf(month), 1);
  }
  if (next <= dateTo) spans.push({ dateFrom: next, dateTo });
  return spans;
}
