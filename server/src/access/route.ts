import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { isVisibleClient, type Visible } from './visible.ts';

export interface RouteRow {
  readonly id: number;
  readonly clientId: number;
  readonly name: string;
}

/** @throws AppError not_found, also for deleted routes and those of foreign customers */
export async function findRoute(db: Db, viewer: Viewer, id: number): Promise<Visible<RouteRow>> {
  const route = await db
    .selectFrom('route_groups')
    .select(['id', 'client_id as clientId', 'name'])
    .where('id', '=', id)
    .where('deleted', '=', false)
    .executeTakeFirst();
  if (route === undefined || !isVisibleClient(viewer, route.clientId)) throw notFound();
  return route as Visible<RouteRow>;
}

/**
 * Finds a route and keeps it from being deleted until the transaction ends, for what is to refer to it.
 * @throws AppError not_found, also for deleted routes and those of foreign customers
 */
export async function findRouteToKeep(
  tx: Tx,
  viewer: Viewer,
  id: number,
): Promise<Visible<RouteRow>> {
  await keepRoutes(tx, [id]);
  return findRoute(tx, viewer, id);
}

/** Keeps routes from being deleted until the transaction ends. @returns those that are not deleted */
export async function keepRoutes(tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from route_groups where id = any(${[...ids]}::bigint[]) and not deleted
    order by id for key share`.execute(tx);
  return new Set(rows.map((row) => row.id));
}

/**
 * Several routes, by name, as people sort.
 * @throws AppError not_found when one of them is deleted, foreign or does not exist
 */
export async function findRoutes(
  db: Db,
  viewer: Viewer,
  ids: readonly number[],
): Promise<Visible<RouteRow[]>> {
  const wanted = [...new Set(ids)];
  const routes = await db
    .selectFrom('route_groups')
    .select(['id', 'client_id as clientId', 'name'])
    .where(sql<boolean>`id = any(${wanted}::bigint[])`)
    .where('deleted', '=', false)
    .orderBy(sql`name collate natural_ru`)
    .orderBy('id')
    .execute();
  const seen = routes.filter(({ clientId }) => isVisibleClient(viewer, clientId));
  if (seen.length < wanted.length) throw notFound();
  return seen as Visible<RouteRow[]>;
}

/** The route of a stop. @throws AppError not_found, also for stops of foreign or deleted routes */
export async function findRouteOfStop(
  db: Db,
  viewer: Viewer,
  stopId: number,
): Promise<Visible<RouteRow>> {
  const stop = await db
    .selectFrom('route_stops')
    .select('group_id')
    .where('id', '=', stopId)
    .executeTakeFirst();
  if (stop === undefined) throw notFound();
  return findRoute(db, viewer, stop.group_id);
}

/** The route of a pattern. @throws AppError not_found, also for patterns of foreign or deleted routes */
export async function findRouteOfPattern(
  db: Db,
  viewer: Viewer,
  patternId: number,
): Promise<Visible<RouteRow>> {
  const pattern = await db
    .selectFrom('route_patterns')
    .select('group_id')
    .where('id', '=', patternId)
    .executeTakeFirst();
  if (pattern === undefined) throw notFound();
  return findRoute(db, viewer, pattern.group_id);
}
