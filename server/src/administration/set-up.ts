// Existing objects stay, missing ones are created, so a plan can be sent again after a broken connection.
import type { FleetPlan } from '@ridewatch/contract/fleet';
import { protocolIdFault } from '@ridewatch/contract/unit-protocols';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import {
  findBusByName,
  findClientId,
  findUnit,
  insertBus,
  insertClient,
  insertMissingCameras,
  listRouteIds,
  lockPlanned,
  type NewBus,
  VALID_FROM,
} from '../fleet/fleet-rows.ts';
import { insertRoute, type NewRoute } from '../routes/route-rows.ts';
import { findSharedChannel, refuseSharedChannels } from './camera-channels.ts';
import { seatUnit } from './seat-unit.ts';

export interface SetUpUnit {
  readonly unitId: number;
  readonly deviceId: string;
  readonly busId: number;
}

export interface SetUpResult {
  /** Every customer of the plan, once. */
  readonly customers: readonly { readonly id: number; readonly name: string }[];
  /** Every unit of the plan, in its order. */
  readonly units: readonly SetUpUnit[];
  /** The objects that were not there before. */
  readonly made: { customers: number; groups: number; buses: number; cameras: number };
}

/**
 * Creates what a plan names and the database does not have, as of `nowMs`.
 * @throws AppError conflict when a device id or a bus is taken, for a spare unit that cannot go to its bus, and for cameras
 *   that a terminal cannot tell apart; invalid_request for a contradictory plan; both name the field
 */
export async function setUpCustomers(
  tx: Tx,
  viewer: Viewer,
  plan: FleetPlan,
  nowMs: number,
): Promise<SetUpResult> {
  const made = { customers: 0, groups: 0, buses: 0, cameras: 0 };
  const units: SetUpUnit[] = [];
  const customers = new Map<number, string>();
  await lockPlanned(tx, plan);
  for (const [c, customer] of plan.customers.entries()) {
    let clientId = await findClientId(tx, customer.name);
    if (clientId === undefined) {
      clientId = await insertClient(tx, customer, nowMs);
      made.customers += 1;
    }
    customers.set(clientId, customer.name);
    const routeIds = await listRouteIds(tx, clientId);
    for (const [g, group] of customer.groups.entries()) {
      if (routeIds.has(group.name)) continue;
      routeIds.set(
        group.name,
        await insertRoute(tx, clientId, routeOf(group, `customers.${c}.groups.${g}.`), {
          day: VALID_FROM,
          field: `customers.${c}.groups.${g}`,
        }),
      );
      made.groups += 1;
    }
    for (const [b, bus] of customer.buses.entries()) {
      const field = `customers.${c}.buses.${b}`;
      const world = { viewer, clientId, routeIds, field, nowMs };
      const { unit, isNew, isSeated } = await setUpBus(tx, bus, world);
      if (isNew) made.buses += 1;
      const added = await insertMissingCameras(tx, unit.busId, bus.cameras);
      made.cameras += added.length;
      // A unit that has come may find two cameras that had no channels before.
      await refuseSharedChannels(
        tx,
        [unit.busId],
        `${field}.cameras`,
        isSeated ? undefined : added,
      );
      units.push(unit);
    }
  }
  return { customers: [...customers].map(([id, name]) => ({ id, name })), units, made };
}

function routeOf(group: FleetPlan['customers'][number]['groups'][number], at: string): NewRoute {
  const stops = group.stops.map((stop) => ({ ...stop, terminal: stop.terminal ?? null }));
  const entry = { language: 'en', confirmFar: group.confirm_far === true, at } as const;
  return { ...group, stops, costs: group.costs ?? [], entry };
}

interface BusWorld {
  readonly viewer: Viewer;
  readonly clientId: number;
  readonly routeIds: ReadonlyMap<string, number>;
  readonly field: string;
  readonly nowMs: number;
}

/** @returns the unit, whether its bus is new, and whether it has come to it now */
async function setUpBus(
  tx: Tx,
  bus: FleetPlan['customers'][number]['buses'][number],
  { viewer, clientId, routeIds, field, nowMs }: BusWorld,
): Promise<{ unit: SetUpUnit; isNew: boolean; isSeated: boolean }> {
  checkCameras(bus, field);
  checkProtocol(bus, field);
  const routeId = bus.group === null ? null : routeIds.get(bus.group);
  if (routeId === undefined) {
    throw new AppError('invalid_request', 'The customer has no route of this name.', {
      field: `${field}.group`,
    });
  }
  const deviceId = bus.device_id;
  const unit = await findUnit(tx, deviceId);
  const inAnotherBus = () =>
    new AppError('conflict', 'The unit is in another bus.', { field: `${field}.device_id` });
  if (unit !== undefined && unit.busId !== null) {
    if (!unit.clientIds.includes(clientId) || unit.busName !== bus.name) throw inAnotherBus();
    const { unitId, busId } = unit;
    return { unit: { unitId, deviceId, busId }, isNew: false, isSeated: false };
  }
  const existing = await findBusByName(tx, clientId, bus.name);
  if (existing !== undefined && existing.unitId !== null) {
    throw new AppError('conflict', 'The bus has another unit.', { field: `${field}.name` });
  }
  const busId = existing?.id ?? (await insertBus(tx, newBusOf(bus, clientId, routeId, nowMs)));
  const { protocol = null, protocol_id = null } = bus;
  const planned = { deviceId, busId, identity: { protocol, protocol_id } };
  const unitId = await seatUnit(tx, viewer, planned, field, nowMs);
  if (unitId === undefined) throw inAnotherBus();
  return { unit: { unitId, deviceId, busId }, isNew: existing === undefined, isSeated: true };
}

function newBusOf(
  bus: FleetPlan['customers'][number]['buses'][number],
  clientId: number,
  group_id: number | null,
  nowMs: number,
): NewBus {
  const { timezone, group: _, device_id: __, cameras: ___, ...more } = bus;
  const { protocol: ____, protocol_id: _____, ...fields } = more;
  const settings = { group_id, timezone, terminal_stop_id: null, count_source: 'unit' } as const;
  return { ...fields, clientIds: [clientId], settings, nowMs };
}

function checkCameras(
  { cameras, protocol }: FleetPlan['customers'][number]['buses'][number],
  field: string,
): void {
  const seen = new Set<string>();
  for (const [k, camera] of cameras.entries()) {
    if (camera.live && camera.door !== null) {
      throw new AppError('invalid_request', 'A service camera has no door.', {
        field: `${field}.cameras.${k}.door`,
      });
    }
    if (seen.has(camera.stream_id)) {
      throw new AppError('invalid_request', 'Two cameras of a bus have the same stream_id.', {
        field: `${field}.cameras.${k}.stream_id`,
      });
    }
    seen.add(camera.stream_id);
  }
  const [, second] = (protocol === 'jt808' && findSharedChannel(cameras)) || [];
  if (second === undefined) return;
  const message = 'Two cameras of a bus name the same channel of its terminal.';
  throw new AppError('invalid_request', message, {
    field: `${field}.cameras.${cameras.indexOf(second)}.stream_id`,
  });
}

function checkProtocol(
  { protocol, protocol_id }: FleetPlan['customers'][number]['buses'][number],
  field: string,
): void {
  if (protocol === undefined && protocol_id === undefined) return;
  if (protocol === undefined) {
    throw new AppError('invalid_request', 'is required', { field: `${field}.protocol` });
  }
  const fault = protocol_id === undefined ? 'is required' : protocolIdFault(protocol, protocol_id);
  if (fault === undefined) return;
  throw new AppError('invalid_request', fault, { field: `${field}.protocol_id` });
}
