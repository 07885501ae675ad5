// A bus passes to another customer at the end of its local day: that day and the earlier ones stay with the former one
// (docs/decisions/088-owned-days.md).
import type { BusOwner } from '@ridewatch/contract/admin-buses';
import { addDays } from '@ridewatch/contract/day';
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { clientName } from '../access/client.ts';
import { isOfVisibleClient } from '../access/visible.ts';
import type { Actor } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { writersOf } from '../days/bus-days.ts';
import { findSettingsOn, leaveRoutesAfter } from '../days/bus-settings.ts';

/** Most owners in an answer, the latest. */
const MOST_OWNERS = 200;

/** The customers of a bus that the user may know, with their days, the latest first. */
export async function listOwners(db: Db, viewer: Viewer, busId: number): Promise<BusOwner[]> {
  const { rows } = await sql<BusOwner>`
    select jsonb_build_object('id', clients.id, 'name', ${clientName}) as client,
      nullif(from_day, '-infinity') as from_day, nullif(to_day, 'infinity') as to_day
    from bus_owners join clients on clients.id = client_id
    where workplace_id = ${busId} and ${isOfVisibleClient(viewer, sql.ref('client_id'))}
    order by bus_owners.to_day desc, bus_owners.from_day desc, ${clientName} collate natural_ru, clients.id
    limit ${MOST_OWNERS}`.execute(db);
  return rows;
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

/**
 * Makes the visible ones among the customers of a bus these; the others stay. The new ones own the days after today, and
 * all of them if the bus never had data. Routes of customers that leave end today, and nobody's fare passes to another.
 * The caller has locked the bus's settings.
 * @param clients at least one
 * @param today the bus's local day, `YYYY-MM-DD`
 */
export async function moveBus(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  busId: number,
  clients: readonly Named[],
  today: string,
): Promise<Handover> {
  const ids = sql`${clients.map(({ id }) => id)}::bigint[]`;
  // Records without a time may still be placed on its days, also by a unit that has left it.
  const { rows } = await sql<{ hasData: boolean }>`
    select exists (select from bus_days where workplace_id = ${busId})
      or exists (select from aside_records where unit_id in (${writersOf([busId])})) as "hasData"`.execute(
    tx,
  );
  const hasData = rows[0]?.hasData ?? false;
  const leaves = sql`workplace_id = ${busId} and to_day = 'infinity' and client_id <> all(${ids})
    and ${isOfVisibleClient(viewer, sql.ref('client_id'))}`;
  await sql`
    delete from bus_owners where ${leaves} and (not ${hasData} or from_day > ${today}::date)`.execute(
    tx,
  );
  await sql`update bus_owners set to_day = ${today}::date where ${leaves}`.execute(tx);
  // One that left today and comes back has never been away. After a change of the time zone, an earlier stay may end
  // today, too.
  await sql`
    update bus_owners set to_day = 'infinity'
    where workplace_id = ${busId} and client_id = any(${ids}) and to_day >= ${today}::date
      and from_day = (select max(from_day) from bus_owners as stays
        where stays.workplace_id = ${busId} and stays.client_id = bus_owners.client_id)`.execute(
    tx,
  );
  await sql`
    insert into bus_owners (workplace_id, client_id, from_day)
    select ${busId}, client_id, case when not ${hasData} then '-infinity'
      when exists (select from bus_owners where workplace_id = ${busId}
        and ${today}::date between from_day and to_day) then ${today}::date + 1
      else ${today}::date end
    from unnest(${ids}) as wanted (client_id)
    where not exists (select from workplace_clients as present
      where present.workplace_id = ${busId} and present.client_id = wanted.client_id)`.execute(tx);
  // Batches that somebody listened to are kept for some days.
  await sql`delete from unit_feed
    where unit_id in (select id from units where workplace_id = ${busId})`.execute(tx);
  const firstDay = hasData ? addDays(today, 1) : today;
  const isRouteEnded = await endForeignRoutes(tx, busId, firstDay);
  const isFareEnded = await resetFare(tx, actor, busId, firstDay);
  return { from: hasData ? firstDay : null, isRouteEnded, isFareEnded };
}

// From the day on, the bus drives no route of a customer that it does not belong to.
async function endForeignRoutes(tx: Tx, busId: number, day: string): Promise<boolean> {
  const isForeign = sql<boolean>`not exists (
    select from route_groups join workplace_clients as owner on owner.client_id = route_groups.client_id
    where route_groups.id = group_id and owner.workplace_id = ${busId})`;
  const { group_id, ...settings } = await findSettingsOn(tx, busId, day);
  const { rows } = await sql<{ isForeign: boolean }>`
    select ${isForeign} as "isForeign" from (values (${group_id}::bigint)) as route (group_id)`.execute(
    tx,
  );
  const isForeignNow = group_id !== null && (rows[0]?.isForeign ?? false);
  if (isForeignNow) {
    const without = { ...settings, group_id: null, terminal_stop_id: null };
    await changeBusSettings(tx, [{ busId, day, settings: without }]);
  }
  return (await leaveRoutesAfter(tx, busId, day, isForeign)) || isForeignNow;
}

// A day without a record takes over the fare and the salary of the day before. Between customers that would tell one what
// the other takes and pays.
async function resetFare(tx: Tx, actor: Actor, busId: number, day: string): Promise<boolean> {
  await sql`
    delete from calculations where workplace_id = ${busId} and day = ${day}::date
      and fare_kopecks = 0 and salary_percent = 0 and version = 0 and updated_by is null
      and copied_from is null`.execute(tx);
  const { numAffectedRows = 0n } = await sql`
    insert into calculations (workplace_id, day, created_at)
    select ${busId}, ${day}::date, ${new Date(actor.atMs)}
    where not exists (select from bus_owners where workplace_id = ${busId}
      and to_day = 'infinity' and from_day < ${day}::date)
    on conflict do nothing`.execute(tx);
  return numAffectedRows > 0n;
}
