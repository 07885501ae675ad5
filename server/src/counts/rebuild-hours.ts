// Rebuilds hours from the raw records, in the transaction that changes what they depend on, or by a job. A change locks the
// rows of its days in lap_days, so that changes of one day take turns.
import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { addJob } from '../core/jobs/jobs.ts';
import { boundDays } from '../days/bound-days.ts';
import {
  type BusDay,
  boundsOfDay,
  createDayFinder,
  hasEvenHours,
  hoursOfDay,
  listZoneSpans,
  type ZoneSpan,
} from '../days/bus-days.ts';
import { lockDays, markUnsettled } from '../days/unsettled.ts';
import { listCountedDays } from './day-events.ts';
import { addHours, eachColumn, type HourSum, hourPeople, hourRows, sumHours } from './hours.ts';
import { listShifts } from './shifts.ts';
import { listEffectiveSums } from './summed-events.ts';

/** The starts of the hours (ms since 1970 UTC) of local days in which the unit sent passenger events. */
export type SeenHours = ReadonlyMap<string, readonly number[]>;

/** The newest days, so many, are rebuilt at once; a job rebuilds those before them. */
export const MOST_DAYS_AT_ONCE = 62;

/**
 * Rebuilds the hours of local days from the raw records, in the transaction that changes what they depend on, such as
 * the shift, and has the days settled. Of more than 62 days the oldest are marked stale and left to a job: they are
 * settled, so that their former figures stay until then, while a day that goes on is read from its hours.
 * @param days `YYYY-MM-DD`
 */
export async function rebuildHours(tx: Tx, busId: number, days: Iterable<string>): Promise<void> {
  const ordered = [...new Set(days)].sort();
  if (ordered.length === 0) return;
  await forgetShifts(tx, busId);
  await rebuildOrMark(tx, busId, ordered);
  const atOnce = ordered.slice(-MOST_DAYS_AT_ONCE);
  await markUnsettled(
    tx,
    atOnce.map((day) => ({ busId, day })),
  );
}

/**
 * Rebuilds the hours of stale days.
 * @param days `YYYY-MM-DD`, at most some hundred; the caller settles them in the same transaction
 * @returns what settling them need not read again
 */
export async function rebuildStaleHours(
  tx: Tx,
  busId: number,
  days: readonly string[],
): Promise<SeenHours> {
  await forgetShifts(tx, busId);
  return rebuildDays(tx, busId, [...days].sort());
}

// The process that stored the unit's last batch knows the shifts of before; this makes it read again. Units are locked
// first.
async function forgetShifts(tx: Tx, busId: number): Promise<void> {
  await sql`update units set batches = batches + 1 where workplace_id = ${busId}`.execute(tx);
}

async function rebuildOrMark(tx: Tx, busId: number, ordered: readonly string[]): Promise<void> {
  await rebuildDays(tx, busId, ordered.slice(-MOST_DAYS_AT_ONCE));
  const older = ordered.slice(0, -MOST_DAYS_AT_ONCE);
  if (older.length === 0) return;
  await sql`insert into stale_hours (workplace_id, day)
    select ${busId}::bigint, day from unnest(${older}::date[]) as day
    on conflict do nothing`.execute(tx);
  await addJob(tx, 'rebuild_hours', {}, { key: 'rebuild_hours' });
}

async function rebuildDays(tx: Tx, busId: number, ordered: readonly string[]): Promise<SeenHours> {
  await lockDays(tx, busId, ordered);
  // Before any read: a concurrent change waits for this one and marks the days again.
  await sql`delete from stale_hours
    where workplace_id = ${busId} and day = any(${ordered}::date[])`.execute(tx);
  const zones = await listZoneSpans(tx, busId);
  const days = ordered.map((day) => ({ busId, day, ...boundsOfDay(zones, day) }));
  const special = await listSpecialDays(tx, busId, days, zones);
  const usual = days.filter(({ day }) => !special.has(day));
  const seen = await replaceHours(tx, busId, usual, unitHours(usual));
  if (special.size === 0) return seen;
  const shifts = await listShifts(tx, busId, ordered[0] ?? '', ordered.at(-1));
  for (const one of days) {
    if (!special.has(one.day)) continue;
    const sums = await listEffectiveSums(tx, one, shifts);
    const hours = hourRows(sumHours(sums, zones, shifts));
    await replaceHours(tx, busId, [one], sql`select null::date as day, * from ${hours} as hours`);
  }
  return seen;
}

// Only the slower way knows which event belongs to which fragment, which counter saw it, and when the hours of a clock
// begin that is changed within an hour.
async function listSpecialDays(
  tx: Tx,
  busId: number,
  days: readonly BusDay[],
  zones: readonly ZoneSpan[],
): Promise<ReadonlySet<string>> {
  if (zones.some(({ source }) => source === 'video')) return new Set(days.map(({ day }) => day));
  const counted = await listCountedDays(tx, busId, days);
  const uneven = days.filter((day) => !hasEvenHours(hoursOfDay(zones, day)));
  return new Set([...counted, ...uneven.map(({ day }) => day)]);
}

// Hours that are as they should be are not written: a rebuild of years would leave a dead row of each.
async function replaceHours(
  tx: Tx,
  busId: number,
  days: readonly BusDay[],
  hours: RawBuilder<unknown>,
): Promise<SeenHours> {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  // The planner has to know bus and period: by the days alone it reads the hours of all buses.
  const before = sql`hourly_traffic as kept join ${boundDays(days)}
    on hour_start >= bus.day_start and hour_start < bus.day_end
    where workplace_id = ${busId} and hour_start >= ${new Date(first.startMs)}::timestamptz
      and hour_start < ${new Date(last.endMs)}::timestamptz`;
  const { rows } = await sql<{ day: string; starts: number[] }>`
    with fresh as materialized (${hours}),
    before as materialized (select kept.* from ${before}),
    gone as (
      delete from hourly_traffic as kept using before
      where kept.workplace_id = ${busId} and kept.hour_start = before.hour_start and kept.unit_id = before.unit_id
        and not exists (select from fresh
          where fresh.hour_start = before.hour_start and fresh.unit_id = before.unit_id)
    ),
    written as (
      insert into hourly_traffic (workplace_id, hour_start, unit_id, ${hourPeople})
      select ${busId}::bigint, changed.* from (
        select hour_start, unit_id, ${hourPeople} from fresh
        except select hour_start, unit_id, ${hourPeople} from before
      ) as changed
      on conflict (workplace_id, hour_start, unit_id) do update set
        ${eachColumn((column) => sql`${column} = excluded.${column}`)}
    )
    select day, array_agg(distinct (extract(epoch from hour_start) * 1000)::bigint) as starts
    from fresh where day is not null group by day`.execute(tx);
  return new Map(rows.map(({ day, starts }) => [day, starts]));
}

// The hours of days on which the unit's events alone count: as `sumHours`, in a query that reads the index of events alone.
function unitHours(days: readonly BusDay[]): RawBuilder<unknown> {
  const people = (which: RawBuilder<unknown>) =>
    sql`coalesce(sum(count) filter (where ${which}), 0)::int`;
  const [entered, exited] = [sql`direction = 'entered'`, sql`direction = 'exited'`];
  const [adults, kids] = [sql`passenger = 'adult' and is_in`, sql`passenger = 'child' and is_in`];
  return sql`
    select bus.day, sums.*
    from ${boundDays(days)}
    left join calculations as own on own.workplace_id = bus.id and own.day = bus.day
    cross join lateral (
      select date_bin('1 hour', time, bus.day_start) as hour_start, unit_id,
        ${people(sql`${entered} and ${adults}`)} as entered_adults,
        ${people(sql`${entered} and ${kids}`)} as entered_kids,
        ${people(sql`${exited} and ${adults}`)} as exited_adults,
        ${people(sql`${exited} and ${kids}`)} as exited_kids,
        0 as entered_manual, 0 as exited_manual,
        ${people(sql`${entered} and not is_in`)} as entered_outside,
        ${people(sql`${exited} and not is_in`)} as exited_outside
      from passenger_events
      cross join lateral (select (own.shift_start is null or time >= own.shift_start)
        and (own.shift_end is null or time < own.shift_end) as is_in) as shift
      where workplace_id = bus.id and time >= bus.day_start and time < bus.day_end
      group by 1, 2
    ) as sums`;
}

/**
 * Updates the hours after a batch: adds what it brings, or rebuilds the days if there are manual counts, because an
 * event within such a fragment changes its difference. Call it when the days of the batch are locked.
 * @param times of its events, and the old and new bounds of its fragments, ms since 1970 UTC
 * @param hours what its events add, ascending
 */
export async function changeHours(
  tx: Tx,
  { busId, zones }: { readonly busId: number; readonly zones: readonly ZoneSpan[] },
  times: readonly number[],
  hours: readonly HourSum[],
): Promise<void> {
  if (times.length === 0) return;
  const earliestMs = times.reduce((a, b) => Math.min(a, b));
  const { counted_until: countedUntil } = await tx
    .selectFrom('workplaces')
    .select('counted_until')
    .where('id', '=', busId)
    .executeTakeFirstOrThrow();
  if (countedUntil === null || countedUntil.getTime() <= earliestMs) {
    await addHours(tx, busId, hours);
    return;
  }
  const localDay = createDayFinder(zones);
  // A fragment with manual counts may begin on the day before or end on the day after.
  const days = [-MAX_FRAGMENT_MS, 0, MAX_FRAGMENT_MS].flatMap((shiftMs) =>
    times.map((ms) => localDay(ms + shiftMs).day),
  );
  await rebuildOrMark(tx, busId, [...new Set(days)].sort());
}

/** Records until when the buses of fragments have manual counts. Call it before the days are locked. */
export async function noteCounted(tx: Tx, fragmentIds: readonly number[]): Promise<void> {
  if (fragmentIds.length === 0) return;
  await sql`
    update workplaces set counted_until = greatest(counted_until, counted.until)
    from (
      select workplace_id, max(end_time) as until
      from manual_counts join segments on segments.id = segment_id
      join cameras on cameras.id = camera_id
      where segments.id = any(${fragmentIds}::bigint[]) group by workplace_id
    ) as counted
    where workplaces.id = counted.workplace_id
      and (counted_until is null or counted_until < counted.until)`.execute(tx);
}
