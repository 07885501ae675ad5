import { type BusRoute, UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';
import { customersOf } from '../../buses/order.ts';

/** A route to which a bus can move; a null name means no route. */
export interface MoveTarget {
  readonly id: number | typeof UNGROUPED;
  readonly name: string | null;
}

/**
 * The other routes of a bus's first customer, on the day on which it passes to others of the day's owner; and no route,
 * if the bus has one.
 * @param routes of all customers, by customer id
 */
export function moveTargets(
  bus: Bus,
  routes: ReadonlyMap<number, readonly BusRoute[]>,
): MoveTarget[] {
  const own = routes.get(customersOf(bus)[0] ?? 0) ?? [];
  const others = own.filter((route) => !route.deleted && route.id !== bus.group?.id);
  const targets: MoveTarget[] = others.map(({ id, name }) => ({ id, name }));
  return bus.group ? [...targets, { id: UNGROUPED, name: null }] : targets;
}

/** Whether a bus has more than one target, found without listing the routes: each row asks at each key. */
export function canMove(bus: Bus, routes: ReadonlyMap<number, readonly BusRoute[]>): boolean {
  const own = routes.get(customersOf(bus)[0] ?? 0) ?? [];
  const isOther = ({ deleted, id }: BusRoute) => !deleted && id !== bus.group?.id;
  const first = own.findIndex(isOther);
  return first >= 0 && (bus.group !== null || own.slice(first + 1).some(isOther));
}
