// How a row of each kind of table becomes an object.
import { createBus, MOST_PLACES } from '@ridewatch/contract/admin-buses';
import { createCamera, MOST_DOOR } from '@ridewatch/contract/admin-cameras';
import { createCustomer } from '@ridewatch/contract/admin-customers';
import { type ImportKind, textOfCell } from '@ridewatch/contract/admin-import';
import { createUnit } from '@ridewatch/contract/admin-units';
import { FALLBACK_ZONE } from '@ridewatch/contract/day';
import type { BodyOf } from '@ridewatch/contract/endpoint';
import type { Named } from '@ridewatch/contract/paging';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import type { NewCamera } from '../cameras.ts';
import {
  type KnownBus,
  knownBuses,
  knownCameras,
  knownClients,
  knownDevices,
  knownRoutes,
} from './known.ts';
import {
  BUS_TYPES,
  CAMERA_KINDS,
  checkBody,
  keyOf,
  type RowReader,
  STATUSES,
  type Table,
  YES_NO,
} from './reading.ts';

/** An object to create. */
export type Planned =
  | { readonly kind: 'customers'; readonly body: BodyOf<typeof createCustomer> }
  | {
      readonly kind: 'buses';
      readonly body: BodyOf<typeof createBus>;
      readonly client: Named;
      /** A route that does not exist yet, by customer and name. */
      readonly newRoute: { readonly key: string; readonly name: string } | null;
      readonly device: string | null;
    }
  | {
      readonly kind: 'units';
      readonly device_id: string;
      readonly bus: Named | null;
      readonly client: Named | null;
    }
  | {
      readonly kind: 'cameras';
      readonly bus: Named;
      readonly fields: NewCamera['fields'];
    };

/** Reads a row; undefined, or faults of the reader: it cannot be taken. */
type Planner = (reader: RowReader) => Planned | undefined;

/** Notes cells with a value that a cell above has, too. */
function createOnce() {
  const cells = new Map<string, string>();
  return (reader: RowReader, column: string, key: string): void => {
    const before = cells.get(key);
    if (before !== undefined) reader.refuse(column, 'twice', { words: [before] });
    else cells.set(key, reader.cellOf(column));
  };
}

/** The one object of a name among those that the user sees. */
function only<T>(
  reader: RowReader,
  column: string,
  found: readonly T[] | undefined,
): T | undefined {
  if (reader.text(column) === '') return undefined;
  const [first] = found ?? [];
  if (first === undefined) reader.refuse(column, 'unknown');
  else if (found && found.length > 1) reader.refuse(column, 'several');
  return first;
}

const valuesOf = ({ columns, rows }: Table, column: string): string[] => {
  const at = columns.indexOf(column);
  return at < 0 ? [] : rows.map((row) => textOfCell(row[at]).trim());
};

const customers = async (db: Db, viewer: Viewer): Promise<Planner> => {
  const clients = await knownClients(db, viewer);
  const once = createOnce();
  return (reader) => {
    const name = reader.text('name');
    if (name !== '') {
      if (clients.has(keyOf(name))) reader.refuse('name', 'taken');
      once(reader, 'name', keyOf(name));
    }
    const body = checkBody(reader, createCustomer.body, {
      name,
      surname: reader.text('surname') || null,
      patronymic: reader.text('patronymic') || null,
      status: reader.choice('status', STATUSES),
      enabled: reader.choice('enabled', YES_NO),
    });
    return body && { kind: 'customers', body };
  };
};

const buses = async (db: Db, viewer: Viewer, table: Table): Promise<Planner> => {
  const [clients, known, routes] = [
    await knownClients(db, viewer),
    await knownBuses(db, viewer),
    await knownRoutes(db, viewer),
  ];
  const devices = await knownDevices(db, valuesOf(table, 'device_id'));
  const [once, onceDevice] = [createOnce(), createOnce()];
  return (reader) => {
    const name = reader.text('name');
    const [taken] = known.get(keyOf(name)) ?? [];
    if (taken) {
      reader.refuse('name', 'taken', { words: taken.clients.map((client) => client.name) });
    }
    if (name !== '') once(reader, 'name', keyOf(name));
    const client = only(reader, 'client', clients.get(keyOf(reader.text('client'))));
    const device = checkDevice(reader, devices, onceDevice);
    const group = reader.text('group');
    if (group !== '' && viewer.role !== 'ADMIN') reader.refuse('group', 'admin_route');
    const route = routes.get(keyOf(group))?.find(({ client_id }) => client_id === client?.id);
    const body = checkBody(
      reader,
      createBus.body,
      {
        ...{ name, client_ids: client ? [client.id] : [] },
        description: reader.text('description') || null,
        ...capacityOf(reader),
        timezone: reader.text('timezone') || FALLBACK_ZONE,
        type: reader.choice('type', BUS_TYPES),
        group_id: route?.id ?? null,
      },
      { client_ids: 'client' },
    );
    if (body === undefined || client === undefined) return undefined;
    const newRoute =
      group === '' || route ? null : { key: `${client.id} ${keyOf(group)}`, name: group };
    return { kind: 'buses', body, client, newRoute, device };
  };
};

/** Places of a bus; from the number of all, those that are no seats are standing ones. */
function capacityOf(reader: RowReader) {
  const seated = reader.whole('capacity_seated', 0, MOST_PLACES);
  const standing = reader.whole('capacity_standing', 0, MOST_PLACES);
  const all = reader.whole('places', seated ?? 0, MOST_PLACES);
  return {
    capacity_seated: seated,
    capacity_standing: standing ?? (all === null ? null : all - (seated ?? 0)),
  };
}

function checkDevice(
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

/** The bus that a row names, with the help of its customer where several have that name. */
function findBus(
  reader: RowReader,
  known: ReadonlyMap<string, readonly KnownBus[]>,
  client: Named | undefined,
): KnownBus | undefined {
  const named = known.get(keyOf(reader.text('bus')));
  const own = client && named?.filter(({ clients }) => clients.some(({ id }) => id === client.id));
  return only(reader, 'bus', own ?? named);
}

const units = async (db: Db, viewer: Viewer, table: Table): Promise<Planner> => {
  const [clients, known] = [await knownClients(db, viewer), await knownBuses(db, viewer)];
  const devices = await knownDevices(db, valuesOf(table, 'device_id'));
  const [onceDevice, onceBus] = [createOnce(), createOnce()];
  return (reader) => {
    const device = checkDevice(reader, devices, onceDevice);
    const client = only(reader, 'client', clients.get(keyOf(reader.text('client'))));
    const bus = findBus(reader, known, client);
    if (bus) {
      if (bus.unit !== null) reader.refuse('bus', 'has_unit', { words: [bus.unit] });
      onceBus(reader, 'bus', `${bus.id}`);
    } else if (client === undefined && viewer.clientIds !== 'all') {
      reader.refuse('client', 'required');
    }
    if (device === null) return undefined;
    const place = bus && { id: bus.id, name: bus.name };
    return {
      kind: 'units',
      device_id: device,
      bus: place ?? null,
      client: place ? null : (client ?? null),
    };
  };
};

const cameras = async (db: Db, viewer: Viewer, table: Table): Promise<Planner> => {
  const [clients, known] = [await knownClients(db, viewer), await knownBuses(db, viewer)];
  const named = valuesOf(table, 'bus').flatMap((name) => known.get(keyOf(name)) ?? []);
  const present = await knownCameras(db, [...new Set(named.map(({ id }) => id))]);
  const once = createOnce();
  const counted = new Set(
    [...present].flatMap(([id, own]) =>
      own.filter(({ counts }) => counts).map(({ door }) => `${id} ${door}`),
    ),
  );
  return (reader) => {
    const client = only(reader, 'client', clients.get(keyOf(reader.text('client'))));
    const bus = findBus(reader, known, client);
    const stream = reader.text('stream_id');
    if (bus && stream !== '') {
      const own = present.get(bus.id) ?? [];
      if (own.some(({ stream_id }) => stream_id === stream)) reader.refuse('stream_id', 'taken');
      once(reader, 'stream_id', `${bus.id} ${stream}`);
    }
    const door = reader.whole('door', 1, MOST_DOOR);
    const live = reader.choice('live', CAMERA_KINDS) ?? false;
    if (live && door !== null) reader.refuse('door', 'service_door');
    const wanted = reader.choice('counts', YES_NO);
    const key = door === null || bus === undefined ? null : `${bus.id} ${door}`;
    const counts = wanted ?? (key !== null && !counted.has(key));
    if (key !== null && counts) {
      if (counted.has(key)) reader.refuse('counts', 'counted');
      counted.add(key);
    }
    if (bus === undefined) return undefined;
    const enabled = reader.choice('enabled', YES_NO) ?? true;
    const body = checkBody(reader, createCamera.body, {
      ...{ bus_id: bus.id, name: reader.text('name'), stream_id: stream },
      ...{ live, door, counts, enabled },
    });
    if (body === undefined) return undefined;
    const { bus_id: _, ...fields } = body;
    return { kind: 'cameras', bus, fields: { ...fields, counts } };
  };
};

/** Makes the planner of a table. */
export const planners: Record<
  ImportKind,
  (db: Db, viewer: Viewer, table: Table) => Promise<Planner>
> = { customers, buses, units, cameras };
