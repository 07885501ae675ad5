import type { Bus } from '@ridewatch/contract/buses';
import type { CustomerBuses } from './order.ts';

const haystacks = new WeakMap<Bus, string>();

/** A separator that no user can type. */
const BETWEEN_NAMES = '\u0000';

/** Letters of number plates, GOST R 50577: they look the same in both alphabets. */
const TWINS = new Map([...'abekmhopctyx'].map((latin, n) => [latin, 'авекмнорстух'.charAt(n)]));

/**
 * Normalizes a text for the search: ignores case and spaces, and treats е and ё, and the same plate letters of both
 * alphabets, as equal.
 */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/\s+/g, '')
    .replace(/[abekmhopctyx]/g, (letter) => TWINS.get(letter) ?? letter);
}

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
  return sections
    .map(({ customer, routes }) => ({
      customer,
      routes: routes
        .map((route) => ({
          ...route,
          buses: route.buses.filter((bus) => namesOf(bus).includes(needle)),
        }))
        .filter((route) => route.buses.length > 0),
    }))
    .filter((section) => section.routes.length > 0);
}

/** Buses normalized in one task; a key press waits for no more than these. */
const FOLDED_AT_ONCE = 250;

/**
 * Normalizes the names of all buses in small tasks before the first search, which would be slow otherwise.
 * @returns a function that stops it
 */
export function prepareSearch(sections: readonly CustomerBuses[]): () => void {
  const buses = sections.flatMap(({ routes }) => routes.flatMap((route) => route.buses));
  let next = 0;
  const step = () => {
    for (const bus of buses.slice(next, next + FOLDED_AT_ONCE)) namesOf(bus);
    next += FOLDED_AT_ONCE;
    if (next < buses.length) timer = setTimeout(step);
  };
  let timer = setTimeout(step);
  return () => clearTimeout(timer);
}

// Normalize all names as one text: thousands of short texts take longer. The separator prevents matches across names.
function namesOf(bus: Bus): string {
  const known = haystacks.get(bus);
  if (known !== undefined) return known;
  const names = [bus.name, ...bus.cameras.map((camera) => camera.name), bus.group_device_id ?? ''];
  const haystack = folded(names.join(BETWEEN_NAMES));
  haystacks.set(bus, haystack);
  return haystack;
}
