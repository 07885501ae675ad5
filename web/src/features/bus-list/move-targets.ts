import { type BusRoute, UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';

/** Where a bus can be moved to; the name is null for no route at all. */
export interface MoveTarget {
  readonly id: number | typeof UNGROUPED;
  readonly name: string | null;
}

/** The other routes of a bus's first customer, and none when it is in one. */
export function moveTargets(bus: Bus, routes: readonly BusRoute[]): MoveTarget[] {
  const others = routes.filter((route) => !route.deleted && route.id !== bus.group?.id);
  const targets: MoveTarget[] = others.map(({ id, name }) => ({ id, name }));
  return bus.group ? [...targets, { id: UNGROUPED, name: null }] : targets;
}
