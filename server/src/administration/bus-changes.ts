import type * as contract from '@ridewatch/contract/admin-buses';
import { addDays, countDays } from '@ridewatch/contract/day';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import type { Administered } from '../access/administration.ts';
import type { BusRow } from '../access/bus.ts';
import { findClients } from '../access/client.ts';
import { findBusOnDays } from '../access/own-days.ts';
import { findRouteToKeep } from '../access/route.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudit, insertAudits } from '../core/audit.ts';
import type { Tx } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import { isSame, refuseUnseen } from '../core/refuse-unseen.ts';
import type { Viewer } from '../core/viewer.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { bumpAllDays } from '../days/bus-days.ts';
import { type BusSettings, lockBusSettings } from '../days/bus-settings.ts';
import { requestLaps } from '../days/due-laps.ts';
import { insertBuses } from '../fleet/fleet-rows.ts';
import { countForeignClients, readBus } from './buses.ts';
import { type Changed, changeObject, lockRow } from './change.ts';
import { moveBus } from './owners.ts';

type Bus = contract.AdminBus;

/** Delay of the laps, ms: a user looks at a change at once. */
const EDIT_WAIT_MS = 1000;

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
  const entries = wanted.map(({ fields, clients, settings }, at) => ({
    ...{ action: 'create_bus', objectType: 'workplace', objectId: ids[at] ?? 0 },
    after: { ...fields, clients, ...settings },
  }));
  await insertAudits(tx, actor, entries);
  return ids;
}

/**
 * Changes a bus. Other customers own it from the next day on: see `moveBus`.
 * @throws AppError conflict, no_right, not_found
 */
export async function changeBus(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  bus: Administered<BusRow>,
  body: BodyOf<typeof contract.updateBus>,
): Promise<Changed<Bus>> {
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
  const wasRetired = (await read(tx)).retired_at !== null;
  const isTurned = retired !== undefined && retired !== wasRetired;
  const retiredAt = retired ? new Date(actor.atMs).toISOString() : null;
  return changeObject<Bus>(tx, actor, {
    ...{ table: 'workplaces', id, body, action: actionOf(isTurned ? retired : undefined), read },
    asBody: ({ clients: own, retired_at }) => ({
      client_ids: own.map((one) => one.id),
      retired: retired_at !== null,
    }),
    wanted: { ...fields, clients, ...(isTurned && { retired_at: retiredAt }) },
    write: async (__, { clients: changed, retired_at, ...own }) => {
      if (changed && locked) await moveBus(tx, viewer, actor, id, changed, locked.today);
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
  const entries = changes.map(({ id, before, fields }) => ({
    ...{ action: 'set_bus', objectType: 'workplace', objectId: id, after: fields },
    before: Object.fromEntries(
      Object.entries(before).filter(([field]) => Object.hasOwn(fields, field)),
    ),
  }));
  await insertAudits(tx, actor, entries);
  await bumpAllDays(tx, ids);
}

function actionOf(retired: boolean | undefined): string {
  if (retired === undefined) return 'set_bus';
  return retired ? 'retire_bus' : 'return_bus';
}

/**
 * Sets what is valid for a bus from a local day on, its present one when none is given. Laps of today are worked out
 * anew; those of earlier days when somebody recalculates them.
 * @throws AppError no_right for a route that an integrator sets, conflict, not_found; invalid_request for a day of a
 *   former customer
 */
export async function changeSettings(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  bus: Administered<BusRow>,
  body: Omit<BodyOf<typeof contract.setBusSettings>, 'valid_from'> & { valid_from?: string },
): Promise<Changed<Bus>> {
  const { seen: _, valid_from, ...wanted } = body;
  const { id } = bus;
  if (wanted.group_id !== undefined) checkChoosesRoutes(viewer);
  const nowMs = actor.atMs;
  const { today, day, before } = await lockBusSettings(tx, id, nowMs, valid_from);
  await findBusOnDays(tx, viewer, { busId: id, from: day, to: day }, 'valid_from');
  const present = await readBus(tx, viewer, { id }, nowMs);
  refuseUnseen(before, body, present);
  if (wanted.group_id) await findRouteOfClients(tx, viewer, wanted.group_id, present.clients);
  const after = {
    ...before,
    group_id: wanted.group_id === undefined ? before.group_id : wanted.group_id,
    timezone: wanted.timezone ?? before.timezone,
    count_source: wanted.count_source ?? before.count_source,
  };
  const isMoved = after.group_id !== before.group_id;
  // The bus's own terminal is a stop of its former route.
  const settings = { ...after, ...(isMoved && { terminal_stop_id: null }) };
  if (isSame(settings, before)) return { row: present, isChanged: false };
  await storeSettings(tx, actor, id, {
    before,
    after: settings,
    day,
    due: day <= today ? [today] : [],
  });
  return { row: await readBus(tx, viewer, { id }, nowMs), isChanged: true };
}

/**
 * Sets settings of a bus back, with the terminal stop that it had on its former route. Laps of all days since then are
 * worked out anew.
 * @param change as the audit log has it
 * @throws AppError conflict when somebody has changed them since; invalid_request for a day of a former customer
 */
export async function restoreSettings(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  { id }: Administered<BusRow>,
  change: { readonly before: object; readonly after: object },
): Promise<void> {
  const { valid_from: from, ...seen } = change.after as BusSettings & { valid_from: string };
  const after = change.before as BusSettings;
  const { today, day, before } = await lockBusSettings(tx, id, actor.atMs, from);
  await findBusOnDays(tx, viewer, { busId: id, from: day, to: day }, 'valid_from');
  refuseUnseen(before, { ...after, seen });
  const due = Array.from({ length: countDays(day, today) }, (_, n) => addDays(day, n));
  await storeSettings(tx, actor, id, { before, after, day, due });
}

interface SettingsChange {
  readonly before: BusSettings;
  readonly after: BusSettings;
  /** The local day from which they are valid. */
  readonly day: string;
  /** The days whose laps are worked out anew. */
  readonly due: readonly string[];
}

async function storeSettings(
  tx: Tx,
  actor: Actor,
  id: number,
  { before, after, day, due }: SettingsChange,
): Promise<void> {
  await changeBusSettings(tx, id, day, after);
  await insertAudit(tx, actor, {
    action: 'set_bus_settings',
    objectType: 'workplace',
    objectId: id,
    before,
    after: { ...after, valid_from: day },
  });
  await announceBusChange(tx);
  await requestLaps(tx, id, due, { nowMs: actor.atMs, waitMs: EDIT_WAIT_MS });
}

function checkChoosesRoutes({ role }: Viewer): void {
  if (role === 'ADMIN') return;
  const message = 'Only administrators move buses between routes.';
  throw new AppError('no_right', message, { field: 'group_id' });
}

// A bus drives routes of its customers only.
async function findRouteOfClients(
  tx: Tx,
  viewer: Viewer,
  routeId: number,
  clients: readonly Named[],
): Promise<void> {
  const { clientId } = await findRouteToKeep(tx, viewer, routeId);
  if (clients.some(({ id }) => id === clientId)) return;
  const message = 'The route belongs to none of the customers of the bus.';
  throw new AppError('conflict', message, { field: 'group_id' });
}
