// The rollup of effective counts within the shift by local hour, updated in the transaction that changes anything they
// depend on. A change locks the rows of its days in lap_days, so that changes of one day take turns.
import { MAX_FRAGMENT_MS } from '@ridewatch/contract/unit';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { addJob } from '../core/jobs/jobs.ts';
import { boundsOfDay, createDayFinder, listZoneSpans, type ZoneSpan } from '../days/bus-days.ts';
import { type BoundDay, boundDays } from './day-figures.ts';
import type { BoardingEvent } from './effective.ts';
import { listCountedDays, listEffectiveEvents } from './queries.ts';
import { isInShift, listShifts, NO_SHIFTS, type Shifts } from './shifts.ts';
import { lockDays, markUnsettled } from './unsettled.ts';

const HOUR_MS = 3_600_000;
/** Above this number of days, a job rebuilds them. */
export const MOST_DAYS_AT_ONCE = 62;

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
 * Sums events by the bus's local hours.
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
  for (const { timeMs, direction, adult, kids } of events) {
    const { day, startMs } = localDay(timeMs);
    if (!isInShift(shifts, day, timeMs)) continue;
    const hourMs = startMs + Math.floor((timeMs - startMs) / HOUR_MS) * HOUR_MS;
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
  const column = (pick: (sum: HourSum) => number): number[] => hours.map(pick);
  await sql`
    insert into hourly_traffic as kept
      (workplace_id, hour_start, entered_adults, entered_kids, exited_adults, exited_kids)
    select ${busId}::bigint, * from unnest(
      ${hours.map(({ hourMs }) => new Date(hourMs))}::timestamptz[],
      ${column((sum) => sum.enteredAdults)}::int[], ${column((sum) => sum.enteredKids)}::int[],
      ${column((sum) => sum.exitedAdults)}::int[], ${column((sum) => sum.exitedKids)}::int[])
    on conflict (workplace_id, hour_start) do update set
      entered_adults = kept.entered_adults + excluded.entered_adults,
      entered_kids = kept.entered_kids + excluded.entered_kids,
      exited_adults = kept.exited_adults + excluded.exited_adults,
      exited_kids = kept.exited_kids + excluded.exited_kids`.execute(tx);
}

/**
 * Rebuilds the hours of local days from the raw records, in the transaction that changes what they depend on, such as
 * the shift, and has the days settled. More than 62 days are marked stale and left to a job.
 * @param days `YYYY-MM-DD`
 */
export async function rebuildHours(tx: Tx, busId: number, days: Iterable<string>): Promise<void> {
  const ordered = [...new Set(days)].sort();
  if (ordered.length === 0) return;
  // Whoever stored the unit's last batch knows the shifts of before; this makes it read again. Units are locked first.
  await sql`update units set batches = batches + 1 where workplace_id = ${busId}`.execute(tx);
  await rebuildDays(tx, busId, ordered);
  if (ordered.length <= MOST_DAYS_AT_ONCE) await markUnsettled(tx, busId, ordered);
}

// As above, without the unit and without settling, which the laps of the days will do.
async function rebuildDays(tx: Tx, busId: number, ordered: readonly string[]): Promise<void> {
  if (ordered.length > MOST_DAYS_AT_ONCE) {
    await sql`insert into stale_hours (workplace_id, day)
      select ${busId}::bigint, day from unnest(${ordered}::date[]) as day
      on conflict do nothing`.execute(tx);
    await addRebuildJob(tx);
    return;
  }
  await lockDays(tx, busId, ordered);
  // Before any read: a concurrent change waits for this one and marks the days again.
  await sql`delete from stale_hours
    where workplace_id = ${busId} and day = any(${ordered}::date[])`.execute(tx);
  const zones = await listZoneSpans(tx, busId);
  const days = ordered.map((day) => ({ busId, day, ...boundsOfDay(zones, day) }));
  const [first, last] = [days[0]?.startMs ?? 0, days.at(-1)?.endMs ?? 0];
  // The planner has to know bus and period: by the days alone it reads the hours of all buses.
  await sql`delete from hourly_traffic as kept using ${boundDays(days)}
    where kept.workplace_id = ${busId} and bus.id = ${busId}
      and kept.hour_start >= ${new Date(first)}::timestamptz and kept.hour_start < ${new Date(last)}::timestamptz
      and kept.hour_start >= bus.day_start and kept.hour_start < bus.day_end`.execute(tx);
  const special = await listSpecialDays(tx, busId, days, zones);
  await insertUnitHours(
    tx,
    days.filter(({ day }) => !special.has(day)),
  );
  if (special.size === 0) return;
  const shifts = await listShifts(tx, busId, ordered[0] ?? '', ordered.at(-1));
  for (const { day, startMs, endMs } of days) {
    if (!special.has(day)) continue;
    const events = await listEffectiveEvents(tx, busId, startMs, endMs);
    await addHours(tx, busId, sumHours(events, zones, shifts));
  }
}

// Which event belongs to which fragment, which counter saw it, and when the hours of two zones begin on one day, only the
// slower way knows.
async function listSpecialDays(
  tx: Tx,
  busId: number,
  days: readonly BoundDay[],
  zones: readonly ZoneSpan[],
): Promise<ReadonlySet<string>> {
  if (zones.some(({ source }) => source === 'video')) return new Set(days.map(({ day }) => day));
  const counted = await listCountedDays(tx, busId, days);
  const ofTwoZones = days.filter(({ startMs, endMs }) =>
    zones.some(({ fromMs }) => fromMs > startMs && fromMs < endMs),
  );
  return new Set([...counted, ...ofTwoZones.map(({ day }) => day)]);
}

// The hours of days on which the unit's events alone count: as `sumHours`, in one statement.
async function insertUnitHours(tx: Tx, days: readonly BoundDay[]): Promise<void> {
  if (days.length === 0) return;
  const people = (direction: string, passenger: string) => sql`
    coalesce(sum(count) filter (where direction = ${direction} and passenger = ${passenger}), 0)::int`;
  await sql`
    insert into hourly_traffic
      (workplace_id, hour_start, entered_adults, entered_kids, exited_adults, exited_kids)
    select bus.id, bus.day_start + seen.hour * interval '1 hour', seen.entered_adults, seen.entered_kids,
      seen.exited_adults, seen.exited_kids
    from ${boundDays(days)}
    left join calculations as own on own.workplace_id = bus.id and own.day = bus.day
    cross join lateral (
      select floor(extract(epoch from time - bus.day_start) / 3600)::int as hour,
        ${people('entered', 'adult')} as entered_adults, ${people('entered', 'child')} as entered_kids,
        ${people('exited', 'adult')} as exited_adults, ${people('exited', 'child')} as exited_kids
      from passenger_events
      where workplace_id = bus.id and time >= greatest(bus.day_start, own.shift_start)
        and time < least(bus.day_end, own.shift_end)
      group by 1
    ) as seen`.execute(tx);
}

/** Adds the job that rebuilds stale days, after waiting jobs. */
export async function addRebuildJob(db: Db): Promise<void> {
  await addJob(db, 'rebuild_hours', {}, { key: 'rebuild_hours' });
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
  await rebuildDays(tx, busId, [...new Set(days)].sort());
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
  const raw = stale.map(({ day }) => boundsOfDay(zones, day));
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
  for (const { startMs, endMs } of raw) {
    const events = await listEffectiveEvents(db, busId, startMs, endMs);
    hours.push(...sumHours(events, zones, shifts));
  }
  return hours.filter(hasPeople).sort((a, b) => a.hourMs - b.hourMs);
}

function hasPeople(sum: HourSum): boolean {
  return [sum.enteredAdults, sum.enteredKids, sum.exitedAdults, sum.exitedKids].some(
    (count) => count !== 0,
  );
}
