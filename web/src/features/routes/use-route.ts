import type { BusRouteWithTrack } from '@ridewatch/contract/bus-routes';
import { findBusInfo } from '@ridewatch/contract/buses';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { listDayLaps } from '@ridewatch/contract/laps';
import { ROUTE_COSTS_PATH } from '@ridewatch/contract/paths';
import { findRoute, listRouteStops, type RouteStop } from '@ridewatch/contract/routes';
import { keepPreviousData } from '@tanstack/react-query';
import { keyOf, queryClient, useEndpoint } from '../../api.ts';
import type { ApiError } from '../../api-error.ts';

/** The stops of a route as they are answered. */
export type StopsAnswer = ResponseOf<typeof listRouteStops>;

/** A route as it is valid on a day, and how it may be changed. */
export interface ShownRoute {
  readonly routeId: number;
  /** The day that is shown; changes hold from it on. */
  readonly day: string;
  readonly details: BusRouteWithTrack;
  readonly stops: readonly RouteStop[];
  /** Neighbours at one place. */
  readonly nearStops: StopsAnswer['near_stops'];
  /** Whether it can be changed here: the right is there, and the day was chosen or is today. */
  readonly isOpen: boolean;
}

interface RouteAnswer {
  data: Pick<ShownRoute, 'details' | 'stops' | 'nearStops'> | undefined;
  error: ApiError | null;
  isFetching: boolean;
  refetch: () => void;
}

/** The first two parts of a path: calls of one subject share them. */
const subjectOf = (path: string) => path.split('/', 3).join('/');

/** What a change of a route, its stops or its prices reaches into. */
const TOUCHED: ReadonlySet<string> = new Set(
  [ROUTE_COSTS_PATH, findRoute.path, listDayLaps.path, findBusInfo.path].map(subjectOf),
);

const inputOf = (routeId: number, day: string) => ({
  params: { groupId: routeId },
  query: { date: day },
});

/** Follows a route and its stops as they are valid on a day. */
export function useRoute(routeId: number | undefined, day: string): RouteAnswer {
  const input = inputOf(routeId ?? 0, day);
  const options = {
    enabled: routeId !== undefined,
    handled: true,
    // Another day of the route takes the place of this one when it is here.
    placeholderData: keepPreviousData,
  };
  const route = useEndpoint(findRoute, input, options);
  const stops = useEndpoint(listRouteStops, input, options);
  const isOfThis = route.data?.id === routeId;
  return {
    data:
      isOfThis && route.data && stops.data
        ? { details: route.data, stops: stops.data.items, nearStops: stops.data.near_stops }
        : undefined,
    error: route.error ?? stops.error,
    isFetching: route.isFetching || stops.isFetching,
    refetch: () => {
      void route.refetch();
      void stops.refetch();
    },
  };
}

const stopsKey = (routeId: number, day: string) => keyOf(listRouteStops, inputOf(routeId, day));

/** These take the place of the stops that were known. */
export function cacheStops(
  routeId: number,
  day: string,
  stops: readonly RouteStop[],
  near_stops: StopsAnswer['near_stops'] = [],
): void {
  const queryKey = stopsKey(routeId, day);
  // An answer from before the change must not come over it.
  void queryClient.cancelQueries({ queryKey });
  queryClient.setQueryData(queryKey, {
    items: [...stops],
    number: 0,
    total: stops.length,
    near_stops,
  });
}

/** The stops of a route on a day are asked for again. */
export function invalidateStops(routeId: number, day: string): void {
  void queryClient.invalidateQueries({ queryKey: stopsKey(routeId, day) });
}

/** The stops that are known of a route on a day. */
export function cachedStops(routeId: number, day: string): readonly RouteStop[] {
  return queryClient.getQueryData<{ items: RouteStop[] }>(stopsKey(routeId, day))?.items ?? [];
}

/** Everything that is known of routes, prices and laps is asked for again: a change reaches into all of them. */
export function invalidateRoutes(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && TOUCHED.has(subjectOf(path)),
  });
}
