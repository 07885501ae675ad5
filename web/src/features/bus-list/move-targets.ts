import { type BusRoute, UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';

/** A route to which a bus can move; a null name means no route. */
export interface MoveTarget {
  readonly id: number | typeof UNGROUPED;
  readonly name: string | null;
}

/** The other routes of a bus's first customer; and no route, if the bus has one. */
export function moveTargets(bus: Bus, routes: readonly BusRoute[]): MoveTarget[] {
  const others = routes.filter((route) => !route.deleted && route.id !== bus.group?.id);
  const targets: MoveTarget[] = others.map(({ id, name }) => ({ id, name }));
  return bus.group ? [...targets, { id: UNGROUPED, name: null }] : targets;
}
