import type { Bus } from '@ridewatch/contract/buses';
import type { CustomerBuses } from './order.ts';

const haystacks = new WeakMap<Bus, readonly string[]>();

/** Text as the search compares it: case and ё/е make no difference. */
export function folded(text: string): string {
  return text.toLocaleLowerCase('ru').replaceAll('ё', 'е').trim();
}

/** Whether a bus's name or one of its cameras' names contains the words typed. */
export function matchesBus(bus: Bus, query: string): boolean {
  const needle = folded(query);
  return needle === '' || namesOf(bus).some((name) => name.includes(needle));
}

/** The arranged buses that match; groups and customers without any are left out. */
export function searchBuses(sections: readonly CustomerBuses[], query: string): CustomerBuses[] {
  if (folded(query) === '') return [...sections];
  return sections
    .map(({ customer, groups }) => ({
      customer,
      groups: groups
        .map((group) => ({ ...group, buses: group.buses.filter((bus) => matchesBus(bus, query)) }))
        .filter((group) => group.buses.length > 0),
    }))
    .filter((section) => section.groups.length > 0);
}

function namesOf(bus: Bus): readonly string[] {
  const known = haystacks.get(bus);
  if (known) return known;
  const names = [bus.name, ...bus.cameras.map((camera) => camera.name)].map(folded);
  haystacks.set(bus, names);
  return names;
}
