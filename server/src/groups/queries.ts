import { dayOf } from '@ridewatch/contract/day';
import { type RouteGroup, UNGROUPED } from '@ridewatch/contract/groups';
import { sql } from 'kysely';
import { findBus, findGroup } from '../access.ts';
import { type Actor, insertAudit } from '../audit.ts';
import type { Viewer } from '../auth/viewer.ts';
import { listZoneSpans, zoneAt } from '../bus-days.ts';
import { announceBusChange } from '../buses/queries.ts';
import type { Db } from '../db.ts';
import { notFound } from '../errors.ts';
import { requestLaps } from '../laps/queries.ts';

/** A move is looked at once. */
const EDIT_WAIT_MS = 1000;

/** The route groups of a customer, by name. */
export async function listClientGroups(db: Db, clientId: number): Promise<RouteGroup[]> {
  return db
    .selectFrom('route_groups')
    .select(['id', 'name', 'client_id', 'deleted', 'type_calculation'])
    .where('client_id', '=', clientId)
    .where('deleted', '=', false)
    .orderBy(sql`name collate natural_ru`)
    .execute();
}

/**
 * Moves a bus to another group of its customer, or out of any, from its today on or another day; days before stay as
 * they were, and so does what is set from a later day on.
 * @throws AppError not_found, also for a group of another customer
 */
export async function setGroup(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  { workplaceId, groupId }: { workplaceId: number; groupId: number | typeof UNGROUPED },
  nowMs: number,
  validFrom?: string,
): Promise<RouteGroup | null> {
  return db.transaction().execute(async (tx) => {
    const bus = await findBus(tx, viewer, workplaceId);
    const group = groupId === UNGROUPED ? null : await findGroup(tx, viewer, groupId);
    if (group !== null) await checkSameClient(tx, bus.id, group.clientId);
    // Moves of one bus take turns, so that each sees what the one before it left.
    await sql`select from workplaces where id = ${bus.id} for update`.execute(tx);
    const zone = zoneAt(await listZoneSpans(tx, bus.id), nowMs);
    const today = dayOf(nowMs, zone);
    const day = validFrom ?? today;
    const before = await tx
      .selectFrom('workplace_settings')
      .select(['group_id', 'timezone', 'terminal_stop_id'])
      .where('workplace_id', '=', bus.id)
      .where('valid_from', '<=', day)
      .orderBy('valid_from', 'desc')
      .executeTakeFirst();
    const isSame = (before?.group_id ?? null) === (group?.id ?? null);
    const moved = {
      group_id: group?.id ?? null,
      // The bus's own terminal is a stop of the route that it leaves.
      terminal_stop_id: isSame ? (before?.terminal_stop_id ?? null) : null,
    };
    await tx
      .insertInto('workplace_settings')
      .values({
        workplace_id: bus.id,
        valid_from: day,
        timezone: before?.timezone ?? zone,
        ...moved,
      })
      .onConflict((conflict) => conflict.columns(['workplace_id', 'valid_from']).doUpdateSet(moved))
      .execute();
    await insertAudit(tx, actor, {
      action: 'set_group',
      objectType: 'workplace',
      objectId: bus.id,
      before: { group_id: before?.group_id ?? null },
      after: { group_id: moved.group_id, valid_from: day },
    });
    await announceBusChange(tx);
    if (day <= today) await requestLaps(tx, bus.id, [today], { waitMs: EDIT_WAIT_MS });
    if (group === null) return null;
    const all = await listClientGroups(tx, group.clientId);
    return all.find(({ id }) => id === group.id) ?? null;
  });
}

async function checkSameClient(tx: Db, workplaceId: number, clientId: number): Promise<void> {
  const shared = await tx
    .selectFrom('workplace_clients')
    .select('client_id')
    .where('workplace_id', '=', workplaceId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (shared === undefined) throw notFound();
}
