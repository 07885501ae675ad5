import type { Bus } from '@ridewatch/contract/buses';
import { type CustomerBuses, headingOf, type RouteBuses } from '../../buses/order.ts';

/** One row of the virtual list. */
export type Row =
  | { kind: 'customer'; name: string; count: number }
  | { kind: 'route'; route: RouteBuses }
  | { kind: 'buses'; buses: readonly Bus[] };

/** Turns the arranged buses into rows: headings, and rows of `columns` cards. */
export function rowsOf(
  sections: readonly CustomerBuses[],
  columns: number,
  hasCustomers: boolean,
): Row[] {
  const rows: Row[] = [];
  for (const { customer, routes } of sections) {
    if (hasCustomers && customer) {
      const count = routes.reduce((sum, route) => sum + route.buses.length, 0);
      rows.push({ kind: 'customer', name: headingOf(customer), count });
    }
    for (const route of routes) {
      rows.push({ kind: 'route', route });
      for (let from = 0; from < route.buses.length; from += columns) {
        const buses = route.buses.slice(from, from + columns);
        rows.push({ kind: 'buses', buses });
      }
    }
  }
  return rows;
}
