import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';

interface Named {
  readonly name?: string | null;
  readonly routeDirection: 'FORWARD' | 'REVERSE';
}

/** The name of a pattern after the ends of its way there: 'Depot – Market'. @param stops in order of each direction */
export function nameOf(stops: readonly Named[]): string {
  const forward = stops.filter(({ routeDirection }) => routeDirection === 'FORWARD');
  const way = forward.length > 0 ? forward : stops;
  const ends = [way[0], way.at(-1)].map((stop) => stop?.name ?? '');
  return ends.join(' – ').slice(0, MAX_TEXT_LENGTH);
}

/** Names that differ only in case are one name. */
export const nameKey = (name: string): string => name.toLowerCase();

/** Whether a pattern is named after the ends of its way there, maybe with a number, not by a user. */
export function isNamedAfter(name: string, stops: readonly Named[]): boolean {
  const base = nameOf(stops);
  return name === base || freeName(base, [base]) === name.replace(/\(\d+\)$/, '(2)');
}

/** The name, or the name with the first number that makes it different from others: 'Depot – Market (2)'. */
export function freeName(name: string, others: readonly string[]): string {
  const taken = new Set(others.map(nameKey));
  let free = name;
  for (let n = 2; taken.has(nameKey(free)); n += 1) {
    const number = ` (${n})`;
    free = name.slice(0, MAX_TEXT_LENGTH - number.length) + number;
  }
  return free;
}
