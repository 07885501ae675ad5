import type { FleetPlan } from '@ridewatch/contract/fleet';
import type { Db } from '../db.ts';
import { AppError } from '../errors.ts';
import { VALID_FROM } from './queries.ts';

type PlannedGroup = FleetPlan['customers'][number]['groups'][number];
type PlannedStop = PlannedGroup['stops'][number];

/** Stops of one name this near to each other are one place: the two sides of a street. */
const SAME_PLACE_M = 300;
const METRES_PER_DEGREE = 111_195;

/**
 * Makes a route: its group, track, stops and prices, valid from the first day on.
 * @param field where the route stands in the request, for errors
 * @returns the group's id
 * @throws AppError invalid_request for a price between stops that the route does not have
 */
export async function insertRoute(
  tx: Db,
  clientId: number,
  group: PlannedGroup,
  field: string,
): Promise<number> {
  const { id: groupId } = await tx
    .insertInto('route_groups')
    .values({ client_id: clientId, name: group.name, type_calculation: group.type_calculation })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('route_tracks')
    .values({ group_id: groupId, valid_from: VALID_FROM, track: JSON.stringify(group.track) })
    .execute();
  const stopIds = await insertStops(tx, clientId, groupId, group.stops);
  const costs = (group.costs ?? []).map((cost, index) => {
    const from = stopIds[cost.from];
    const to = stopIds[cost.to];
    if (from === undefined || to === undefined) {
      throw new AppError('invalid_request', 'The route has no stop of that number.', {
        field: `${field}.costs.${index}.${from === undefined ? 'from' : 'to'}`,
      });
    }
    return {
      group_id: groupId,
      from_stop_id: from,
      to_stop_id: to,
      cost_kopecks: kopecksOf(cost.cost),
      valid_from: VALID_FROM,
    };
  });
  for (let start = 0; start < costs.length; start += 1000) {
    await tx
      .insertInto('route_costs')
      .values(costs.slice(start, start + 1000))
      .execute();
  }
  return groupId;
}

async function insertStops(
  tx: Db,
  clientId: number,
  groupId: number,
  stops: readonly PlannedStop[],
): Promise<number[]> {
  const places = await tx
    .selectFrom('stop_classifiers')
    .select(['id', 'name', 'latitude', 'longitude'])
    .where('client_id', '=', clientId)
    .execute();
  const orders = { FORWARD: 0, REVERSE: 0 };
  const ids: number[] = [];
  for (const stop of stops) {
    let place = places.find((known) => known.name === stop.name && areNear(known, stop));
    if (place === undefined) {
      place = await tx
        .insertInto('stop_classifiers')
        .values({
          client_id: clientId,
          name: stop.name,
          latitude: stop.latitude,
          longitude: stop.longitude,
        })
        .returning(['id', 'name', 'latitude', 'longitude'])
        .executeTakeFirstOrThrow();
      places.push(place);
    }
    const { id } = await tx
      .insertInto('route_stops')
      .values({ group_id: groupId })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx
      .insertInto('route_stop_versions')
      .values({
        stop_id: id,
        valid_from: VALID_FROM,
        classifier_id: place.id,
        name: stop.name,
        latitude: stop.latitude,
        longitude: stop.longitude,
        order_key: orders[stop.routeDirection],
        route_direction: stop.routeDirection,
        terminal: stop.terminal ?? null,
      })
      .execute();
    orders[stop.routeDirection] += 1;
    ids.push(id);
  }
  return ids;
}

interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

// The plane through the first point: at 300 m the earth's curve is millimetres.
function areNear(a: Place, b: Place): boolean {
  const northM = (b.latitude - a.latitude) * METRES_PER_DEGREE;
  const eastM =
    (b.longitude - a.longitude) * METRES_PER_DEGREE * Math.cos((a.latitude * Math.PI) / 180);
  return Math.hypot(northM, eastM) <= SAME_PLACE_M;
}

/**
 * Roubles with two decimals as kopecks, digit by digit: no binary fraction in between.
 * @param roubles `45.00`, as the contract's pattern lets through
 */
export function kopecksOf(roubles: string): number {
  return Number(roubles.replace('.', ''));
}
