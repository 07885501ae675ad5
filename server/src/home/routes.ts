// The routes on the map of all buses.

import { MAX_MAP_ROUTES, MAX_ROUTE_POINTS, type MapRoute } from '@ridewatch/contract/home';
import { roundTo } from '@ridewatch/contract/round';
import { sql } from 'kysely';
import { isListedBus, isOfVisibleClient, isVisibleBus } from '../access/visible.ts';
import type { Db } from '../core/db/db.ts';
import type { Viewer } from '../core/viewer.ts';
import { settingsAt } from '../days/bus-settings.ts';
import { simplifyLine } from '../laps/engine/geometry/simplify.ts';

/** On a map of a city nobody sees a smaller deviation, m. */
const TOLERANCE_M = 25;
/** 1.1 m in latitude. */
const DECIMALS = 5;

/**
 * The routes that the buses of the list are on, those of most buses first, in one statement, with the track of the latest
 * local day that their buses have now. Of a long track the database leaves out points, so that the server parses few.
 * @param nowMs ms since 1970 UTC
 */
export async function readMapRoutes(db: Db, viewer: Viewer, nowMs: number): Promise<MapRoute[]> {
  const now = sql<Date>`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<MapRoute>`
    with shown as (
      select settings.group_id as id, count(*) as buses,
        max((${now} at time zone settings.timezone)::date) as today
      from workplaces
      cross join lateral ${settingsAt(sql.ref('workplaces.id'), now)} as settings
      where ${isVisibleBus(viewer, sql.ref('workplaces.id'))} and ${isListedBus(sql.ref('workplaces.id'))}
        and retired_at is null
        and settings.group_id is not null
      group by 1 order by 2 desc, 1 limit ${MAX_MAP_ROUTES}
    )
    select shown.id, route_groups.name, (
      select jsonb_agg(jsonb_build_array(point -> 'latitude', point -> 'longitude') order by n)
      from jsonb_array_elements(valid.track) with ordinality as points (point, n)
      where (n - 1) % valid.step = 0 or n = valid.length
    ) as line
    from shown
    join route_groups on route_groups.id = shown.id and not deleted
      and ${isOfVisibleClient(viewer, sql.ref('route_groups.client_id'))}
    cross join lateral (
      select track, jsonb_array_length(track) as length,
        1 + jsonb_array_length(track) / ${MAX_ROUTE_POINTS}::int as step
      from route_tracks where group_id = shown.id
      order by (valid_from <= shown.today) desc, abs(valid_from - shown.today) limit 1
    ) as valid
    where valid.length > 1
    order by shown.buses desc, shown.id`.execute(db);
  return rows.map(({ id, name, line }) => ({ id, name, line: simplified(line) }));
}

function simplified(line: MapRoute['line']): MapRoute['line'] {
  const places = line.map(([latitude, longitude]) => ({ latitude, longitude }));
  return simplifyLine(places, TOLERANCE_M).map(({ latitude, longitude }) => [
    roundTo(latitude, DECIMALS),
    roundTo(longitude, DECIMALS),
  ]);
}
