// Rights to administer. An administrator administers everything; an integrator the users, buses, units, cameras and
// routes of its customers and its own.
import type { Role } from '@ridewatch/contract/auth';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../core/db/db.ts';
import { AppError, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isOfVisibleClient, isVisibleBus, isVisibleClient, type Visible } from './visible.ts';

declare const administered: unique symbol;

/** An object that the asking user may see and administers. */
export type Administered<T> = Visible<T> & { readonly [administered]: true };

/** @throws AppError no_right for a user who administers nothing */
export function checkAdministers({ role }: Viewer): void {
  if (role === 'ADMIN' || role === 'INTEGRATOR') return;
  throw new AppError('no_right', 'Only administrators and integrators may do this.');
}

/** @throws AppError no_right for a user who sees the object and does not administer it */
export function asAdministered<T>(viewer: Viewer, seen: Visible<T>): Administered<T> {
  checkAdministers(viewer);
  return seen as Administered<T>;
}

export interface UserRow {
  readonly id: number;
  readonly role: Role;
  readonly clientId: number | null;
}

/** Whether a user is visible: oneself, and those of visible customers. */
export function isVisibleUser(viewer: Viewer): RawBuilder<boolean> {
  return isOfVisibleClient(viewer, sql.ref('users.client_id'));
}

/** @throws AppError not_found, also for users of foreign customers */
export async function findUser(db: Db, viewer: Viewer, id: number): Promise<Visible<UserRow>> {
  const user = await db
    .selectFrom('users')
    .select(['id', 'role', 'client_id as clientId'])
    .where('id', '=', id)
    .where(isVisibleUser(viewer))
    .executeTakeFirst();
  if (user === undefined) throw notFound();
  return user as Visible<UserRow>;
}

/**
 * Refuses a role that would see more than the user who gives it: an integrator makes customers and operators, and none of a
 * customer that looks after others whom the integrator does not see.
 * @throws AppError no_right, invalid_request for a role without its customer, not_found for a foreign customer
 */
export async function checkMayGive(
  db: Db,
  viewer: Viewer,
  { role, clientId }: { readonly role: Role; readonly clientId: number | null },
): Promise<void> {
  if ((role === 'ADMIN') !== (clientId === null)) {
    const message = role === 'ADMIN' ? 'An administrator has no customer.' : 'is required';
    throw new AppError('invalid_request', message, { field: 'client_id' });
  }
  if (viewer.clientIds === 'all') return;
  if (clientId === null || role === 'INTEGRATOR') {
    throw new AppError('no_right', 'Only administrators may give this role.', { field: 'role' });
  }
  if (!isVisibleClient(viewer, clientId)) throw notFound();
  await checkSeesAllOf(db, viewer, clientId);
}

/**
 * Refuses what would see as much as a customer that looks after others whom the viewer does not see.
 * @throws AppError no_right
 */
export async function checkSeesAllOf(db: Db, viewer: Viewer, clientId: number): Promise<void> {
  const beyond = await db
    .selectFrom('integrator_clients')
    .select('client_id')
    .where('integrator_id', '=', clientId)
    .where((eb) => eb.not(isOfVisibleClient(viewer, sql.ref('integrator_clients.client_id'))))
    .executeTakeFirst();
  if (beyond === undefined) return;
  const message = 'The customer looks after customers whom you do not see.';
  throw new AppError('no_right', message, { field: 'client_id' });
}

/**
 * Finds a user whom the viewer administers: an integrator neither administers other integrators nor users who see more.
 * @throws AppError not_found, no_right
 */
export async function findAdministeredUser(
  db: Db,
  viewer: Viewer,
  id: number,
): Promise<Administered<UserRow>> {
  const user = asAdministered(viewer, await findUser(db, viewer, id));
  await checkMayGive(db, viewer, user);
  return user;
}

export interface UnitRow {
  readonly id: number;
  readonly deviceId: string;
  readonly busId: number | null;
  readonly clientId: number | null;
}

/** Whether a unit is visible: its bus is, or it sits in none and its customer is. */
export function isVisibleUnit(viewer: Viewer): RawBuilder<boolean> {
  if (viewer.clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`case when units.workplace_id is null
    then ${isOfVisibleClient(viewer, sql.ref('units.owner_id'))}
    else ${isVisibleBus(viewer, sql.ref('units.workplace_id'))} end`;
}

/** @throws AppError not_found, also for units of foreign buses and customers */
export async function findUnit(db: Db, viewer: Viewer, id: number): Promise<Visible<UnitRow>> {
  const unit = await db
    .selectFrom('units')
    .select(['id', 'device_id as deviceId', 'workplace_id as busId', 'owner_id as clientId'])
    .where('id', '=', id)
    .where(isVisibleUnit(viewer))
    .executeTakeFirst();
  if (unit === undefined) throw notFound();
  return unit as Visible<UnitRow>;
}
