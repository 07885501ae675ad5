// A bus passes to another customer at the end of its local day: that day and the earlier ones stay with the former one
// (docs/decisions/088-owned-days.md).
import type { BusOwner } from '@ridewatch/contract/admin-buses';
import { addDays } from '@ridewatch/contract/day';
import type { Named } from '@ridewatch/contract/paging';
import { type RawBuilder, sql } from 'kysely';
import { clientName } from '../access/client.ts';
import { isOfVisibleClient } from '../access/visible.ts';
import type { Actor } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { askedDays } from '../days/bound-days.ts';
import { type DayOfBus, writersOf } from '../days/bus-days.ts';
import { type BusSettings, leaveRoutesAfter, settingsOn } from '../days/bus-settings.ts';

/** Most owners in an answer, the latest. */
const MOST_OWNERS = 200;

/** The customers of a bus that the user may know, with their days, the latest first. */
export async function listOwners(db: Db, viewer: Viewer, busId: number): Promise<BusOwner[]> {
  return (await listOwnersOf(db, viewer, [busId])).get(busId) ?? [];
}

/** Those of several buses, by bus, as `listOwners`. */
export async function listOwnersOf(
  db: Db,
  viewer: Viewer,
  busIds: readonly number[],
): Promise<ReadonlyMap<number, BusOwner[]>> {
  const { rows } = await sql<BusOwner & { bus: number }>`
    select bus.id as bus, owner.* from unnest(${[...busIds]}::bigint[]) as bus (id)
    cross join lateral (
      select jsonb_build_object('id', clients.id, 'name', ${clientName}) as client,
        nullif(from_day, '-infinity') as from_day, nullif(to_day, 'infinity') as to_day
      from bus_owners join clients on clients.id = client_id
      where workplace_id = bus.id and ${isOfVisibleClient(viewer, sql.ref('client_id'))}
      order by bus_owners.to_day desc, bus_owners.from_day desc, ${clientName} collate natural_ru, clients.id
      limit ${MOST_OWNERS}
    ) as owner`.execute(db);
  const byBus = Map.groupBy(rows, ({ bus }) => bus);
  return new Map([...byBus].map(([bus, own]) => [bus, own.map(({ bus: _, ...owner }) => owner)]));
}

/** The effects of a move of a bus to other customers. */
export interface Handover {
  /** The first day of the new ones, `YYYY-MM-DD`; null: all days are theirs. */
  readonly from: string | null;
  /** Whether it was on a route of a customer that has left, or was to be. */
  readonly isRouteEnded: boolean;
  /** Whether the fare and the driver's percent begin with 0. */
  readonly isFareEnded: boolean;
}

/** A bus that moves. */
interface MovingBus {
  readonly busId: number;
  /** Its local day, `YYYY-MM-DD`. */
  readonly today: string;
}

/**
 * Makes the visible ones among the customers of buses these; the others stay. The new ones own the days after today, and
 * all of them of a bus that never had data. Routes of customers that leave end today, and nobody's fare passes to another.
 * The caller has locked the settings of the buses.
 * @param buses some hundred at most, each once
 * @param clients at least one
 * @returns the effects, by bus
 */
export async function moveBuses(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  buses: readonly MovingBus[],
  clients: readonly Named[],
): Promise<ReadonlyMap<number, Handover>> {
  const ids = sql`${clients.map(({ id }) => id)}::bigint[]`;
  const busIds = buses.map(({ busId }) => busId);
  const withData = await findWithData(tx, busIds);
  const moved = sql`unnest(${busIds}::bigint[], ${buses.map(({ today }) => today)}::date[],
    ${busIds.map((id) => withData.has(id))}::boolean[]) as moved (bus, today, has_data)`;
  const leaves = sql`workplace_id = moved.bus and to_day = 'infinity' and client_id <> all(${ids})
    and ${isOfVisibleClient(viewer, sql.ref('client_id'))}`;
  await sql`
    delete from bus_owners using ${moved}
    where ${leaves} and (not moved.has_data or from_day > moved.today)`.execute(tx);
  await sql`update bus_owners set to_day = moved.today from ${moved} where ${leaves}`.execute(tx);
  // One that left today and comes back has never been away. After a change of the time zone, an earlier stay may end
  // today, too.
  await sql`
    update bus_owners set to_day = 'infinity' from ${moved}
    where workplace_id = moved.bus and client_id = any(${ids}) and to_day >= moved.today
      and from_day = (select max(from_day) from bus_owners as stays
        where stays.workplace_id = moved.bus and stays.client_id = bus_owners.client_id)`.execute(
    tx,
  );
  await sql`
    insert into bus_owners (workplace_id, client_id, from_day)
    select moved.bus, wanted.client_id, case when not moved.has_data then '-infinity'
      when exists (select from bus_owners where workplace_id = moved.bus
        and moved.today between from_day and to_day) then moved.today + 1
      else moved.today end
    from ${moved} cross join unnest(${ids}) as wanted (client_id)
    where not exists (select from workplace_clients as present
      where present.workplace_id = moved.bus and present.client_id = wanted.client_id)`.execute(tx);
  // Batches that somebody listened to are kept for some days, and a late note of one needs somebody who listens.
  await sql`update units set feed_until = null
    where workplace_id = any(${busIds}::bigint[]) and feed_until is not null`.execute(tx);
  await sql`delete from unit_feed
    where unit_id in (select id from units where workplace_id = any(${busIds}::bigint[]))`.execute(
    tx,
  );
  const firstDays = buses.map(({ busId, today }) => ({
    ...{ busId, day: withData.has(busId) ? addDays(today, 1) : today },
  }));
  const withoutRoute = await endForeignRoutes(tx, firstDays);
  const withoutFare = await resetFares(tx, actor, firstDays);
  return new Map(
    firstDays.map(({ busId, day }) => [
      busId,
      {
        from: withData.has(busId) ? day : null,
        isRouteEnded: withoutRoute.has(busId),
        isFareEnded: withoutFare.has(busId),
      },
    ]),
  );
}

// The buses that have, or may still get, records.
async function findWithData(tx: Tx, busIds: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select bus.id from unnest(${[...busIds]}::bigint[]) as bus (id)
    where exists (select from bus_days where workplace_id = bus.id)`.execute(tx);
  const found = new Set(rows.map(({ id }) => id));
  for (const busId of busIds.filter((id) => !found.has(id))) {
    // Records without a time may still be placed on its days, also by a unit that has left it.
    const aside = await sql`
      select from aside_records where unit_id in (${writersOf([busId])}) limit 1`.execute(tx);
    if (aside.rows.length > 0) found.add(busId);
  }
  return found;
}

// From the day on, a bus drives no route of a customer that it does not belong to.
async function endForeignRoutes(tx: Tx, days: readonly DayOfBus[]): Promise<ReadonlySet<number>> {
  const isForeign = (busId: RawBuilder<unknown>, routeId: RawBuilder<unknown>) => sql<boolean>`(
    ${routeId} is not null and not exists (
      select from route_groups join workplace_clients as owner on owner.client_id = route_groups.client_id
      where route_groups.id = ${routeId} and owner.workplace_id = ${busId}))`;
  const { rows } = await sql<BusSettings & DayOfBus>`
    select asked.workplace_id as "busId", asked.day, settings.* from ${askedDays(days)}
    cross join lateral ${settingsOn(sql.ref('asked.workplace_id'), sql.ref('asked.day'))} as settings
    where ${isForeign(sql.ref('asked.workplace_id'), sql.ref('settings.group_id'))}`.execute(tx);
  if (rows.length > 0) {
    const without = { group_id: null, terminal_stop_id: null };
    await changeBusSettings(
      tx,
      rows.map(({ busId, day, ...settings }) => ({
        ...{ busId, day, settings: { ...settings, ...without } },
      })),
    );
  }
  const later = await leaveRoutesAfter(tx, days, isForeign);
  return new Set([...rows.map(({ busId }) => busId), ...later]);
}

// A day without a record takes over the fare and the salary of the day before. Between customers that would tell one what
// the other takes and pays.
async function resetFares(
  tx: Tx,
  actor: Actor,
  days: readonly DayOfBus[],
): Promise<ReadonlySet<number>> {
  await sql`
    delete from calculations using ${askedDays(days)}
    where calculations.workplace_id = asked.workplace_id and calculations.day = asked.day
      and fare_kopecks = 0 and salary_percent = 0 and version = 0 and updated_by is null
      and copied_from is null`.execute(tx);
  const { rows } = await sql<{ id: number }>`
    insert into calculations (workplace_id, day, created_at)
    select asked.workplace_id, asked.day, ${new Date(actor.atMs)}::timestamptz
    from ${askedDays(days)}
    where not exists (select from bus_owners where workplace_id = asked.workplace_id
      and to_day = 'infinity' and from_day < asked.day)
    on conflict do nothing returning workplace_id as id`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}
