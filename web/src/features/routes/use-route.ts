import type { BusRouteWithTrack } from '@ridewatch/contract/bus-routes';
import { findBusInfo } from '@ridewatch/contract/buses';
import type { ResponseOf } from '@ridewatch/contract/endpoint';
import { listDayLaps } from '@ridewatch/contract/laps';
import { ROUTE_COSTS_PATH } from '@ridewatch/contract/paths';
import { listRoutePatterns } from '@ridewatch/contract/route-patterns';
import { findRoute, listRouteStops, type RouteStop } from '@ridewatch/contract/routes';
import { keepPreviousData } from '@tanstack/react-query';
import { cacheAnswer, keyOf, queryClient, useEndpoint } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import type { ApiError } from '../../core/api-error.ts';

/** The answer with the stops of a route. */
export type StopsAnswer = ResponseOf<typeof listRouteStops>;

/** A route as valid on a day, and whether it can be changed. */
export interface ShownRoute {
  readonly routeId: number;
  /** The shown day; changes are valid from it on. */
  readonly day: string;
  readonly details: BusRouteWithTrack;
  readonly stops: readonly RouteStop[];
  /** Pairs of neighbours at one place. */
  readonly nearStops: StopsAnswer['near_stops'];
  /** Whether the user can change it here: with the edit right, on today or a selected day. */
  readonly isOpen: boolean;
}

interface RouteAnswer {
  data: Pick<ShownRoute, 'details' | 'stops' | 'nearStops'> | undefined;
  error: ApiError | null;
  isFetching: boolean;
  refetch: () => void;
}

/** The first two segments of a path; calls about one subject share them. */
const subjectOf = (path: string) => path.split('/', 3).join('/');

/** The answers that a change of a route, its stops or its prices affects. */
const TOUCHED: ReadonlySet<string> = new Set(
  [ROUTE_COSTS_PATH, findRoute.path, listDayLaps.path, findBusInfo.path].map(subjectOf),
);

const inputOf = (routeId: number, day: string) => ({
  params: { groupId: routeId },
  query: { date: day },
});

/** Reads a route and its stops as valid on a day. */
export function useRoute(routeId: number | undefined, day: string): RouteAnswer {
  const input = inputOf(routeId ?? 0, day);
  const options = {
    enabled: routeId !== undefined,
    // Keep showing this day of the route until another one is loaded.
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

/** Replaces the cached stops; patterns have their names and places, too. */
export function cacheStops(routeId: number, day: string, answer: StopsAnswer): void {
  cacheAnswer(listRouteStops, inputOf(routeId, day), answer);
  void queryClient.invalidateQueries({
    queryKey: keyOf(listRoutePatterns, inputOf(routeId, day)),
  });
}

/** Reads the stops of a route on a day again. @throws ApiError */
export async function readStops(routeId: number, day: string): Promise<readonly RouteStop[]> {
  const answer = await call(listRouteStops, inputOf(routeId, day));
  cacheStops(routeId, day, answer);
  return answer.items;
}

/** Marks the cached stops of a route and day as stale, so that they are read again. */
export function invalidateStops(routeId: number, day: string): void {
  void queryClient.invalidateQueries({ queryKey: stopsKey(routeId, day) });
}

/** The cached stops of a route on a day. */
export function cachedStops(routeId: number, day: string): readonly RouteStop[] {
  return queryClient.getQueryData<StopsAnswer>(stopsKey(routeId, day))?.items ?? [];
}

/** Marks all cached routes, prices and laps as stale, because a change of a route affects them all. */
export function invalidateRoutes(): Promise<void> {
  return queryClient.invalidateQueries({
    predicate: ({ queryKey: [path] }) => typeof path === 'string' && TOUCHED.has(subjectOf(path)),
  });
}
