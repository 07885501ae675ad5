import type { Bus } from '@ridewatch/contract/buses';
import type { CustomerBuses } from './order.ts';

const haystacks = new WeakMap<Bus, string>();

/** A character that is no text and no space. */
const BETWEEN_NAMES = '\u0000';

/** The letters that plates may bear, GOST R 50577: those that look alike in both alphabets. */
const TWINS = new Map([...'abekmhopctyx'].map((latin, n) => [latin, 'авекмнорстух'.charAt(n)]));

/** Text as the search compares it: case, spaces, ё/е and the alphabet of a plate's letters make no difference. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('ё', 'е')
    .replace(/\s+/g, '')
    .replace(/[abekmhopctyx]/g, (letter) => TWINS.get(letter) ?? letter);
}

/** Whether a bus's name, one of its cameras' names or, where it is known, its device id contains what is typed. */
export function matchesBus(bus: Bus, query: string): boolean {
  const needle = folded(query);
  return needle === '' || namesOf(bus).includes(needle);
}

/** The arranged buses that match; routes and customers without any are left out. */
export function searchBuses(sections: readonly CustomerBuses[], query: string): CustomerBuses[] {
  if (folded(query) === '') return [...sections];
  return sections
    .map(({ customer, routes }) => ({
      customer,
      routes: routes
        .map((route) => ({ ...route, buses: route.buses.filter((bus) => matchesBus(bus, query)) }))
        .filter((route) => route.buses.length > 0),
    }))
    .filter((section) => section.routes.length > 0);
}

/** Buses whose names are folded at a stretch: a key that is pressed meanwhile waits for no more than these. */
const FOLDED_AT_ONCE = 250;

/**
 * Folds the names of all buses bit by bit before somebody searches: at the first key that would show.
 * @returns ends it
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

// One text of all names, since folding thousands of short ones takes its time; nobody can type what parts them.
function namesOf(bus: Bus): string {
  const known = haystacks.get(bus);
  if (known !== undefined) return known;
  const names = [bus.name, ...bus.cameras.map((camera) => camera.name), bus.group_device_id ?? ''];
  const haystack = folded(names.join(BETWEEN_NAMES));
  haystacks.set(bus, haystack);
  return haystack;
}
