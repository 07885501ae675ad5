import { type BusRoute, UNGROUPED } from '@ridewatch/contract/bus-routes';
import { sql } from 'kysely';
import { type BusRow, findBus } from '../access/bus.ts';
import { findRoute, findRouteToKeep, type RouteRow } from '../access/route.ts';
import { refuseForeignRoutes } from '../access/route-of-day.ts';
import type { Visible } from '../access/visible.ts';
import { lockAdministrator } from '../auth/lock-administrator.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db } from '../core/db/db.ts';
import { notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { changeBusSettings } from '../counts/settings.ts';
import { lockBusSettings } from '../days/bus-settings.ts';
import { requestLaps } from '../days/due-laps.ts';

/** Delay of the laps, ms: a user looks at a move at once. */
const EDIT_WAIT_MS = 1000;

/** A bus and the route to which it moves. */
export interface Move {
  readonly busId: number;
  readonly routeId: number | typeof UNGROUPED;
}

/** The routes of a customer, by name. */
export async function listClientRoutes(db: Db, clientId: number): Promise<BusRoute[]> {
  return db
    .selectFrom('route_groups')
    .select(['id', 'name', 'client_id', 'deleted', 'type_calculation'])
    .where('client_id', '=', clientId)
    .where('deleted', '=', false)
    .orderBy(sql`name collate natural_ru`)
    .execute();
}

/** The bus and the route of a move. @throws AppError not_found, also for foreign ones */
export async function findMove(
  db: Db,
  viewer: Viewer,
  { busId, routeId }: Move,
): Promise<{ bus: Visible<BusRow>; route: Visible<RouteRow> | null }> {
  const bus = await findBus(db, viewer, busId);
  return { bus, route: routeId === UNGROUPED ? null : await findRoute(db, viewer, routeId) };
}

/**
 * Moves a bus to another route of its customer, or to none, from its today or another day on, for an administrator.
 * Earlier days and later settings stay.
 * @throws AppError not_found, also for a route of another customer; no_right; invalid_request for a day that is not the
 *   route's customer's
 */
export async function setRoute(
  db: Db,
  viewer: Viewer,
  actor: Actor,
  move: Move,
  nowMs: number,
  validFrom?: string,
): Promise<BusRoute | null> {
  return db.transaction().execute(async (tx) => {
    await lockAdministrator(tx, viewer);
    const { bus } = await findMove(tx, viewer, move);
    const { today, day, before } = await lockBusSettings(tx, bus.id, nowMs, validFrom);
    // Under the locks: the route may be deleted and the bus may change customers meanwhile.
    const route =
      move.routeId === UNGROUPED ? null : await findRouteToKeep(tx, viewer, move.routeId);
    if (route !== null) {
      const chosen = [{ busId: bus.id, routeId: route.id, day }];
      const field = validFrom === undefined ? 'groupId' : 'valid_from';
      await refuseForeignRoutes(tx, chosen, notFound, field);
    }
    const moved = route?.id ?? null;
    const settings = {
      ...before,
      group_id: moved,
      // The bus's own terminal is a stop of its former route.
      terminal_stop_id: moved === before.group_id ? before.terminal_stop_id : null,
    };
    await changeBusSettings(tx, [{ busId: bus.id, day, settings }]);
    await insertAudit(tx, actor, {
      action: 'set_group',
      objectType: 'workplace',
      objectId: bus.id,
      before: { group_id: before.group_id },
      after: { group_id: moved, valid_from: day },
    });
    await announceBusChange(tx);
    if (day <= today) await requestLaps(tx, bus.id, [today], { nowMs, waitMs: EDIT_WAIT_MS });
    if (route === null) return null;
    const all = await listClientRoutes(tx, route.clientId);
    return all.find(({ id }) => id === route.id) ?? null;
  });
}
