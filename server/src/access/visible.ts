// The one rule of what a user may see and change. A foreign object answers exactly like one that does not exist. Code
// that writes or streams takes a Visible<T>, which only this folder makes, one file an object.
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';

declare const visible: unique symbol;

/** An object that the asking user may see. */
export type Visible<T> = T & { readonly [visible]: true };

declare const editable: unique symbol;

/** An object that the asking user may see and change. */
export type Editable<T> = Visible<T> & { readonly [editable]: true };

/** @throws AppError no_right for a user without the edit right */
export function asEditable<T>(viewer: Viewer, seen: Visible<T>): Editable<T> {
  if (!viewer.canEdit)
    throw new AppError('no_right', 'You may not change this: you lack the edit right.');
  return seen as Editable<T>;
}

/**
 * The rule as an SQL condition, for lists and joins.
 * @param busId the column of the bus's id, for instance `sql.ref('workplaces.id')`
 */
export function isVisibleBus(viewer: Viewer, busId: RawBuilder<unknown>): RawBuilder<boolean> {
  if (viewer.clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`exists (
    select from workplace_clients as allowed
    where allowed.workplace_id = ${busId}
      and allowed.client_id = any(${[...viewer.clientIds]}::bigint[]))`;
}

/**
 * Whether the bus list shows a bus that is visible, as an SQL condition: it belongs to nobody, or to a customer that is
 * active. Buses of blocked, archived and disabled customers are hidden from their administrators.
 * @param busId the column of the bus's id
 */
export function isListedBus(busId: RawBuilder<unknown>): RawBuilder<boolean> {
  return sql<boolean>`(
    not exists (select from workplace_clients as owned where owned.workplace_id = ${busId})
    or exists (
      select from workplace_clients as owned join clients as owner on owner.id = owned.client_id
      where owned.workplace_id = ${busId} and owner.enabled and owner.status in (1, 2)))`;
}

/** Whether a customer's own objects (routes, stops) are visible. */
export function isVisibleClient(viewer: Viewer, clientId: number): boolean {
  return viewer.clientIds === 'all' || viewer.clientIds.includes(clientId);
}

/**
 * Whether an object's customer is visible, as an SQL condition.
 * @param clientId the column of the customer's id
 * @returns of an object without a customer: true for administrators only
 */
export function isOfVisibleClient(
  { clientIds }: Viewer,
  clientId: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`coalesce(${clientId} = any(${[...clientIds]}::bigint[]), false)`;
}
