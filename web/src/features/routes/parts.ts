import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { RouteTexts } from './texts-ru.ts';

/** The facts that decide which parts are shown. */
interface Viewed {
  /** The shown route; null if the bus has none. */
  readonly route: Pick<BusRoute, 'type_calculation'> | null;
  readonly mayEdit: boolean;
}

export interface Part {
  /** The value of `part` in the address. */
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
  // Actions start from the page's day, so they need no route; they need the edit right.
  { id: 'actions', title: (text) => text.partActions, isFor: ({ mayEdit }) => mayEdit },
];

/** The available parts, and the one in the address, or else the first. */
export function openParts(viewed: Viewed, named: string | undefined): { open: Part[]; at: Part } {
  const open = parts.filter((part) => part.isFor(viewed));
  const at = open.find(({ id }) => id === named) ?? open[0];
  if (!at) throw new Error('no part of the route is available');
  return { open, at };
}
