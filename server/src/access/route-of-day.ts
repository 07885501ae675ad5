// A bus drives on a local day only routes of customers who own that day (docs/decisions/088-owned-days.md).
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { everySettings, type SettingsFrom } from '../days/bus-settings.ts';

/** A route for a bus from a local day on. */
export interface RouteFrom extends DayOfBus {
  readonly routeId: number;
}

/**
 * Refuses routes of customers who do not own the first day on which they would be driven.
 * @param foreign the refusal of a route of a customer to whom the bus belongs neither then nor now
 * @param field the field of the request that names the day
 * @throws AppError foreign; invalid_request, which names the field, for a customer whose days begin later
 */
export async function refuseForeignRoutes(
  tx: Tx,
  routes: readonly RouteFrom[],
  foreign: () => AppError,
  field: string,
): Promise<void> {
  for (const refusal of (await refusalsOfRoutes(tx, routes, foreign, field)).values())
    throw refusal;
}

/** The refusals of `refuseForeignRoutes`, by bus. @param routes as there, each bus once */
export async function refusalsOfRoutes(
  tx: Tx,
  routes: readonly RouteFrom[],
  foreign: () => AppError,
  field: string,
): Promise<ReadonlyMap<number, AppError>> {
  // The days are found for each bus by itself: new routes and buses have no statistics yet, and the planner reads all for
  // each.
  const { rows } = await sql<{ bus: number; from: string | null }>`
    select bus_id as bus, nullif(own.from_day, '-infinity') as "from"
    from ${routesFrom(routes)}
    cross join lateral (
      select coalesce(bool_or(chosen.day between from_day and to_day), false) as has_day,
        max(from_day) filter (where to_day = 'infinity') as from_day
      from bus_owners where workplace_id = chosen.bus_id and client_id = chosen.client_id
    ) as own
    where not own.has_day order by bus_id`.execute(tx);
  const refusalOf = (from: string | null): AppError => {
    if (from === null) return foreign();
    const message = `The bus is the route's customer's from ${from} on.`;
    return new AppError('invalid_request', message, { field });
  };
  return new Map(rows.map(({ bus, from }) => [bus, refusalOf(from)]));
}

/**
 * The settings with which routes end because the bus is its customer's no more: from the day after on it has no route.
 * @param changes settings before they are written
 */
export async function endsOfRoutes(
  tx: Tx,
  changes: readonly SettingsFrom[],
): Promise<SettingsFrom[]> {
  const routes = changes.flatMap(({ busId, day, settings: { group_id: routeId } }) =>
    routeId === null ? [] : [{ busId, day, routeId }],
  );
  if (routes.length === 0) return [];
  const { rows } = await sql<DayOfBus>`
    select chosen.bus_id as "busId", own.to_day + 1 as day
    from ${routesFrom(routes)}
    cross join lateral (
      select max(to_day) as to_day from bus_owners
      where workplace_id = chosen.bus_id and client_id = chosen.client_id
        and chosen.day between from_day and to_day
    ) as own
    where own.to_day < 'infinity' and not exists (
      select from ${everySettings(sql`chosen.bus_id`)} as later
      where later.valid_from > chosen.day and later.valid_from <= own.to_day + 1)`.execute(tx);
  const dayOf = new Map(rows.map(({ busId, day }) => [busId, day]));
  return changes.flatMap(({ busId, settings }) => {
    const day = dayOf.get(busId);
    if (day === undefined) return [];
    return [{ busId, day, settings: { ...settings, group_id: null, terminal_stop_id: null } }];
  });
}

// Rows `chosen (bus_id, route_id, day, client_id)`.
function routesFrom(routes: readonly RouteFrom[]): RawBuilder<unknown> {
  return sql`(
    select bus_id, route_id, day, client_id
    from unnest(${routes.map(({ busId }) => busId)}::bigint[],
      ${routes.map(({ routeId }) => routeId)}::bigint[], ${routes.map(({ day }) => day)}::date[])
      as asked (bus_id, route_id, day)
    join route_groups on route_groups.id = route_id
  ) as chosen`;
}
