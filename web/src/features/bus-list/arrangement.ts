import type { Bus, BusState } from '@ridewatch/contract/buses';
import { kopecksOf } from '@ridewatch/contract/money';
import type { CustomerBuses } from '../../buses/order.ts';
import { type BusFacts, needsAttention } from './bus-facts.ts';

export const filters = ['moving', 'standing', 'silent', 'off', 'attention'] as const;
export type Filter = (typeof filters)[number];

export const sorts = ['state', 'entered', 'inside', 'attention'] as const;
export type Sort = (typeof sorts)[number];

/** The facts of a bus by its id. */
export type FactsOf = (bus: Bus) => BusFacts;

/** Reads a value of the address; undefined for any other text. */
export function oneOf<T extends string>(known: readonly T[], text: string | undefined) {
  return known.find((each) => each === text);
}

/** How many buses each filter shows, and all. @param factsOf undefined before the figures: then only all are counted */
export function countsOf(
  sections: readonly CustomerBuses[],
  factsOf: FactsOf | undefined,
): Record<Filter | 'all', number> {
  const counts = { all: 0, moving: 0, standing: 0, silent: 0, off: 0, attention: 0 };
  for (const { routes } of sections) {
    for (const { buses } of routes) {
      counts.all += buses.length;
      if (factsOf === undefined) continue;
      for (const bus of buses) {
        const facts = factsOf(bus);
        if (facts.state !== undefined) counts[facts.state] += 1;
        if (needsAttention(facts)) counts.attention += 1;
      }
    }
  }
  return counts;
}

/** The buses that a filter shows; routes and customers without any are left out. */
export function filtered(
  sections: readonly CustomerBuses[],
  filter: Filter | undefined,
  factsOf: FactsOf,
): readonly CustomerBuses[] {
  if (filter === undefined) return sections;
  const isShown = (bus: Bus) =>
    filter === 'attention' ? needsAttention(factsOf(bus)) : factsOf(bus).state === filter;
  return sections
    .map(({ customer, routes }) => ({
      customer,
      routes: routes
        .map((route) => ({ ...route, buses: route.buses.filter(isShown) }))
        .filter(({ buses }) => buses.length > 0),
    }))
    .filter(({ routes }) => routes.length > 0);
}

const STATES: readonly (BusState | undefined)[] = [
  'silent',
  'standing',
  'moving',
  'off',
  undefined,
];

/** All buses in one order, the most important first; equal ones stay in the order of the list. */
export function sorted(
  sections: readonly CustomerBuses[],
  sort: Sort,
  factsOf: FactsOf,
): readonly Bus[] {
  const rank = {
    state: ({ state }: BusFacts) => STATES.indexOf(state),
    entered: ({ figures }: BusFacts) => -(figures?.entered ?? -1),
    inside: ({ figures }: BusFacts) => -(figures?.inside ?? Number.NEGATIVE_INFINITY),
    attention: ({ gravity, marks }: BusFacts) => -(gravity * 10 + marks.length),
  }[sort];
  return sections
    .flatMap(({ routes }) => routes.flatMap(({ buses }) => buses))
    .map((bus) => ({ bus, place: rank(factsOf(bus)) }))
    .sort((a, b) => (a.place === b.place ? 0 : a.place - b.place))
    .map(({ bus }) => bus);
}

/** Sums of buses, for the headings. */
export interface BusSums {
  readonly entered: number;
  readonly kopecks: number;
  readonly inside: number;
  /** Places of the buses whose load is known. */
  readonly places: number;
  /** The people inside them. */
  readonly seated: number;
  readonly hours: readonly number[];
  readonly states: Readonly<Record<BusState, number>>;
  readonly isKnown: boolean;
}

export function sumsOf(buses: readonly Bus[], factsOf: FactsOf): BusSums {
  const hours: number[] = [];
  const states = { moving: 0, standing: 0, silent: 0, off: 0 };
  const sums = { entered: 0, kopecks: 0, inside: 0, places: 0, seated: 0, isKnown: false };
  for (const bus of buses) {
    const { figures, load } = factsOf(bus);
    if (figures === undefined) continue;
    sums.isKnown = true;
    states[figures.state] += 1;
    sums.entered += figures.entered ?? 0;
    sums.kopecks += kopecksOf(figures.revenue ?? '0');
    sums.inside += figures.inside ?? 0;
    if (load !== null) {
      sums.places += figures.places ?? 0;
      sums.seated += figures.inside ?? 0;
    }
    for (const [hour, people] of figures.hours.entries()) hours[hour] = (hours[hour] ?? 0) + people;
  }
  return { ...sums, hours, states };
}
