import type { Bus } from '@ridewatch/contract/buses';
import { type CustomerBuses, headingOf } from '../buses/order.ts';

/** One row of the list beside the page. */
export type SideRow =
  | { readonly kind: 'customer'; readonly key: string; readonly name: string }
  | { readonly kind: 'route'; readonly key: string; readonly name: string | null; count: number }
  | { readonly kind: 'bus'; readonly key: string; readonly bus: Bus };

/** Turns the arranged buses into rows: headings and buses. */
export function sideRows(sections: readonly CustomerBuses[], hasCustomers: boolean): SideRow[] {
  return sections.flatMap(({ customer, routes }) => [
    ...(hasCustomers && customer && routes.length > 0
      ? [{ kind: 'customer' as const, key: `c${customer.id}`, name: headingOf(customer) }]
      : []),
    ...routes.flatMap((route): SideRow[] => [
      {
        kind: 'route',
        // Buses without a route exist once a customer.
        key: `r${customer?.id}:${route.id}`,
        name: route.name,
        count: route.buses.length,
      },
      ...route.buses.map((bus): SideRow => ({ kind: 'bus', key: `b${bus.id}`, bus })),
    ]),
  ]);
}
