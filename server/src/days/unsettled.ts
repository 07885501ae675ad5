// The days that are to be settled (settle.ts), and their lock. A transaction locks the bus's days first, then its row
// in unsettled_days: the settling of a day either sees a change that is not committed yet, or the change asks again.
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { askedDays, inLockOrder } from './bound-days.ts';
import type { DayOfBus } from './bus-days.ts';

/**
 * Locks local days of a bus until the transaction ends, as batches do before they store. The lock's holder sees
 * everything that an earlier batch stored; a later batch adds to the result.
 * @param days ascending, each once
 */
export async function lockDays(tx: Tx, busId: number, days: readonly string[]): Promise<void> {
  await lockDaysOf(
    tx,
    days.map((day) => ({ busId, day })),
  );
}

/** Locks local days of several buses, as `lockDays`. @param days in the order of `inLockOrder` */
export async function lockDaysOf(tx: Tx, days: readonly DayOfBus[]): Promise<void> {
  await sql`insert into lap_days as kept (workplace_id, day)
    select workplace_id, day from ${askedDays(days)}
    on conflict (workplace_id, day) do update set workplace_id = kept.workplace_id where false`.execute(
    tx,
  );
}

/** Most unsettled days that one answer reads as they are now, the newest; others are read as they were settled last. */
export const MOST_LIVE_DAYS = 10_000;

/** The tables in which days wait to be settled: for their laps, while these are computed, or by themselves. */
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

/** Has days settled whose rows in lap_days are locked. @param days in the order of `inLockOrder` */
export async function markUnsettled(tx: Tx, days: readonly DayOfBus[]): Promise<void> {
  await sql`insert into unsettled_days (workplace_id, day)
    select workplace_id, day from ${askedDays(days)}
    on conflict do nothing`.execute(tx);
}

/**
 * Has the figures of a bus's local days settled anew, with those of later days without a calculation of their own, which
 * show the values of these. Call it in the transaction that changes a calculation or the route of the days, for the
 * buses in order of their ids.
 * @param days `YYYY-MM-DD`
 */
export async function requestSettle(tx: Tx, busId: number, days: Iterable<string>): Promise<void> {
  await requestSettleOf(
    tx,
    Array.from(days, (day) => ({ busId, day })),
  );
}

/** Has the figures of several buses' local days settled anew, as `requestSettle`. @param days some hundred at most */
export async function requestSettleOf(tx: Tx, days: readonly DayOfBus[]): Promise<void> {
  if (days.length === 0) return;
  const { rows } = await sql<DayOfBus>`
    with asked as (select workplace_id, day from ${askedDays(days)}),
    bus as (
      select workplace_id as id, array_agg(day) as days, min(day) as first_day from asked group by 1
    )
    select workplace_id as "busId", day from asked
    union
    select bus.id, settled.day from bus
    join day_traffic as settled on settled.workplace_id = bus.id and settled.day > bus.first_day
    where (select max(day) from calculations where workplace_id = bus.id
        and calculations.day <= settled.day) = any(bus.days)`.execute(tx);
  const ordered = inLockOrder(rows);
  await lockDaysOf(tx, ordered);
  await markUnsettled(tx, ordered);
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
