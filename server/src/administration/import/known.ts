// Reads the objects that the rows of a table may name (customers, buses and routes that the user sees), and the names
// that are taken.
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { clientName } from '../../access/client.ts';
import { isOfVisibleClient } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { keyOf } from './reading.ts';

/** Objects by their names as people mean them. */
export type ByName<T> = ReadonlyMap<string, readonly T[]>;

/** Groups objects by the names that people mean. */
export const byName = <T extends { readonly name: string }>(rows: readonly T[]): ByName<T> =>
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

/** Finds which of these device ids units have already, also units that the viewer does not see. */
export async function knownDevices(db: Db, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ device_id: string }>`
    select device_id from units where device_id = any(${[...ids]}::text[])`.execute(db);
  return new Set(rows.map(({ device_id }) => device_id));
}

/** Finds which of these logins users have already, also users whom the viewer does not see; in lower case. */
export async function knownLogins(db: Db, logins: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ login: string }>`
    select lower(login) as login from users
    where lower(login) = any(${logins.map((login) => login.toLowerCase())}::text[])`.execute(db);
  return new Set(rows.map(({ login }) => login));
}

/** Visible customers who look after others whom the viewer does not see: their users would see more than the viewer. */
export async function listBeyond(db: Db, viewer: Viewer): Promise<ReadonlySet<number>> {
  if (viewer.clientIds === 'all') return new Set();
  const { rows } = await sql<{ id: number }>`
    select distinct integrator_id as id from integrator_clients
    where ${isOfVisibleClient(viewer, sql.ref('integrator_id'))}
      and not ${isOfVisibleClient(viewer, sql.ref('client_id'))}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}
