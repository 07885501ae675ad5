// Reads the objects that the rows of a table may name (customers, buses and routes that the user sees), and the names
// that are taken.
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { clientName } from '../../access/client.ts';
import { isOfVisibleClient, isVisibleBus } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { keyOf } from './reading.ts';

/** A bus of the fleet. */
export interface KnownBus extends Named {
  readonly clients: readonly Named[];
  readonly unit: string | null;
}

/** A camera of a bus. */
interface KnownCamera {
  readonly stream_id: string;
  readonly door: number | null;
  readonly counts: boolean;
}

/** Objects by their names as people mean them. */
type ByName<T> = ReadonlyMap<string, readonly T[]>;

const byName = <T extends { readonly name: string }>(rows: readonly T[]): ByName<T> =>
  Map.groupBy(rows, ({ name }) => keyOf(name));

/** The customers that the user sees, by name with and without surname. */
export async function knownClients(db: Db, viewer: Viewer): Promise<ByName<Named>> {
  const { rows } = await sql<Named & { short: string }>`
    select id, ${clientName} as name, name as short from clients
    where ${isOfVisibleClient(viewer, sql.ref('clients.id'))}`.execute(db);
  const called = rows.flatMap(({ id, name, short }) =>
    [...new Set([keyOf(name), keyOf(short)])].map((key) => ({ key, client: { id, name } })),
  );
  const byKey = Map.groupBy(called, ({ key }) => key);
  return new Map([...byKey].map(([key, found]) => [key, found.map(({ client }) => client)]));
}

/** The buses of the fleet that the user sees, with those of their customers that the user sees. */
export async function knownBuses(db: Db, viewer: Viewer): Promise<ByName<KnownBus>> {
  const { rows } = await sql<KnownBus>`
    select workplaces.id, workplaces.name, units.device_id as unit,
      coalesce(jsonb_agg(jsonb_build_object('id', clients.id, 'name', ${clientName}))
        filter (where clients.id is not null), '[]') as clients
    from workplaces
    left join units on units.workplace_id = workplaces.id
    left join workplace_clients on workplace_clients.workplace_id = workplaces.id
    left join clients on clients.id = client_id
      and ${isOfVisibleClient(viewer, sql.ref('clients.id'))}
    where retired_at is null and ${isVisibleBus(viewer, sql.ref('workplaces.id'))}
    group by workplaces.id, units.device_id`.execute(db);
  return byName(rows);
}

/** The routes of the customers that the user sees. */
export async function knownRoutes(
  db: Db,
  viewer: Viewer,
): Promise<ByName<Named & { readonly client_id: number }>> {
  const { rows } = await sql<Named & { client_id: number }>`
    select id, name, client_id from route_groups
    where not deleted and ${isOfVisibleClient(viewer, sql.ref('client_id'))}`.execute(db);
  return byName(rows);
}

/** Which of these device ids units have already. */
export async function knownDevices(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ device_id: string }>`
    select device_id from units where device_id = any(${[...ids]}::text[])`.execute(db);
  return new Set(rows.map(({ device_id }) => device_id));
}

/** The cameras of buses. */
export async function knownCameras(
  db: Db,
  busIds: readonly number[],
): Promise<ReadonlyMap<number, readonly KnownCamera[]>> {
  const { rows } = await sql<KnownCamera & { bus_id: number }>`
    select workplace_id as bus_id, stream_id, door, counts from cameras
    where workplace_id = any(${[...busIds]}::bigint[])`.execute(db);
  return Map.groupBy(rows, ({ bus_id }) => bus_id);
}
