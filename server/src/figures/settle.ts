// Settles local days of a bus: stores what they came to in day_traffic, and adds the difference to the sums of their
// routes in route_traffic. Repeating it changes nothing, whatever came in between. Batches do not settle; the laps job
// does when it has stored a day, and the job settle_days for changes that need no new laps. Until then statistics read
// the day live (day-figures.ts), so no figure waits for it.
import { addDays } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import type { SeenHours } from '../counts/rebuild-hours.ts';
import { boundDays } from '../days/bound-days.ts';
import { type BusDay, boundsOfDay, listZoneSpans } from '../days/bus-days.ts';
import { lockDays } from '../days/unsettled.ts';
import { figuresOf } from './day-figures.ts';
import { requestProfiles } from './profiles.ts';
import {
  bitsOf,
  type ClockHours,
  clockHoursOf,
  countHours,
  listHeard,
  silentHoursOf,
  WEEKS_BEFORE,
} from './silence.ts';

/** The figures of a day in raw records, beside its hours. */
interface RawFigures extends BusDay {
  readonly heard: ClockHours;
  readonly silentHours: number;
  readonly isClosed: boolean;
}

/**
 * Settles days. It locks them, and rows of their routes, until the transaction ends; call it last in one.
 * @param days `YYYY-MM-DD`, at most some hundred
 * @param nowMs the present, ms since 1970 UTC
 * @param seen what this transaction has read of their events
 */
export async function settleDays(
  tx: Tx,
  busId: number,
  days: readonly string[],
  nowMs: number,
  seen: SeenHours = new Map(),
): Promise<void> {
  const ordered = [...new Set(days)].sort();
  if (ordered.length === 0) return;
  await lockDays(tx, busId, ordered);
  // Before any read: a concurrent change waits for this transaction and asks again.
  await sql`delete from unsettled_days
    where workplace_id = ${busId} and day = any(${ordered}::date[])`.execute(tx);
  const zones = await listZoneSpans(tx, busId);
  const bound = ordered.map((day) => ({ busId, day, ...boundsOfDay(zones, day) }));
  const known = await listKnownHours(tx, busId, bound);
  const said = await listHeard(tx, busId, bound, zones, seen);
  const heardOn = new Map<string, ClockHours>();
  for (const day of bound) {
    const clock = clockHoursOf(day, zones);
    const hours = (said.get(day.day) ?? []).flatMap((hour) => clock[hour] ?? []);
    // Positions are deleted after some years, and a unit may have left the bus: what was heard stays so.
    heardOn.set(day.day, bitsOf(hours) | (known.get(day.day)?.heard ?? 0));
  }
  const raw: RawFigures[] = [];
  for (const day of bound) {
    const heard = heardOn.get(day.day) ?? 0;
    const isClosed = day.endMs <= nowMs;
    const earlier = isClosed
      ? (known.get(day.day)?.earlier ?? 0) | heardBefore(day.day, heardOn)
      : 0;
    raw.push({
      ...day,
      heard,
      silentHours: countHours(silentHoursOf(bitsOf(clockHoursOf(day, zones)), heard, earlier)),
      isClosed,
    });
  }
  const changed = raw.map(({ day, heard }) => ({
    day,
    bits: heard ^ (known.get(day)?.heard ?? 0),
  }));
  await requestLaterWeeks(tx, busId, changed, ordered, nowMs);
  await requestProfiles(tx, busId, ordered, nowMs);
  // Last: who holds rows of routes, for which other buses wait, waits for nothing else.
  await write(tx, busId, raw);
}

// The hours heard on the same weekday of the weeks before, as far as these are settled, too.
function heardBefore(day: string, heardOn: ReadonlyMap<string, ClockHours>): ClockHours {
  let bits = 0;
  for (let week = 1; week <= WEEKS_BEFORE; week += 1) {
    bits |= heardOn.get(addDays(day, -7 * week)) ?? 0;
  }
  return bits;
}

/** The hours heard on each day so far, and on the same weekday of the weeks before. */
async function listKnownHours(
  tx: Tx,
  busId: number,
  days: readonly BusDay[],
): Promise<Map<string, { heard: ClockHours; earlier: ClockHours }>> {
  const { rows } = await sql<{ day: string; heard: number; earlier: number }>`
    select asked.day, coalesce((select heard from day_traffic
        where workplace_id = ${busId} and day = asked.day), 0) as heard,
      coalesce((select bit_or(heard) from generate_series(1, ${WEEKS_BEFORE}::int) as week
        join day_traffic on workplace_id = ${busId} and day = asked.day - 7 * week), 0) as earlier
    from unnest(${days.map(({ day }) => day)}::date[]) as asked (day)`.execute(tx);
  return new Map(rows.map(({ day, ...hours }) => [day, hours]));
}

// One statement: what the routes gain is what the days become less what they were. Rows of routes are shared by buses, so
// all transactions lock them in one order.
async function write(tx: Tx, busId: number, raw: readonly RawFigures[]): Promise<void> {
  const column = (pick: (day: RawFigures) => number): number[] => raw.map(pick);
  await sql`
    with figures as (${figuresOf(boundDays(raw))}),
    raw as (
      select * from unnest(${raw.map(({ day }) => day)}::date[],
        ${column((day) => day.heard)}::int[], ${column((day) => countHours(day.heard))}::smallint[],
        ${column((day) => day.silentHours)}::smallint[], ${raw.map(({ isClosed }) => isClosed)}::boolean[]
      ) as raw (day, heard, heard_hours, silent_hours, closed)
    ),
    fresh as (
      select workplace_id, day, client_id, group_id, entered_adults, entered_kids, exited_adults, exited_kids,
        entered_manual, exited_manual, revenue_kopecks, no_price_milli, heard, heard_hours, silent_hours, closed, by_laps
      from figures join raw using (day)
    ),
    before as (
      select * from day_traffic
      where workplace_id = ${busId} and day = any(${raw.map(({ day }) => day)}::date[])
    ),
    written as (
      insert into day_traffic as kept select * from fresh
      on conflict (workplace_id, day) do update set
        client_id = excluded.client_id, group_id = excluded.group_id,
        entered_adults = excluded.entered_adults, entered_kids = excluded.entered_kids,
        exited_adults = excluded.exited_adults, exited_kids = excluded.exited_kids,
        entered_manual = excluded.entered_manual, exited_manual = excluded.exited_manual,
        revenue_kopecks = excluded.revenue_kopecks, no_price_milli = excluded.no_price_milli,
        heard = excluded.heard, heard_hours = excluded.heard_hours,
        silent_hours = excluded.silent_hours, closed = excluded.closed, by_laps = excluded.by_laps
      where kept.* is distinct from excluded.*
    ),
    change as (
      select client_id, day, coalesce(group_id, 0) as group_id,
        sum(sign * entered_adults) as entered_adults, sum(sign * entered_kids) as entered_kids,
        sum(sign * exited_adults) as exited_adults, sum(sign * exited_kids) as exited_kids,
        sum(sign * revenue_kopecks) as revenue_kopecks, sum(sign * no_price_milli) as no_price_milli,
        sum(sign * heard_hours) as heard_hours, sum(sign * silent_hours) as silent_hours
      from (select 1 as sign, fresh.* from fresh union all select -1, before.* from before) as both_of_them
      where client_id is not null
      group by client_id, day, coalesce(group_id, 0)
    )
    insert into route_traffic as kept
    select client_id, day, group_id, entered_adults, entered_kids, exited_adults, exited_kids, revenue_kopecks,
      no_price_milli, heard_hours, silent_hours
    from change
    where (entered_adults, entered_kids, exited_adults, exited_kids, revenue_kopecks, no_price_milli, heard_hours,
      silent_hours) <> (0, 0, 0, 0, 0, 0, 0, 0)
    order by client_id, day, group_id
    on conflict (client_id, day, group_id) do update set
      entered_adults = kept.entered_adults + excluded.entered_adults,
      entered_kids = kept.entered_kids + excluded.entered_kids,
      exited_adults = kept.exited_adults + excluded.exited_adults,
      exited_kids = kept.exited_kids + excluded.exited_kids,
      revenue_kopecks = kept.revenue_kopecks + excluded.revenue_kopecks,
      no_price_milli = kept.no_price_milli + excluded.no_price_milli,
      heard_hours = kept.heard_hours + excluded.heard_hours,
      silent_hours = kept.silent_hours + excluded.silent_hours`.execute(tx);
}

// Hours that are newly heard tell when the unit should send in the weeks after; a day without any record has no other
// reason to be settled. Days that are being settled know them already.
async function requestLaterWeeks(
  tx: Tx,
  busId: number,
  changed: readonly { readonly day: string; readonly bits: ClockHours }[],
  settled: readonly string[],
  nowMs: number,
): Promise<void> {
  const some = changed.filter(({ bits }) => bits !== 0);
  if (some.length === 0) return;
  // The last day that has ended everywhere on earth; the job asks for later ones when they end.
  const ended = addDays(new Date(nowMs).toISOString().slice(0, 10), -2);
  await sql`insert into unsettled_days (workplace_id, day)
    select distinct ${busId}::bigint, changed.day + 7 * week as day
    from unnest(${some.map(({ day }) => day)}::date[], ${some.map(({ bits }) => bits)}::int[]) as changed (day, bits)
    cross join generate_series(1, ${WEEKS_BEFORE}::int) as week
    left join day_traffic as later on later.workplace_id = ${busId} and later.day = changed.day + 7 * week
    where changed.day + 7 * week <= ${ended}::date and changed.day + 7 * week <> all(${settled}::date[])
      and (later.heard is null or later.heard & changed.bits <> changed.bits)
    order by day
    -- Locks a row that is there: a transaction that is about to settle the later day waits for the hours of this one.
    on conflict (workplace_id, day) do update set day = excluded.day where false`.execute(tx);
}
