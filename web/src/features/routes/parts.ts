import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { RouteTexts } from './texts-ru.ts';

/** For whom and what parts of the route show. */
interface Viewed {
  /** The route that is shown; null when the bus has none. */
  readonly route: Pick<BusRoute, 'type_calculation'> | null;
  readonly mayEdit: boolean;
}

export interface Part {
  /** What `part` in the address says. */
  readonly id: 'stops' | 'price' | 'routes' | 'actions';
  readonly title: (text: RouteTexts) => string;
  readonly isFor: (viewed: Viewed) => boolean;
}

/** The parts of a route, in order (spec section 2). */
export const parts: readonly Part[] = [
  { id: 'stops', title: (text) => text.partStops, isFor: () => true },
  {
    id: 'price',
    title: (text) => text.partPrice,
    isFor: ({ route }) => route?.type_calculation === 'CALCULATION',
  },
  { id: 'routes', title: (text) => text.partRoutes, isFor: () => true },
  // A bus's page always has its day, which actions start from; who may not edit has nothing to do there.
  { id: 'actions', title: (text) => text.partActions, isFor: ({ mayEdit }) => mayEdit },
];

/** The parts that are shown, and the one that the address names, else the first. */
export function openParts(viewed: Viewed, named: string | undefined): { open: Part[]; at: Part } {
  const open = parts.filter((part) => part.isFor(viewed));
  const at = open.find(({ id }) => id === named) ?? open[0];
  if (!at) throw new Error('a route has stops, whoever looks');
  return { open, at };
}
