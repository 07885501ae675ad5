import type { Place } from './geometry/plane.ts';
import type { Route, RouteStop } from './route-path.ts';

/** A pattern of a route. */
export interface DayPattern {
  readonly id: number;
  readonly name: string;
  readonly stops: readonly RouteStop[];
  /** Empty if it follows the track of the route. */
  readonly track: readonly Place[];
  /** Its runs for each run of the default one, by the timetable; null where unknown. */
  readonly runs?: number | null;
}

/** A route as it is valid on the day. */
export interface DayRoute {
  readonly routeId: number;
  readonly route: Route;
  /** Its patterns, the default first; none for a route with one. */
  readonly patterns?: readonly DayPattern[];
  /** Names and classifiers of stops, by the stop's id. */
  readonly places: ReadonlyMap<number, { readonly name: string; readonly classifierId: number }>;
  /** Kopecks by `from:to`; null for routes whose revenue does not come from a price table. */
  readonly prices: ReadonlyMap<string, number> | null;
  /** The side whose counts the balancing for the revenue leaves unchanged. */
  readonly keep: 'entered' | 'exited';
}
