// Profiles of ended months: people of a bus by weekday and local hour. A month without a profile, or one that waits for
// another, is read by its hours, so that no figure waits for the job.
import { addDays, dayOf } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { listZoneSpans, zoneSpansWithin } from '../days/bus-days.ts';

/** Values of a profile: hours of a week. */
export const PROFILE_SLOTS = 7 * 24;
/** A month has ended everywhere on earth so many days after its last one. */
const SLACK_DAYS = 2;

/** The first day of the month that is not over yet in some zone. @param nowMs ms since 1970 UTC */
function openMonth(nowMs: number): string {
  return `${addDays(dayOf(nowMs, 'UTC'), -SLACK_DAYS).slice(0, 7)}-01`;
}

/**
 * Has the profiles of the months of some settled days made anew. A month that has not ended has none.
 * @param days `YYYY-MM-DD`
 * @param nowMs ms since 1970 UTC
 */
export async function requestProfiles(
  tx: Tx,
  busId: number,
  days: readonly string[],
  nowMs: number,
): Promise<void> {
  const months = [...new Set(days.map((day) => `${day.slice(0, 7)}-01`))];
  const ended = months.filter((month) => month < openMonth(nowMs)).sort();
  if (ended.length === 0) return;
  await sql`insert into stale_profiles (workplace_id, day)
    select ${busId}::bigint, month from unnest(${ended}::date[]) as month
    on conflict do nothing`.execute(tx);
}

/** Has the missing profiles made of the last month that has ended. @param nowMs ms since 1970 UTC */
export async function requestEndedMonth(db: Db, nowMs: number): Promise<void> {
  const open = openMonth(nowMs);
  const last = `${addDays(open, -1).slice(0, 7)}-01`;
  await sql`insert into stale_profiles (workplace_id, day)
    select distinct workplace_id, ${last}::date from day_traffic
    where day >= ${last}::date and day < ${open}::date and not exists (
      select from month_profiles as made
      where made.workplace_id = day_traffic.workplace_id and made.month = ${last}::date)
    order by 1
    on conflict do nothing`.execute(db);
}

/**
 * Makes the profiles of months of a bus anew.
 * @param months their first days, at most some dozens
 */
export async function makeProfiles(
  tx: Tx,
  busId: number,
  months: readonly string[],
): Promise<void> {
  // Before any read: who settles a day meanwhile waits for this transaction and asks again.
  await sql`delete from stale_profiles
    where workplace_id = ${busId} and day = any(${[...months]}::date[])`.execute(tx);
  const zones = await listZoneSpans(tx, busId);
  const spans = months.flatMap((month) =>
    zoneSpansWithin(zones, { dateFrom: month, dateTo: lastDayOf(month) }).map((span) => ({
      month,
      ...span,
    })),
  );
  await sql`
    with hours as (
      select span.month, (extract(isodow from local.at) - 1) * 24 + extract(hour from local.at) as slot,
        sum(entered_adults + entered_kids)::int as entered, sum(exited_adults + exited_kids)::int as exited
      from unnest(${spans.map(({ month }) => month)}::date[], ${spans.map(({ zone }) => zone)}::text[],
        ${spans.map(({ fromMs }) => new Date(fromMs))}::timestamptz[],
        ${spans.map(({ toMs }) => new Date(toMs))}::timestamptz[]) as span (month, zone, valid_from, valid_to)
      join hourly_traffic on workplace_id = ${busId}
        and hour_start >= span.valid_from and hour_start < span.valid_to
      cross join lateral (select hour_start at time zone span.zone as at) as local
      group by 1, 2
    )
    insert into month_profiles (workplace_id, month, entered, exited)
    select ${busId}::bigint, month, array_agg(coalesce(entered, 0) order by slot),
      array_agg(coalesce(exited, 0) order by slot)
    from unnest(${[...months]}::date[]) as month cross join generate_series(0, ${PROFILE_SLOTS - 1}) as slot
    left join hours using (month, slot)
    group by month
    on conflict (workplace_id, month) do update set entered = excluded.entered, exited = excluded.exited`.execute(
    tx,
  );
}

/** The last day of a month. @param month its first day */
export function lastDayOf(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}
