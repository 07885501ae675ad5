import type { RouteStop } from '@ridewatch/contract/routes';
import { stopsInOrder } from '../stop-order.ts';

/** A place that zones are given to; stops of both directions at one place are one. */
export interface Place {
  readonly classifierId: number;
  readonly name: string;
}

/** The places of a route, in the order they are first driven to. */
export function placesOf(stops: readonly RouteStop[]): Place[] {
  const places = new Map<number, Place>();
  for (const { classifier_id: classifierId, name } of stopsInOrder(stops)) {
    if (!places.has(classifierId)) places.set(classifierId, { classifierId, name });
  }
  return [...places.values()];
}

export interface ZonePrice {
  readonly from: number;
  readonly to: number;
  readonly cost: string;
}

/**
 * The prices of rides by how many zones they touch: a ride within a zone touches one.
 * @param stops in the order they are driven; prices are made for rides forward in it
 * @param zoneOf the zone of a place by its classifier, from 1
 * @param costs `costs[n - 1]` is the price of n zones; null leaves those rides as they are
 */
export function fillFromZones(
  stops: readonly RouteStop[],
  zoneOf: ReadonlyMap<number, number>,
  costs: readonly (string | null)[],
): ZonePrice[] {
  return stops.flatMap((from, index) =>
    stops.slice(index + 1).flatMap((to) => {
      const zones = [from, to].map(({ classifier_id }) => zoneOf.get(classifier_id));
      const [a, b] = zones;
      if (a === undefined || b === undefined || from.classifier_id === to.classifier_id) return [];
      const cost = costs[Math.abs(a - b)];
      return cost === undefined || cost === null ? [] : [{ from: from.id, to: to.id, cost }];
    }),
  );
}
