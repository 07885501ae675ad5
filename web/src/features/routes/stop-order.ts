import type { RouteDirection } from '@ridewatch/contract/laps';
import type { RouteStop } from '@ridewatch/contract/routes';

/** Sorts stops in the order of travel: forward, then reverse. */
export function stopsInOrder<T extends Pick<RouteStop, 'routeDirection' | 'orderKey'>>(
  stops: readonly T[],
): T[] {
  return [...stopsOf(stops, 'FORWARD'), ...stopsOf(stops, 'REVERSE')];
}

/** The stops of one direction, in order. */
export function stopsOf<T extends Pick<RouteStop, 'routeDirection' | 'orderKey'>>(
  stops: readonly T[],
  direction: RouteDirection,
): T[] {
  return stops
    .filter((stop) => stop.routeDirection === direction)
    .sort((a, b) => a.orderKey - b.orderKey);
}

/** A place in a route: before the stop that is at `orderKey` of that direction, the moved stop not counted. */
export interface StopPlace {
  readonly routeDirection: RouteDirection;
  readonly orderKey: number;
}

/** Moves a stop to another place and renumbers the others as the server does. */
export function withStopAt(
  stops: readonly RouteStop[],
  id: number,
  place: StopPlace,
): readonly RouteStop[] {
  const moved = stops.find((stop) => stop.id === id);
  if (!moved) return stops;
  const others = stops.filter((stop) => stop !== moved);
  const renumbered = (direction: RouteDirection) => {
    const same = stopsOf(others, direction);
    if (direction === place.routeDirection) {
      same.splice(place.orderKey, 0, { ...moved, routeDirection: direction });
    }
    return same.map((stop, orderKey) => ({ ...stop, orderKey }));
  };
  return [...renumbered('FORWARD'), ...renumbered('REVERSE')];
}

/**
 * The place one step up or down from a stop's own; past the end of a direction it is in the other direction.
 * @returns undefined at the very first and the very last place
 */
export function placeBeside(
  stops: readonly RouteStop[],
  { routeDirection, orderKey }: StopPlace,
  by: 1 | -1,
): StopPlace | undefined {
  const next = orderKey + by;
  const length = stopsOf(stops, routeDirection).length;
  if (next >= 0 && next < length) return { routeDirection, orderKey: next };
  if (by === 1 && routeDirection === 'FORWARD') return { routeDirection: 'REVERSE', orderKey: 0 };
  if (by === -1 && routeDirection === 'REVERSE') {
    return { routeDirection: 'FORWARD', orderKey: stopsOf(stops, 'FORWARD').length };
  }
  return undefined;
}
