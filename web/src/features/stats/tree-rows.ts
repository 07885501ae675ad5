import { folded } from '@ridewatch/contract/folded';
// The rows of the tree of buses.
import { type CustomerBuses, headingOf } from '../../buses/order.ts';
import { searchBuses } from '../../buses/search.ts';

/** A customer, a route, or a bus. */
interface TreeRow {
  readonly key: string;
  readonly name: string;
  readonly depth: 0 | 1 | 2;
  /** The buses in it. */
  readonly ids: readonly number[];
  readonly isOpen: boolean;
}

/** The key of a customer's row. */
export const customerKey = ({ customer }: CustomerBuses): string => `c${customer?.id}`;

/**
 * The visible rows: customers with buses, in open ones their routes, in open routes their buses. A customer sees no
 * heading of the own company, only routes.
 * @param ungrouped the name of the buses without a route
 */
export function treeRows(
  sections: readonly CustomerBuses[],
  isOpen: (key: string) => boolean,
  ungrouped: string,
): TreeRow[] {
  return sections.flatMap((section) => {
    const key = customerKey(section);
    const ids = section.routes.flatMap(({ buses }) => buses.map(({ id }) => id));
    if (ids.length === 0) return [];
    const name = headingOf(section.customer);
    const heads: TreeRow[] = name === '' ? [] : [{ key, name, depth: 0, ids, isOpen: isOpen(key) }];
    if (heads.some((head) => !head.isOpen)) return heads;
    const inside = section.routes.flatMap(({ id, name: routeName, buses }) => {
      const routeKey = `${key}r${id}`;
      const route: TreeRow = {
        ...{
          key: routeKey,
          name: routeName ?? ungrouped,
          depth: 1,
          ids: buses.map((bus) => bus.id),
        },
        isOpen: isOpen(routeKey),
      };
      if (!route.isOpen) return [route];
      const leaves = buses.map(
        (bus): TreeRow => ({
          ...{ key: `b${bus.id}`, name: bus.name, depth: 2, ids: [bus.id] },
          isOpen: false,
        }),
      );
      return [route, ...leaves];
    });
    return [...heads, ...inside];
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
