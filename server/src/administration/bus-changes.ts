import type { AuditAction } from '@ridewatch/contract/action-words';
import type * as contract from '@ridewatch/contract/admin-buses';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { type Administered, asAdministered } from '../access/administration.ts';
import { type BusRow, findBus } from '../access/bus.ts';
import { findClients } from '../access/client.ts';
import { findRouteToKeep } from '../access/route.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, type AuditEntry, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { refuseUnseen } from '../core/refuse-unseen.ts';
import type { Viewer } from '../core/viewer.ts';
import { bumpAllDays } from '../days/bus-days.ts';
import { lockBusSettings } from '../days/bus-settings.ts';
import { insertBuses } from '../fleet/fleet-rows.ts';
import { countForeignClients, readBus } from './buses.ts';
import { type Changed, changeObject, lockRow } from './change.ts';
import { type Handover, moveBuses } from './owners.ts';
import { checkChoosesRoutes, foreignRoute } from './settings-changes.ts';

type Bus = contract.AdminBus;

/** Creates a bus. @throws AppError not_found for foreign customers and routes, no_right for an integrator's route */
export async function createBus(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  body: BodyOf<typeof contract.createBus>,
): Promise<Bus> {
  const clients = await findClients(tx, viewer, body.client_ids);
  if (body.group_id) checkChoosesRoutes(viewer);
  if (body.group_id) await findRouteOfClients(tx, viewer, body.group_id, clients);
  const [id = 0] = await insertNewBuses(tx, actor, [{ body, clients }]);
  await announceBusChange(tx);
  return readBus(tx, viewer, { id }, actor.atMs);
}

/** A bus to insert, with its customers. */
export interface NewBus {
  readonly body: BodyOf<typeof contract.createBus>;
  readonly clients: readonly Named[];
}

/**
 * Inserts buses with their audit rows.
 * @param buses at least one, some hundred at most; no two with one name
 * @returns their ids, in the same order
 */
export async function insertNewBuses(
  tx: Tx,
  actor: Actor,
  buses: readonly NewBus[],
): Promise<number[]> {
  const wanted = buses.map(({ body, clients }) => {
    const { client_ids: _, timezone, group_id = null, count_source = 'unit', ...fields } = body;
    return { fields, clients, settings: { group_id, timezone, count_source } };
  });
  const ids = await insertBuses(
    tx,
    wanted.map(({ fields, clients, settings }) => ({
      ...fields,
      clientIds: clients.map((client) => client.id),
      settings: { ...settings, terminal_stop_id: null },
      nowMs: actor.atMs,
    })),
  );
  const entries = wanted.map(
    ({ fields, clients, settings }, at): AuditEntry => ({
      ...{ action: 'create_bus', objectType: 'workplace', objectId: ids[at] ?? 0 },
      after: { ...fields, clients, ...settings },
    }),
  );
  await insertAudits(tx, actor, entries);
  return ids;
}

/**
 * Changes a bus. Other customers own it from the next day on: see `moveBuses`.
 * @returns it, and the effects of other customers
 * @throws AppError conflict, no_right, not_found
 */
export async function changeBus(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  bus: Administered<BusRow>,
  body: BodyOf<typeof contract.updateBus>,
): Promise<Changed<Bus> & { handover: Handover | undefined }> {
  const { id } = bus;
  const { seen: _, client_ids, retired, ...fields } = body;
  const clients = client_ids && (await findClients(tx, viewer, client_ids));
  if (retired === true && (await countForeignClients(tx, viewer, id)) > 0) {
    const message = 'The bus is also on the lists of other customers.';
    throw new AppError('no_right', message, { field: 'retired' });
  }
  const read = (db: Tx) => readBus(db, viewer, { id }, actor.atMs);
  const locked = clients && (await lockBusSettings(tx, id, actor.atMs, undefined));
  await lockRow(tx, 'workplaces', id);
  // It may have gone to foreign hands before the lock.
  asAdministered(viewer, await findBus(tx, viewer, id));
  const wasRetired = (await read(tx)).retired_at !== null;
  const isTurned = retired !== undefined && retired !== wasRetired;
  const retiredAt = retired ? new Date(actor.atMs).toISOString() : null;
  let handover: Handover | undefined;
  const changed = await changeObject<Bus>(tx, actor, {
    ...{ table: 'workplaces', id, body, action: actionOf(isTurned ? retired : undefined), read },
    asBody: ({ clients: own, retired_at }) => ({
      client_ids: own.map((one) => one.id),
      retired: retired_at !== null,
    }),
    wanted: { ...fields, clients, ...(isTurned && { retired_at: retiredAt }) },
    write: async (__, { clients: next, retired_at, ...own }) => {
      if (next && locked) {
        const moving = [{ busId: id, today: locked.today }];
        handover = (await moveBuses(tx, viewer, actor, moving, next)).get(id);
      }
      const set = {
        ...own,
        ...(retired_at !== undefined && { retired_at: retired_at && new Date(retired_at) }),
      };
      if (Object.keys(set).length > 0) {
        await tx.updateTable('workplaces').set(set).where('id', '=', id).execute();
      }
      await announceBusChange(tx);
      await bumpAllDays(tx, [id]);
    },
  });
  return { ...changed, handover };
}

/** Fields of a bus that nothing else depends on, and those of them that the user saw. */
export interface FieldsOfBus {
  readonly id: number;
  readonly body: Pick<
    BodyOf<typeof contract.updateBus>,
    'description' | 'type' | 'capacity_seated' | 'capacity_standing'
  > & { readonly seen: object };
}

/**
 * Changes plain fields of many buses, each with its audit row: one by one, 5,000 buses take more than a minute.
 * @param buses some hundred at most
 * @throws AppError conflict for a bus that somebody has changed meanwhile
 */
export async function changeFields(
  tx: Tx,
  actor: Actor,
  buses: readonly FieldsOfBus[],
): Promise<void> {
  const ids = buses.map(({ id }) => id).sort((a, b) => a - b);
  const { rows } = await sql<Omit<Required<FieldsOfBus['body']>, 'seen'> & { id: number }>`
    select id, description, type, capacity_seated, capacity_standing from workplaces
    where id = any(${ids}::bigint[]) order by id for no key update`.execute(tx);
  const stored = new Map(rows.map(({ id, ...fields }) => [id, fields]));
  const changes = buses.map(({ id, body: { seen, ...fields } }) => {
    const before = stored.get(id);
    if (before === undefined) throw notFound();
    refuseUnseen(before, { ...fields, seen });
    return { id, before, fields };
  });
  await sql`
    update workplaces set description = own.description, type = own.type,
      capacity_seated = own.capacity_seated, capacity_standing = own.capacity_standing
    from jsonb_to_recordset(${JSON.stringify(
      changes.map(({ id, before, fields }) => ({ id, ...before, ...fields })),
    )}::jsonb) as own (id bigint, description text, type text, capacity_seated int, capacity_standing int)
    where workplaces.id = own.id`.execute(tx);
  const entries = changes.map(
    ({ id, before, fields }): AuditEntry => ({
      ...{ action: 'set_bus', objectType: 'workplace', objectId: id, after: fields },
      before: Object.fromEntries(
        Object.entries(before).filter(([field]) => Object.hasOwn(fields, field)),
      ),
    }),
  );
  await insertAudits(tx, actor, entries);
  await bumpAllDays(tx, ids);
}

function actionOf(retired: boolean | undefined): AuditAction {
  if (retired === undefined) return 'set_bus';
  return retired ? 'retire_bus' : 'return_bus';
}

// A bus drives routes of its customers only.
async function findRouteOfClients(
  tx: Tx,
  viewer: Viewer,
  routeId: number,
  clients: readonly Named[],
): Promise<void> {
  const { clientId } = await findRouteToKeep(tx, viewer, routeId);
  if (!clients.some(({ id }) => id === clientId)) throw foreignRoute();
}
