// The one rule of what a user may see and change. A foreign object answers exactly like one that does not exist. Code
// that writes or streams takes a Visible<T>, which only this folder makes, one file an object.
import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { passingBuses } from './passing.ts';

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
 * The rule as an SQL condition, for lists and joins: the bus is a customer's of the user now. For what it is and does at
 * present: lists, live, commands, administration. Records of its past days have the rules below. For a user who has
 * chosen a customer: the bus is under that one today.
 * @param busId the column of the bus's id, for instance `sql.ref('workplaces.id')`
 */
export function isVisibleBus(viewer: Viewer, busId: RawBuilder<unknown>): RawBuilder<boolean> {
  const { chosen } = viewer;
  if (chosen === undefined) return isOwned(viewer, busId, sql`allowed.to_day = 'infinity'`);
  return sql<boolean>`${busId} in (
    select workplace_id from ${customersToday(viewerBeforeChoice(viewer), chosen.nowMs)} as today
    where ${isOfVisibleClient(viewer, sql.ref('today.client_id'))})`;
}

/** The user without the choice of a customer. */
export function viewerBeforeChoice({ chosen, ...viewer }: Viewer): Viewer {
  return { ...viewer, clientIds: chosen?.from ?? viewer.clientIds };
}

/**
 * The customers under whom lists show the buses of a user today, as a subquery: `workplace_id`, `client_id`. On the day
 * on which a bus passes to others, these are the owners of the day, if the user may know one who is not hidden
 * (docs/decisions/088-owned-days.md); else those whose bus it is now.
 * @param nowMs ms since 1970 UTC
 */
export function customersToday(viewer: Viewer, nowMs: number): RawBuilder<unknown> {
  return sql`(
    with former as materialized (
      select workplace_id, clients.id as client_id
      from ${passingBuses(nowMs)} as passing join clients on clients.id = any(client_ids)
      where ${isVisibleBus(viewer, sql.ref('passing.workplace_id'))} and ${isListedClient}
        and ${isOfVisibleClient(viewer, sql.ref('clients.id'))}
    )
    select workplace_id, client_id from former
    union all
    select workplace_id, client_id from workplace_clients
    where ${isOfVisibleClient(viewer, sql.ref('client_id'))}
      and workplace_id not in (select workplace_id from former)
  )`;
}

/** Whether lists show the buses of a row of `clients`: it is neither blocked nor archived nor disabled. */
export const isListedClient = sql<boolean>`(clients.enabled and clients.status in (1, 2))`;

/** Whether the user sees days of the bus: it is or was a customer's of the user. @param busId as above */
export function isKnownBus(viewer: Viewer, busId: RawBuilder<unknown>): RawBuilder<boolean> {
  return isOwned(viewer, busId, sql`true`);
}

/**
 * Whether a local day of a bus belongs to a customer of the user (docs/decisions/088-owned-days.md).
 * @param busId as above
 * @param day a date
 */
export function isOwnDay(
  viewer: Viewer,
  busId: RawBuilder<unknown>,
  day: RawBuilder<unknown>,
): RawBuilder<boolean> {
  return isOwned(viewer, busId, sql`${day} between allowed.from_day and allowed.to_day`);
}

/**
 * Whether the local day of a moment belongs to a customer of the user. The zone is read for buses that have moved only.
 * @param busId as above
 * @param moment a timestamptz
 */
export function isOwnMoment(
  viewer: Viewer,
  busId: RawBuilder<number>,
  moment: RawBuilder<Date>,
): RawBuilder<boolean> {
  return isOwned(viewer, busId, hasDayOf(busId, moment));
}

/**
 * Whether a row `allowed` of bus_owners has the local day of a moment.
 * @param busId as above
 * @param moment a timestamptz
 */
export function hasDayOf(busId: RawBuilder<number>, moment: RawBuilder<Date>): RawBuilder<boolean> {
  const day = sql`(select (${moment} at time zone timezone)::date
    from ${settingsAt(busId, moment)} as of_moment)`;
  return sql<boolean>`case when allowed.from_day = '-infinity' and allowed.to_day = 'infinity' then true
    else ${day} between allowed.from_day and allowed.to_day end`;
}

/** The last local day of a bus that belongs to a customer of the user, as SQL; infinity for a present one. */
export function lastOwnDay(
  { clientIds }: Viewer,
  busId: RawBuilder<unknown>,
): RawBuilder<string | null> {
  const isOfUser =
    clientIds === 'all' ? sql`true` : sql`owned.client_id = any(${[...clientIds]}::bigint[])`;
  return sql<string | null>`(
    select max(to_day) from bus_owners as owned where owned.workplace_id = ${busId} and ${isOfUser})`;
}

function isOwned(
  { clientIds }: Viewer,
  busId: RawBuilder<unknown>,
  when: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (clientIds === 'all') return sql<boolean>`true`;
  return sql<boolean>`exists (
    select from bus_owners as allowed
    where allowed.workplace_id = ${busId} and ${when}
      and allowed.client_id = any(${[...clientIds]}::bigint[]))`;
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
      select from workplace_clients as owned join clients on clients.id = owned.client_id
      where owned.workplace_id = ${busId} and ${isListedClient}))`;
}

/**
 * The id of a route if the user may know it, else null, as SQL.
 * @param routeId the column of the route's id
 */
export function knownRoute(
  viewer: Viewer,
  routeId: RawBuilder<unknown>,
): RawBuilder<number | null> {
  if (viewer.clientIds === 'all') return sql<number | null>`${routeId}`;
  return sql<number | null>`case when ${routeId} in (
    select known.id from route_groups as known where ${isOfVisibleClient(viewer, sql.ref('known.client_id'))})
    then ${routeId} end`;
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
