// The tree of buses to tick.
import { folded } from '@ridewatch/contract/folded';
import { type CustomerBuses, headingOf } from '../../buses/order.ts';
import { searchBuses } from '../../buses/search.ts';
import type { PickNode } from '../../forms/pick-nodes.ts';

/**
 * Customers with their routes, and these with their buses. A customer sees no heading of the own company, only routes.
 * @param ungrouped the name of the buses without a route
 */
export function treeNodes(sections: readonly CustomerBuses[], ungrouped: string): PickNode[] {
  return sections.flatMap(({ customer, routes }): readonly PickNode[] => {
    const key = `c${customer?.id}`;
    const parts = routes.map(({ id, name, buses }) => ({
      key: `${key}r${id}`,
      name: name ?? ungrouped,
      parts: buses.map((bus) => ({ key: `b${bus.id}`, name: bus.name, id: bus.id })),
    }));
    const name = headingOf(customer);
    return name === '' ? parts : [{ key, name, parts }];
  });
}

/**
 * The buses that match a query, and all those of a route or customer whose name matches; see `searchBuses`.
 * @param ungrouped the name of the buses without a route
 */
export function searchTree(
  sections: readonly CustomerBuses[],
  query: string,
  ungrouped: string,
): readonly CustomerBuses[] {
  const needle = folded(query);
  if (needle === '') return sections;
  const isNamed = (name: string) => folded(name).includes(needle);
  const found = new Set(
    searchBuses(sections, query).flatMap(({ routes }) => routes.flatMap(({ buses }) => buses)),
  );
  return sections.flatMap((section) => {
    if (isNamed(headingOf(section.customer))) return [section];
    const routes = section.routes
      .map((route) => ({
        ...route,
        buses: isNamed(route.name ?? ungrouped)
          ? route.buses
          : route.buses.filter((bus) => found.has(bus)),
      }))
      .filter(({ buses }) => buses.length > 0);
    return routes.length > 0 ? [{ ...section, routes }] : [];
  });
}
