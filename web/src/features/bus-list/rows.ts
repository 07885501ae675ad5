import type { UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';
import { type CustomerBuses, headingOf, type RouteBuses } from '../../buses/order.ts';

/** One row of the virtual list. Headings have a key, to which the rail jumps. */
export type Row =
  | { kind: 'customer'; key: string; name: string; section: CustomerBuses }
  | { kind: 'route'; key: string; route: RouteBuses }
  | { kind: 'buses'; buses: readonly Bus[] }
  | { kind: 'bus'; bus: Bus };

/** A heading of the list. */
export type Heading = Extract<Row, { key: string }>;

/**
 * Turns the arranged buses into rows: headings, and a row a bus.
 * @param columns number of tiles in a row; undefined for a board
 */
export function rowsOf(
  sections: readonly CustomerBuses[],
  columns: number | undefined,
  hasCustomers: boolean,
): Row[] {
  const rows: Row[] = [];
  for (const section of sections) {
    const { customer, routes } = section;
    const owner = customer?.id ?? 0;
    if (hasCustomers && customer) {
      rows.push({ kind: 'customer', key: `c${owner}`, name: headingOf(customer), section });
    }
    for (const route of routes) {
      rows.push({ kind: 'route', key: keyOfRoute(owner, route.id), route });
      addBuses(rows, route.buses, columns);
    }
  }
  return rows;
}

/** Buses in one order, without headings. */
export function flatRows(buses: readonly Bus[], columns: number | undefined): Row[] {
  const rows: Row[] = [];
  addBuses(rows, buses, columns);
  return rows;
}

/** The headings of a list. */
export function headingsIn(rows: readonly Row[]): Heading[] {
  return rows.filter((row): row is Heading => row.kind === 'customer' || row.kind === 'route');
}

function addBuses(rows: Row[], buses: readonly Bus[], columns: number | undefined): void {
  if (columns === undefined) {
    for (const bus of buses) rows.push({ kind: 'bus', bus });
    return;
  }
  for (let from = 0; from < buses.length; from += columns) {
    rows.push({ kind: 'buses', buses: buses.slice(from, from + columns) });
  }
}

function keyOfRoute(owner: number, route: number | typeof UNGROUPED): string {
  return `r${owner}:${route}`;
}

/** The buses of a row, or under a heading. */
export function busesIn(row: Row): readonly Bus[] {
  if (row.kind === 'bus') return [row.bus];
  if (row.kind === 'buses') return row.buses;
  return row.kind === 'route' ? row.route.buses : row.section.routes.flatMap(({ buses }) => buses);
}

/** The key of the last heading of a route at a row or above it; else of the first one. */
export function activeIn(rows: readonly Row[], index: number): string | undefined {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at -= 1) {
    const row = rows[at];
    if (row?.kind === 'route') return row.key;
  }
  const first = rows.find((row) => row.kind === 'route');
  return first?.kind === 'route' ? first.key : undefined;
}
