import type { Db } from '../core/db/db.ts';
import { goesOneWay } from '../laps/engine/route-path.ts';
import { listStopsOn } from './stops.ts';
import { findTrackOn } from './tracks.ts';

/**
 * The order of the stops of a one-way route on a day: nobody rides against it.
 * @returns by the stops' ids; null for a route with a way back or a circle, on which every ride is possible
 */
export async function findOneWayOrder(
  db: Db,
  routeId: number,
  day: string,
): Promise<ReadonlyMap<number, number> | null> {
  const stops = await listStopsOn(db, routeId, day);
  const track = await findTrackOn(db, routeId, day);
  const placed = stops.map((stop) => ({ ...stop, direction: stop.routeDirection }));
  if (!goesOneWay({ stops: placed, track })) return null;
  return new Map(stops.map(({ id }, index) => [id, index]));
}
