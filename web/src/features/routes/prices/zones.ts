import type { RouteStop } from '@ridewatch/contract/routes';
import { stopsInOrder } from '../stop-order.ts';

/** A place with a zone; stops of both directions at one place are one. */
export interface Place {
  readonly classifierId: number;
  readonly name: string;
}

/** The places of a route, in the order in which the bus first reaches them. */
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
 * Makes the prices of rides from the number of zones; a ride within a zone has one.
 * @param stops in the order of travel; prices are made for rides forward in it
 * @param zoneOf zone by classifier, from 1
 * @param costs `costs[n - 1]` is the price of n zones; null leaves those rides unchanged
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
