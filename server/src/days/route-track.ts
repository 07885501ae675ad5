import type { Point } from '@ridewatch/contract/primitives';
import type { Db } from '../core/db/db.ts';

/**
 * The track of a route that is valid on a local day: the newest that began on or before it, or none. The route's editor
 * shows the first track for earlier days: see routes/tracks.ts.
 * @param day `YYYY-MM-DD`
 */
export async function findRouteTrackOn(db: Db, routeId: number, day: string): Promise<Point[]> {
  const row = await db
    .selectFrom('route_tracks')
    .select('track')
    .where('group_id', '=', routeId)
    .where('valid_from', '<=', day)
    .orderBy('valid_from', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.track ?? []) as Point[];
}
