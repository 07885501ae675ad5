// Commands on routes. Each is one transaction under the route's row, valid from a local day on, with one audit row.
// Laps are requested again only for today.
import type { AuditAction } from '@ridewatch/contract/action-words';
import { dayOf, FALLBACK_ZONE } from '@ridewatch/contract/day';
import { sql } from 'kysely';
import { findRoute, type RouteRow } from '../access/route.ts';
import { asEditable, type Editable, type Visible } from '../access/visible.ts';
import { announceBusChange } from '../buses/announce.ts';
import { type Actor, insertAudit } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError, hasErrorCode, notFound } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import { listBusesOfRoute } from '../days/bus-settings.ts';
import { requestLaps } from '../days/due-laps.ts';

/** Delay of the laps, ms: a user looks at an edit at once. */
const EDIT_WAIT_MS = 1000;
const UNIQUE_VIOLATION = '23505';

/** Today for routes, which belong to no bus's zone. */
export function todayOfRoutes(nowMs: number): string {
  return dayOf(nowMs, FALLBACK_ZONE);
}

export interface RouteCommand {
  readonly db: Db;
  readonly viewer: Viewer;
  readonly actor: Actor;
  readonly nowMs: number;
  /** Valid from this local day; today unless given. */
  readonly validFrom: string | undefined;
}

/** The result of a command, for the audit row. */
export interface RouteChange<T> {
  readonly action: AuditAction;
  readonly before?: unknown;
  readonly after: Readonly<Record<string, unknown>>;
  readonly answer: T;
}

/**
 * Runs one command on a route.
 * @param find finds the route for the user
 * @throws AppError not_found, no_right
 */
export async function changeRoute<T>(
  { db, viewer, actor, nowMs, validFrom }: RouteCommand,
  find: (tx: Tx) => Promise<Visible<RouteRow>>,
  change: (tx: Tx, route: Editable<RouteRow>, day: string) => Promise<RouteChange<T>>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    const route = asEditable(viewer, await find(tx));
    const { rows } = await sql`
      select from route_groups where id = ${route.id} and not deleted for no key update`.execute(
      tx,
    );
    // Somebody else may have deleted it meanwhile.
    if (rows.length === 0) throw notFound();
    const day = validFrom ?? todayOfRoutes(nowMs);
    const { action, before, after, answer } = await change(tx, route, day);
    await insertAudit(tx, actor, {
      action,
      objectType: 'route_group',
      objectId: route.id,
      before,
      after: { ...after, valid_from: day },
    });
    await requestLapsOfRoute(tx, route.id, { nowMs, day });
    await announceBusChange(tx);
    return answer;
  });
}

/** @param id of a route that the user may see */
export function findRouteToChange(viewer: Viewer, id: number) {
  return (tx: Tx): Promise<Visible<RouteRow>> => findRoute(tx, viewer, id);
}

// Past laps and money stay; 'recalculate from' is a command of its own. Each bus has its own today: a change from today
// on in the east may be from tomorrow on in the routes' zone.
async function requestLapsOfRoute(
  tx: Tx,
  routeId: number,
  { nowMs, day }: { nowMs: number; day: string },
): Promise<void> {
  for (const { id, timezone } of await listBusesOfRoute(tx, routeId, nowMs)) {
    const today = dayOf(nowMs, timezone);
    if (day <= today) await requestLaps(tx, id, [today], { nowMs, waitMs: EDIT_WAIT_MS });
  }
}

/** @throws AppError conflict when another route of the customer has the name */
export async function refuseTakenName<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!hasErrorCode(error, UNIQUE_VIOLATION)) throw error;
    throw new AppError('conflict', 'Another route has this name.', { field: 'name' });
  }
}
