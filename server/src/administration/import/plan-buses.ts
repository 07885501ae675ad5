import { createBus, MOST_PLACES, updateBus } from '@ridewatch/contract/admin-buses';
import { createUnit } from '@ridewatch/contract/admin-units';
import { FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { Named } from '@ridewatch/contract/paging';
import { Text, Zone } from '@ridewatch/contract/primitives';
import * as z from 'zod/mini';
import { ownersOf, refuseSeveral } from './find-bus.ts';
import { type ByName, byName, knownClients, knownDevices, knownRoutes } from './known.ts';
import { checkBody, keyOf, type RowReader } from './reading.ts';
import {
  changeOf,
  clientOf,
  createOnce,
  fieldsIn,
  type MakePlanner,
  type RowPlan,
  valuesOf,
} from './row-plan.ts';
import { readStored, type StoredBus } from './stored.ts';
import { BUS_TYPES } from './words.ts';

/** Buses are found by their names, with the help of the customer where several have one name. */
export const planBuses: MakePlanner<'buses'> = async (db, viewer, table, nowMs) => {
  const clients = await knownClients(db, viewer);
  const known = byName(await readStored.buses(db, viewer, nowMs));
  const routes = await knownRoutes(db, viewer);
  const devices = await knownDevices(db, valuesOf(table, 'device_id'));
  const [once, onceDevice] = [createOnce(), createOnce()];

  /** The route of a cell; null for an empty one. */
  const routeOf = (reader: RowReader, present: Named | null, owners: readonly Named[]) => {
    const name = reader.text('group');
    if (name === '' || (present && keyOf(present.name) === keyOf(name))) {
      return { route: present, newRoute: null };
    }
    if (viewer.role !== 'ADMIN') reader.refuse('group', 'admin_route');
    const found = routes
      .get(keyOf(name))
      ?.find(({ client_id }) => owners.some(({ id }) => id === client_id));
    if (found) return { route: { id: found.id, name: found.name }, newRoute: null };
    checkBody(reader, z.object({ group: Text }), { group: name });
    const [client] = owners;
    const newRoute = client ? { key: `${client.id} ${keyOf(name)}`, name, client } : null;
    // A customer that is not known yet may have a route that another one has.
    if (newRoute || !routes.has(keyOf(name))) {
      reader.add({ column: 'group', key: newRoute?.key ?? null });
    }
    return { route: null, newRoute };
  };

  const create = (reader: RowReader, client: Named | undefined): RowPlan<'buses'> | undefined => {
    reader.need(['client']);
    const device = readDevice(reader, devices, onceDevice);
    if (device !== null) reader.add({ column: 'device_id', key: device });
    const { route, newRoute } = routeOf(reader, null, client ? [client] : []);
    const body = checkBody(
      reader,
      createBus.body,
      {
        ...{ name: reader.text('name'), client_ids: client ? [client.id] : [] },
        ...fieldsOf(reader, undefined),
        timezone: reader.text('timezone') || FALLBACK_ZONE,
        group_id: route?.id ?? null,
      },
      { client_ids: 'client' },
    );
    if (body === undefined || client === undefined) return undefined;
    return { kind: 'buses', creation: { kind: 'buses', body, client, newRoute, device } };
  };

  const change = (
    reader: RowReader,
    own: StoredBus,
    client: Named | undefined,
  ): RowPlan<'buses'> => {
    const isOwn = reader.text('device_id') === own.unit;
    const device = isOwn ? null : readDevice(reader, devices, onceDevice);
    if (device !== null && own.unit !== null) {
      reader.refuse('device_id', 'has_unit', { words: [own.unit] });
    }
    if (device !== null) reader.add({ column: 'device_id', key: device });
    const owners = client ? [client] : own.clients;
    const { route, newRoute } = routeOf(reader, own.group, owners);
    const fields = fieldsOf(reader, own);
    const timezone = reader.text('timezone') || own.timezone;
    const { description, type, capacity_seated, capacity_standing } = own;
    const before = { description, type, capacity_seated, capacity_standing };
    const body = changeOf<object>(before, fields);
    const groupId = own.group?.id ?? null;
    const settings = changeOf<object>(
      { timezone: own.timezone, group_id: groupId },
      { timezone, group_id: newRoute ? null : (route?.id ?? null) },
    );
    // A stored value may be older than the rules.
    if (body) checkBody(reader, updateBus.body, body);
    if (timezone !== own.timezone) checkBody(reader, z.object({ timezone: Zone }), { timezone });
    const columns = new Set([
      ...fieldsIn(body).map((field) => columnOf(field, reader)),
      ...fieldsIn(settings).map((field) => (field === 'group_id' ? 'group' : field)),
      ...(newRoute ? ['group'] : []),
      ...(device === null ? [] : ['device_id']),
    ]);
    const { id, name } = own;
    const made = { kind: 'buses', id, name, body, settings, newRoute, device } as const;
    return {
      ...{ kind: 'buses', stored: own, columns: [...columns] },
      change: columns.size > 0 ? made : undefined,
    };
  };

  return (reader) => {
    const client = clientOf(reader, clients, ownersOf(reader, known, 'name'));
    const own = findOwn(reader, known, client);
    const name = reader.text('name');
    // Two customers may have a bus of one name.
    if (name !== '') once(reader, 'name', own ? `id ${own.id}` : `name ${keyOf(name)}`);
    return own ? change(reader, own, client) : create(reader, client);
  };
};

/** The stored bus that a row describes. Another customer's bus of this name is a fault. */
function findOwn(
  reader: RowReader,
  known: ByName<StoredBus>,
  client: Named | undefined,
): StoredBus | undefined {
  const named = known.get(keyOf(reader.text('name'))) ?? [];
  const own = client
    ? named.filter(({ clients }) => clients.some(({ id }) => id === client.id))
    : named;
  if (own.length > 1) refuseSeveral(reader, 'name', own, client);
  const [other] = named;
  if (own.length === 0 && other) {
    reader.refuse('name', 'taken', { words: other.clients.map((one) => one.name) });
  }
  return reader.text('name') === '' ? undefined : own[0];
}

function fieldsOf(reader: RowReader, own: StoredBus | undefined) {
  return {
    description: reader.text('description') || (own?.description ?? null),
    type: reader.choice('type', BUS_TYPES) ?? own?.type,
    ...placesOf(reader, own),
  };
}

/**
 * Places of a bus; from the number of all, those that are no seats are standing ones, or the other way round. A bus with a
 * number of all places alone has it as standing ones, and keeps it when it gets a number of seats.
 */
function placesOf(reader: RowReader, own: StoredBus | undefined) {
  const isToldAnew = reader.text('capacity_standing') !== '' || reader.text('places') !== '';
  const kept = own?.capacity_seated === null && !isToldAnew ? own.capacity_standing : null;
  const seats = reader.whole('capacity_seated', 0, kept ?? MOST_PLACES);
  const standing = reader.whole('capacity_standing', 0, MOST_PLACES);
  if (standing !== null) return besideStanding(reader, own, { seats, standing });
  const seated = seats ?? own?.capacity_seated ?? null;
  const all = reader.whole('places', seated ?? 0, MOST_PLACES) ?? kept;
  const rest = all === null ? (own?.capacity_standing ?? null) : all - (seated ?? 0);
  return { capacity_seated: seated, capacity_standing: rest };
}

// The seats of a bus whose standing places are told: the row tells them, or they are the rest of all places.
function besideStanding(
  reader: RowReader,
  own: StoredBus | undefined,
  { seats, standing }: { readonly seats: number | null; readonly standing: number },
) {
  const sum = (seats ?? 0) + standing;
  const all = reader.whole('places', seats === null ? standing : 0, standing + MOST_PLACES);
  if (seats !== null && all !== null && all !== sum) {
    reader.refuse('places', 'sum', { least: sum, most: sum });
  }
  const rest = all === null ? (own?.capacity_seated ?? null) : all - standing;
  return { capacity_seated: seats ?? rest, capacity_standing: standing };
}

// Numbers of seats and of standing places follow from others of the row, where it does not tell them.
function columnOf(field: string, reader: RowReader): string {
  if (field !== 'capacity_seated' && field !== 'capacity_standing') return field;
  const told = [field, 'places', 'capacity_seated'];
  return told.find((column) => reader.text(column) !== '') ?? field;
}

/** The id of a new unit; null for an empty cell. */
export function readDevice(
  reader: RowReader,
  taken: ReadonlySet<string>,
  once: ReturnType<typeof createOnce>,
): string | null {
  const device = reader.text('device_id');
  if (device === '') return null;
  if (taken.has(device)) reader.refuse('device_id', 'taken');
  once(reader, 'device_id', device);
  checkBody(reader, createUnit.body, { device_id: device });
  return device;
}
