// Reads the objects that the rows of a table may name (customers, buses and routes that the user sees), and the names
// that are taken.
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { isOfVisibleClient } from '../../access/visible.ts';
import type { Db } from '../../core/db/db.ts';
import type { Viewer } from '../../core/viewer.ts';
import { keyOf } from './reading.ts';

/** Objects by their names as people mean them. */
export type ByName<T> = ReadonlyMap<string, readonly T[]>;

/** Groups objects by the names that people mean. */
export const byName = <T extends { readonly name: string }>(rows: readonly T[]): ByName<T> =>
  Map.groupBy(rows, ({ name }) => keyOf(name));

/** Finds the objects that the text of a cell may mean. */
export type Find<T> = (text: string) => readonly T[];

/** Gives the names of an object, each of which means it. */
type NamesOf<T> = (one: T) => readonly string[];

/**
 * Makes a finder of objects by their names as people mean them. Of several the ones with exactly the text of the cell are
 * meant.
 * @param ways in which objects are named; a later one counts where no earlier one finds anything
 */
export function finderOf<T>(all: readonly T[], ...ways: readonly NamesOf<T>[]): Find<T> {
  const known = ways.map((namesOf) => {
    const named = all.flatMap((one) =>
      [...new Set(namesOf(one).map(keyOf))].map((key) => ({ key, one })),
    );
    return { namesOf, byKey: Map.groupBy(named, ({ key }) => key) };
  });
  return (text) => {
    for (const { namesOf, byKey } of known) {
      const found = (byKey.get(keyOf(text)) ?? []).map(({ one }) => one);
      const exact = found.filter((one) => namesOf(one).some((name) => name.trim() === text));
      if (found.length > 0) return exact.length > 0 ? exact : found;
    }
    return [];
  };
}

interface Called {
  readonly name: string;
  readonly surname: string | null;
}

/** Name and surname of a customer, as screens show it. */
export const fullName = ({ name, surname }: Called): string =>
  [name, surname].filter(Boolean).join(' ');

/** Surname and name of a customer, as people write them, too; nothing without a surname. */
export const turnedName = ({ name, surname }: Called): string[] =>
  surname ? [`${surname} ${name}`] : [];

/** The customers that the user sees, by name with and without surname; named as screens show them. */
export async function knownClients(db: Db, viewer: Viewer): Promise<Find<Named>> {
  const { rows } = await sql<Called & { id: number }>`
    select id, name, surname from clients
    where ${isOfVisibleClient(viewer, sql.ref('clients.id'))}`.execute(db);
  const find = finderOf(rows, (one) => [one.name, fullName(one)], turnedName);
  return (text) => find(text).map((one) => ({ id: one.id, name: fullName(one) }));
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
