import type { PageAddress } from '../../bus-page/address.ts';

/** The keys of the route tab's query; `part` names a part of the route. */
export const routeAddress = {
  /** Id of another route than the bus's own. */
  route: 'anyDay',
  /** Local day from which changes of the route are valid. */
  from: 'tillNextDay',
  /** Id of the selected stop. */
  stop: 'ofDay',
  /** Id of a further pattern, or `new`; the default pattern without it. */
  pattern: 'anyDay',
  /** The open action. */
  act: 'anyDay',
  /** The rides that the price table shows: `reverse` or `all`; forward by default. */
  rides: 'anyDay',
} as const;
/** With the keys of the page around the tab. */
export type RouteAddress = typeof routeAddress & PageAddress;
