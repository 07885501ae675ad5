// Several buses that are put on a route from a local day on.
import type { Named } from '@ridewatch/contract/paging';
import { sql } from 'kysely';
import { findRoutes, keepRoutes } from '../access/route.ts';
import { refusalsOfRoutes } from '../access/route-of-day.ts';
import type { Actor } from '../core/audit.ts';
import type { Db, Tx } from '../core/db/db.ts';
import type { AppError } from '../core/errors.ts';
import type { Viewer } from '../core/viewer.ts';
import type { DayOfBus } from '../days/bus-days.ts';
import { listRoutesOn, settingsOn } from '../days/bus-settings.ts';
import { changeSettingsOf, foreignRoute, refusalToChoose } from './settings-changes.ts';
import { LOT, lotsOf, type Outcome } from './several-rows.ts';

/**
 * Puts buses on a route from a local day on, or takes them off theirs. One by one, each takes 20 ms.
 * @param ids of locked buses, ascending
 */
export async function changeRoutes(
  tx: Tx,
  viewer: Viewer,
  actor: Actor,
  ids: readonly number[],
  change: { readonly group_id: number | null; readonly valid_from: string },
): Promise<Outcome> {
  const { group_id: routeId, valid_from: day } = change;
  const noRight = refusalToChoose(viewer);
  if (noRight) return { changed: [], refused: new Map(ids.map((id) => [id, noRight])) };
  const days = ids.map((busId) => ({ busId, day }));
  const refused = routeId === null ? new Map() : await refusedRoutes(tx, viewer, days, routeId);
  const before = await listRoutesOn(tx, days);
  const changed = ids.filter((id) => !refused.has(id) && before.get(id) !== routeId);
  for (const lot of lotsOf(changed, LOT)) {
    const buses = lot.map((busId) => ({ busId, body: change }));
    await changeSettingsOf(tx, viewer, actor, buses);
  }
  return { changed, refused };
}

async function refusedRoutes(
  tx: Tx,
  viewer: Viewer,
  days: readonly DayOfBus[],
  routeId: number,
): Promise<ReadonlyMap<number, AppError>> {
  await keepRoutes(tx, [routeId]);
  await findRoutes(tx, viewer, [routeId]);
  const chosen = days.map((day) => ({ ...day, routeId }));
  return refusalsOfRoutes(tx, chosen, foreignRoute, 'valid_from');
}

/** The routes that buses have on a local day, by bus. The caller may see the routes. */
export async function listRoutesOfBuses(
  db: Db,
  busIds: readonly number[],
  day: string,
): Promise<{ id: number; route: Named | null }[]> {
  const { rows } = await sql<{ id: number; route: Named | null }>`
    select bus.id, case when route_groups.id is not null
      then jsonb_build_object('id', route_groups.id, 'name', name) end as route
    from unnest(${[...busIds]}::bigint[]) as bus (id)
    cross join lateral ${settingsOn(sql.ref('bus.id'), sql`${day}::date`)} as settings
    left join route_groups on route_groups.id = settings.group_id`.execute(db);
  return rows;
}
