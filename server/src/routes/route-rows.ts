import type { BusRoute } from '@ridewatch/contract/bus-routes';
import { kopecksOf } from '@ridewatch/contract/money';
import type { Point } from '@ridewatch/contract/primitives';
import { sql } from 'kysely';
import type { Db, Tx } from '../core/db/db.ts';
import { AppError } from '../core/errors.ts';
import { type FieldOf, saveCosts } from './costs.ts';
import { type IndexedPattern, replacePatterns } from './replace-patterns.ts';
import type { Entry } from './route-shape.ts';
import { saveStops, type WantedStop } from './stops.ts';
import { saveTrack } from './tracks.ts';

/** A route to be created. */
export interface NewRoute {
  readonly name: string;
  readonly type_calculation: BusRoute['type_calculation'];
  readonly track: readonly Point[];
  /** How it comes in. */
  readonly entry: Entry;
  readonly stops: readonly WantedStop[];
  /** Further patterns; their stops are indexes in `stops`. */
  readonly patterns?: readonly IndexedPattern[];
  /** Between stops, by their index in `stops`; roubles. */
  readonly costs: readonly { readonly from: number; readonly to: number; readonly cost: string }[];
}

/**
 * Creates a route with its track, stops and prices, valid from a local day on.
 * @param field where the route is in the request, for errors
 * @returns the route's id
 * @throws AppError invalid_request for a price between unknown stops and for a route of length 0, conflict for stops
 *   that lie far apart
 */
export async function insertRoute(
  tx: Tx,
  clientId: number,
  route: NewRoute,
  { day, field }: { day: string; field: string },
): Promise<number> {
  const { id } = await tx
    .insertInto('route_groups')
    .values({ client_id: clientId, name: route.name, type_calculation: route.type_calculation })
    .returning('id')
    .executeTakeFirstOrThrow();
  await saveTrack(tx, id, day, route.track);
  const stopIds = await saveStops(tx, { id, clientId }, day, route.stops, route.entry);
  await replacePatterns(tx, id, day, stopIds, route.patterns ?? []);
  const fieldOf: FieldOf = (index, which) => `${field}.costs.${index}.${which}`;
  const costs = route.costs.map(({ from, to, cost }, index) => {
    const [fromId, toId] = [stopIds[from], stopIds[to]];
    if (fromId === undefined || toId === undefined) {
      throw new AppError('invalid_request', 'The route has no stop with this index.', {
        field: fieldOf(index, fromId === undefined ? 'from' : 'to'),
      });
    }
    return { from: fromId, to: toId, kopecks: kopecksOf(cost) };
  });
  await saveCosts(tx, id, day, costs, fieldOf);
  return id;
}

/** Lets no route of a customer refer to other places until the transaction ends, so that some can be removed. */
export async function lockPlaces(tx: Tx, clientId: number): Promise<void> {
  await sql`select from clients where id = ${clientId} for no key update`.execute(tx);
}

/** A route as in answers. */
export async function findRouteRow(db: Db, routeId: number): Promise<BusRoute> {
  return db
    .selectFrom('route_groups')
    .select(['id', 'name', 'client_id', 'deleted', 'type_calculation'])
    .where('id', '=', routeId)
    .executeTakeFirstOrThrow();
}
