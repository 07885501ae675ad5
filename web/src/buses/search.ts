import type { Bus } from '@ridewatch/contract/buses';
import { folded } from '@ridewatch/contract/folded';
import { inTasks } from './in-tasks.ts';
import type { CustomerBuses } from './order.ts';

const haystacks = new WeakMap<Bus, string>();
/** Lists whose names are all normalized. */
const prepared = new WeakSet<readonly CustomerBuses[]>();

/** A separator that no text of the database can contain. */
const BETWEEN_NAMES = '\u0000';

/**
 * The arranged buses whose name, device id (if present), or the name of one of whose cameras contains the query; routes
 * and customers without any are left out.
 */
export function searchBuses(
  sections: readonly CustomerBuses[],
  query: string,
): readonly CustomerBuses[] {
  const needle = folded(query);
  if (needle === '') return sections;
  if (!prepared.has(sections)) foldNames(busesOf(sections));
  prepared.add(sections);
  return sections
    .map(({ customer, routes }) => ({
      customer,
      routes: routes
        .map((route) => ({
          ...route,
          buses: route.buses.filter((bus) => haystacks.get(bus)?.includes(needle)),
        }))
        .filter((route) => route.buses.length > 0),
    }))
    .filter((section) => section.routes.length > 0);
}

/**
 * Normalizes the names of all buses in small tasks before the first search, which would be slow otherwise.
 * @returns a function that stops it
 */
export function prepareSearch(sections: readonly CustomerBuses[]): () => void {
  return inTasks(busesOf(sections), foldNames, () => prepared.add(sections));
}

function busesOf(sections: readonly CustomerBuses[]): Bus[] {
  return sections.flatMap(({ routes }) => routes.flatMap((route) => route.buses));
}

// Normalizes the names as one text: thousands of short ones take longer. The separator, which no name can contain,
// prevents matches across names.
function foldNames(buses: readonly Bus[]): void {
  const unknown = buses.filter((bus) => !haystacks.has(bus));
  if (unknown.length === 0) return;
  const names = unknown.map((bus) => [
    bus.name,
    ...bus.cameras.map((camera) => camera.name),
    bus.group_device_id ?? '',
  ]);
  const plain = folded(names.flat().join(BETWEEN_NAMES)).split(BETWEEN_NAMES);
  let next = 0;
  for (const [at, bus] of unknown.entries()) {
    const from = next;
    next += names[at]?.length ?? 0;
    haystacks.set(bus, plain.slice(from, next).join(BETWEEN_NAMES));
  }
}
