import type { Customer } from '@ridewatch/contract/auth';
import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { Bus, BusList } from '@ridewatch/contract/buses';
import { fullName } from '../i18n/format.ts';

export interface RouteBuses {
  id: number | typeof UNGROUPED;
  /** Null for the buses without a route. */
  name: string | null;
  buses: readonly Bus[];
}

export interface CustomerBuses {
  /** Null if the answer does not have the customer. */
  customer: Customer | null;
  routes: readonly RouteBuses[];
}

// Spec section 9.
const HIDDEN_STATUSES = [3, 4];
const collator = new Intl.Collator('ru', { numeric: true });
const byName = (a: { name: string }, b: { name: string }) => collator.compare(a.name, b.name);

/**
 * Arranges the buses for the list: by customer, then by route, buses without a route first, all by name. A bus is
 * listed once, under the first of its customers that is not hidden; until its day is over, under those from whom it
 * passes to others. Customers without any buses have no routes and come last.
 * @param onlyId only the buses that are under this customer today
 */
export function arrangeBuses(list: BusList, onlyId?: number): CustomerBuses[] {
  const customers = new Map(list.customers.map((customer) => [customer.id, customer]));
  const sections = new Map<number | null, { customer: Customer | null; buses: Bus[] }>();
  for (const bus of list.items) {
    const today = customersToday(bus, customers);
    if (onlyId !== undefined && !today.includes(onlyId)) continue;
    const clients = onlyId === undefined ? today : [onlyId];
    const owners = clients.map((id) => customers.get(id) ?? null);
    const isUnowned = owners.length === 0;
    const owner = isUnowned ? null : owners.find((one) => one === null || !isHidden(one));
    if (owner === undefined) continue;
    const key = owner?.id ?? null;
    const section = sections.get(key) ?? { customer: owner, buses: [] };
    section.buses.push(bus);
    sections.set(key, section);
  }
  const served = new Set(list.items.flatMap(customersOf));
  for (const customer of list.customers) {
    const isListed = onlyId === undefined && !isHidden(customer);
    if (isListed && !served.has(customer.id)) sections.set(customer.id, { customer, buses: [] });
  }
  return [...sections.values()]
    .sort(
      (a, b) =>
        Number(a.buses.length === 0) - Number(b.buses.length === 0) ||
        collator.compare(headingOf(a.customer), headingOf(b.customer)),
    )
    .map(({ customer, buses }) => ({ customer, routes: routesOf(buses) }));
}

/** The customers of a bus: the owners of its day before those to whom it passes. */
export const customersOf = ({ clients, passes }: Bus): readonly number[] =>
  passes ? [...passes.until_then, ...clients] : clients;

// The customers under whom a bus is listed today: the owners of its day until it passes to others, unless all of them are
// hidden. The home page counts buses in the same way.
function customersToday(
  { clients, passes }: Bus,
  customers: ReadonlyMap<number, Customer>,
): readonly number[] {
  const former = (passes?.until_then ?? []).filter((id) => {
    const one = customers.get(id);
    return one === undefined || !isHidden(one);
  });
  return former.length > 0 ? former : clients;
}

/** The heading of a customer: name and surname. */
export function headingOf(customer: Customer | null): string {
  return customer ? fullName(customer) : '';
}

/** The buses of the customer under which a bus is listed, in the list's order; for the side list and the arrows. */
export function busesAround(sections: readonly CustomerBuses[], busId: number): Bus[] {
  const section = sections.find((one) =>
    one.routes.some((route) => route.buses.some((bus) => bus.id === busId)),
  );
  return section?.routes.flatMap((route) => route.buses) ?? [];
}

/** The buses before and after one, wrapping around; undefined if it is the only one or not listed. */
export function neighboursOf(
  buses: readonly Bus[],
  busId: number,
): { previous: Bus; next: Bus } | undefined {
  const at = buses.findIndex((bus) => bus.id === busId);
  if (at < 0 || buses.length < 2) return undefined;
  const previous = buses[(at - 1 + buses.length) % buses.length];
  const next = buses[(at + 1) % buses.length];
  return previous && next && { previous, next };
}

/** A bus's cameras, by stream id. */
export function camerasInOrder(bus: Pick<Bus, 'cameras'>): Bus['cameras'] {
  return bus.cameras.toSorted((a, b) => collator.compare(a.stream_id, b.stream_id));
}

function routesOf(buses: readonly Bus[]): RouteBuses[] {
  const routes = new Map<RouteBuses['id'], { name: string | null; buses: Bus[] }>();
  for (const bus of buses) {
    const id = bus.group?.id ?? UNGROUPED;
    const route = routes.get(id) ?? { name: bus.group?.name ?? null, buses: [] };
    route.buses.push(bus);
    routes.set(id, route);
  }
  return [...routes]
    .map(([id, route]) => ({ id, name: route.name, buses: route.buses.sort(byName) }))
    .sort((a, b) => {
      if (a.id === UNGROUPED) return -1;
      if (b.id === UNGROUPED) return 1;
      return collator.compare(a.name ?? '', b.name ?? '');
    });
}

function isHidden(customer: Customer): boolean {
  return !customer.enabled || HIDDEN_STATUSES.includes(customer.status);
}
