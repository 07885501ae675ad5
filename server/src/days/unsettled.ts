// Which days are to be settled (settle.ts), and the lock under which they are. A transaction locks the bus's days first,
// then its row in unsettled_days: a change that is not committed yet is either seen by who settles the day, or asks again.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';

/**
 * Locks local days of a bus until the transaction ends, as batches do before they store. The lock's holder sees
 * everything that an earlier batch stored; a later batch adds to the result.
 * @param days ascending, each once
 */
export async function lockDays(tx: Tx, busId: number, days: readonly string[]): Promise<void> {
  await sql`insert into lap_days as kept (workplace_id, day)
    select ${busId}::bigint, day from unnest(${days}::date[]) as day
    on conflict (workplace_id, day) do update set workplace_id = kept.workplace_id where false`.execute(
    tx,
  );
}

/** Most unsettled days that one answer reads as they are now, the newest; others are read as they were settled last. */
export const MOST_LIVE_DAYS = 10_000;

/** Where days wait to be settled: for their laps, while these are computed, or by themselves. */
const UNSETTLED = [
  sql`lap_days as waiting where due_at is not null`,
  sql`lap_days as waiting where taken > stored`,
  sql`unsettled_days as waiting where true`,
];

/**
 * The days whose settled figures may be older than their records, as a select of (workplace_id, day).
 * @param isChosen a condition on `waiting`, which has these two columns
 * @param most so many days, the newest, are read of each place where days wait
 */
export function unsettledDays(isChosen: RawBuilder<unknown>, most: number): RawBuilder<unknown> {
  return newestOf(UNSETTLED, isChosen, most);
}

/** The same, with the days whose hours a job is rebuilding. */
export function waitingDays(isChosen: RawBuilder<unknown>, most: number): RawBuilder<unknown> {
  return newestOf([...UNSETTLED, sql`stale_hours as waiting where true`], isChosen, most);
}

// Each part stops at its index's first rows; the whole list may have a row for every day of years.
function newestOf(
  places: readonly RawBuilder<unknown>[],
  isChosen: RawBuilder<unknown>,
  most: number,
): RawBuilder<unknown> {
  const parts = places.map(
    (place) => sql`(select workplace_id, day from ${place} and ${isChosen}
      order by day desc, workplace_id limit ${most})`,
  );
  return sql.join(parts, sql` union `);
}

/** Has days settled whose rows in lap_days are locked. @param days `YYYY-MM-DD` */
export async function markUnsettled(tx: Tx, busId: number, days: readonly string[]): Promise<void> {
  await sql`insert into unsettled_days (workplace_id, day)
    select ${busId}::bigint, day from unnest(${days}::date[]) as day order by day
    on conflict do nothing`.execute(tx);
}

/**
 * Has the figures of a bus's local days settled anew, with those of later days without a calculation of their own, which
 * show the values of these. Call it in the transaction that changes a calculation or the route of the days, for the
 * buses in order of their ids.
 * @param days `YYYY-MM-DD`
 */
export async function requestSettle(tx: Tx, busId: number, days: Iterable<string>): Promise<void> {
  const asked = [...new Set(days)];
  if (asked.length === 0) return;
  const { rows } = await sql<{ day: string }>`
    select day from unnest(${asked}::date[]) as day
    union
    select day from day_traffic as settled
    where workplace_id = ${busId} and day > (select min(day) from unnest(${asked}::date[]) as day)
      and (select max(day) from calculations where workplace_id = ${busId}
        and calculations.day <= settled.day) = any(${asked}::date[])
    order by day`.execute(tx);
  const ordered = rows.map(({ day }) => day);
  await lockDays(tx, busId, ordered);
  await markUnsettled(tx, busId, ordered);
}

/**
 * Has all days of a route's buses settled anew, from a local day on. Call it in the transaction that changes how the
 * route's revenue is calculated, before other days are locked.
 * @param fromDay `YYYY-MM-DD`
 */
export async function requestSettleOfRoute(
  tx: Tx,
  routeId: number,
  fromDay: string,
): Promise<void> {
  await sql`
    with locked as (
      select lap_days.workplace_id, lap_days.day from lap_days join day_traffic using (workplace_id, day)
      where day_traffic.group_id = ${routeId} and day_traffic.day >= ${fromDay}::date
      order by lap_days.workplace_id, lap_days.day for no key update of lap_days
    )
    insert into unsettled_days (workplace_id, day) select workplace_id, day from locked
    on conflict do nothing`.execute(tx);
}
