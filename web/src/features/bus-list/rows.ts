import type { Bus } from '@ridewatch/contract/buses';
import { type BusGroup, type CustomerBuses, headingOf } from '../../buses/order.ts';

/** One line of the virtual list. */
export type Row =
  | { kind: 'customer'; name: string; count: number }
  | { kind: 'group'; group: BusGroup }
  | { kind: 'buses'; buses: readonly Bus[] };

/** Cuts the arranged buses into lines of `columns` cards with their headings. */
export function rowsOf(
  sections: readonly CustomerBuses[],
  columns: number,
  hasCustomers: boolean,
): Row[] {
  const rows: Row[] = [];
  for (const { customer, groups } of sections) {
    if (hasCustomers && customer) {
      const count = groups.reduce((sum, group) => sum + group.buses.length, 0);
      rows.push({ kind: 'customer', name: headingOf(customer), count });
    }
    for (const group of groups) {
      rows.push({ kind: 'group', group });
      for (let from = 0; from < group.buses.length; from += columns) {
        const buses = group.buses.slice(from, from + columns);
        rows.push({ kind: 'buses', buses });
      }
    }
  }
  return rows;
}
