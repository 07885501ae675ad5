// Patterns of routes for component tests.
import type { RoutePattern } from '@ridewatch/contract/route-patterns';

/** The pattern of a route that has one. */
export const onlyPattern = (more: Partial<RoutePattern> = {}): RoutePattern => ({
  id: null,
  name: 'Весь маршрут',
  default: true,
  stop_ids: [],
  own_track: false,
  ...more,
});
