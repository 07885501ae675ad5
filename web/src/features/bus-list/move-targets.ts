import { type BusRoute, UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';

/** Where a bus can be moved to; the name is null for no group at all. */
export interface MoveTarget {
  readonly id: number | typeof UNGROUPED;
  readonly name: string | null;
}

/** The other groups of a bus's first customer, and none when it is in one. */
export function moveTargets(bus: Bus, groups: readonly BusRoute[]): MoveTarget[] {
  const others = groups.filter((group) => !group.deleted && group.id !== bus.group?.id);
  const targets: MoveTarget[] = others.map(({ id, name }) => ({ id, name }));
  return bus.group ? [...targets, { id: UNGROUPED, name: null }] : targets;
}
