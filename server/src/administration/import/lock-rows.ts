// The rows that a table is judged by and changes, locked before the first change in the order in which every other
// command locks them: users, customers, units, buses. A lock that is taken later, one object at a time, would meet a
// batch or another command that holds it and waits for an earlier one.
import type { ImportKind } from '@ridewatch/contract/admin-import';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../core/db/db.ts';
import { lockBuses } from '../../days/lock-buses.ts';
import type { Table } from './reading.ts';
import { type Change, type Creation, valuesOf } from './row-plan.ts';
import type { LoggedCommand } from './undo-changes.ts';

/** The users that a table of users is about, as a condition on `users`. */
export function usersOfTable(kind: ImportKind, table: Table): RawBuilder<boolean> | undefined {
  // Tables of customers are for administrators, whose rights depend on no customer.
  if (kind !== 'users') return undefined;
  const logins = valuesOf(table, 'login').map((login) => login.toLowerCase());
  return sql<boolean>`lower(users.login) = any(${logins}::text[])`;
}

/** The users that a loaded table of users has created or changed, as a condition on `users`. */
export async function usersOfImport(
  tx: Tx,
  importId: number,
): Promise<RawBuilder<boolean> | undefined> {
  const loaded = await tx
    .selectFrom('imports')
    .select('id')
    .where('id', '=', importId)
    .where('kind', '=', 'users')
    .executeTakeFirst();
  if (loaded === undefined) return undefined;
  return sql<boolean>`users.id in (select object_id::bigint from audit_log
    where import_id = ${importId} and object_type = 'user' and object_id is not null)`;
}

/** Objects of the fleet, by their ids. */
export interface FleetRows {
  readonly units: readonly number[];
  /** The buses whose figures change. */
  readonly buses: readonly number[];
  /** Into which something new goes. */
  readonly places: readonly number[];
  readonly cameras: readonly number[];
}

/** The objects that a plan changes, and the buses into which it puts something. */
export function plannedRows(creations: readonly Creation[], changes: readonly Change[]): FleetRows {
  const idsOf = (wanted: Change['kind']) =>
    changes.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const moved = changes.flatMap((one) => (one.kind === 'units' ? (one.body.bus_id ?? []) : []));
  const places = creations.flatMap((one) =>
    one.kind === 'units' || one.kind === 'cameras' ? (one.bus?.id ?? []) : [],
  );
  const buses = [...idsOf('buses'), ...moved];
  return { units: idsOf('units'), buses, places, cameras: idsOf('cameras') };
}

/** The objects that the commands of a loaded table have created and changed. */
export function loggedRows(commands: readonly LoggedCommand[]): FleetRows {
  const idsOf = (type: string) =>
    commands.filter(({ object_type }) => object_type === type).map(({ object_id }) => object_id);
  const moved = commands
    .filter(({ action }) => action === 'move_unit')
    .flatMap(({ before, after }) => [before?.bus, after?.bus])
    .flatMap((bus) => (bus as { id: number } | null | undefined)?.id ?? []);
  const buses = [...idsOf('workplace'), ...moved];
  return { units: idsOf('unit'), buses, places: [], cameras: idsOf('camera') };
}

/**
 * Locks units with their buses, buses and the buses of cameras until the transaction ends. Batches of the buses wait,
 * because a batch locks its unit before cameras and days of a bus.
 * @returns the ids of the buses, ascending
 */
export async function lockFleet(
  tx: Tx,
  { units, buses, places, cameras }: FleetRows,
): Promise<number[]> {
  const { rows } = await sql<{ id: number; isChanged: boolean }>`
    select id, bool_or(is_changed) as "isChanged" from (
      select id, true as is_changed from unnest(${[...buses]}::bigint[]) as id
      union all select workplace_id, true from cameras where id = any(${[...cameras]}::bigint[])
      union all select workplace_id, true from units
        where id = any(${[...units]}::bigint[]) and workplace_id is not null
      union all select id, false from unnest(${[...places]}::bigint[]) as id
    ) as named group by id order by id`.execute(tx);
  const changed = rows.filter(({ isChanged }) => isChanged).map(({ id }) => id);
  const ids = rows.map(({ id }) => id);
  // In one order with units that sit in no bus: a change of several units locks all of them by their ids.
  await lockBuses(tx, changed, { units, places: ids });
  return ids;
}
