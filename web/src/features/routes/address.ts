/** What the address of the route tab says; its `part` names one of the route's parts. */
export const routeAddress = {
  /** Another route than the bus's own, by its id. */
  route: 'anyDay',
  /** Local day from which changes of the route hold. */
  from: 'tillNextDay',
  /** The chosen stop's id. */
  stop: 'ofDay',
  /** Which of the route's actions is open. */
  act: 'anyDay',
  /** Whose prices are shown: `reverse` or `all`; forward rides when absent. */
  rides: 'anyDay',
} as const;
export type RouteAddress = typeof routeAddress;
