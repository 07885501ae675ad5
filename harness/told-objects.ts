// Buses whose units are known by an id in another protocol.
import type { AdminUnit } from '@ridewatch/contract/admin-units';
import { plainFleet } from './plain-fleet.ts';
import { ask, type Product, setUpFleet, signIn } from './product.ts';
import type { Sender } from './sender.ts';
import type { Counts, ToldObject } from './told.ts';

/** The ids of each protocol's objects begin here. */
export const FIRST_OBJECT = { egts: 41_000, jt808: 42_000, osmand: 43_000 } as const;

/** Gives so many objects that nobody has taken yet. @throws Error when there are too few */
export type TakeObjects = (counts: Counts, n: number) => ToldObject[];

/**
 * Sets up buses.
 * @param buses how many
 * @param first so many of them have counts of the protocol's first kind; of the others each kind has every second one
 */
export async function setUpObjects(
  product: Product,
  { protocol, counts, settingsOf }: Sender,
  buses: number,
  first = buses,
): Promise<TakeObjects> {
  const plan = plainFleet({ buses, cameras: 0 });
  // Another fleet of the product has the plain names.
  const units = await setUpFleet(product.url, {
    customers: plan.customers.map((customer) => ({
      ...customer,
      buses: customer.buses.map((bus) => ({
        ...bus,
        name: `${bus.name} ${protocol}`,
        device_id: `${protocol}-${bus.device_id}`,
      })),
    })),
  });
  const token = await signIn(product.url, 'admin');
  const listed = `/api/admin/units?perPage=100&search=${protocol}-unit`;
  const { items } = await ask<{ items: AdminUnit[] }>(product.url, token, 'GET', listed);
  const ids = new Map(items.map(({ device_id, id }) => [device_id, id]));
  const objects: ToldObject[] = [];
  for (const [n, { device_id }] of units.entries()) {
    const kind = counts[n < first ? 0 : n % counts.length] ?? 'delta';
    const object = FIRST_OBJECT[protocol] + n;
    const body = { protocol, protocol_id: String(object), ...settingsOf(kind) };
    await ask(product.url, token, 'PUT', `/api/admin/units/${ids.get(device_id)}`, body);
    objects.push({ object, counts: kind });
  }
  return (kind, n) => {
    const some = objects.filter((one) => one.counts === kind).slice(0, n);
    if (some.length < n) throw new Error(`too few buses count as ${kind}`);
    for (const one of some) objects.splice(objects.indexOf(one), 1);
    return some;
  };
}
