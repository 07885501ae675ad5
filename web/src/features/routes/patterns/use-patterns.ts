import type { ResponseOf } from '@ridewatch/contract/endpoint';
import {
  deleteRoutePattern,
  insertRoutePattern,
  listRoutePatterns,
  type RoutePattern,
  updateRoutePattern,
} from '@ridewatch/contract/route-patterns';
import { deleteRouteStop, type RouteStop } from '@ridewatch/contract/routes';
import { keepPreviousData } from '@tanstack/react-query';
import { cacheAnswer, keyOf, queryClient, useAction, useEndpoint } from '../../../calls/api.ts';
import { call } from '../../../calls/request.ts';
import { ApiError } from '../../../core/api-error.ts';
import { useEditProblem } from '../use-edit-problem.ts';
import { invalidateRoutes } from '../use-route.ts';
import { usePatternText } from './use-pattern-text.ts';

type Patterns = ResponseOf<typeof listRoutePatterns>;

const inputOf = (routeId: number, day: string) => ({
  params: { groupId: routeId },
  query: { date: day },
});

/** The patterns of a route on a day. */
export function usePatterns(routeId: number, day: string) {
  return useEndpoint(listRoutePatterns, inputOf(routeId, day), {
    placeholderData: keepPreviousData,
  });
}

/** The stops of a pattern, numbered within each direction. */
export function stopsOfPattern(
  { stop_ids }: Pick<RoutePattern, 'stop_ids'>,
  stops: readonly RouteStop[],
): RouteStop[] {
  const byId = new Map(stops.map((stop) => [stop.id, stop]));
  const order = { FORWARD: 0, REVERSE: 0 };
  return stop_ids.flatMap((id) => {
    const stop = byId.get(id);
    if (!stop) return [];
    const orderKey = order[stop.routeDirection];
    order[stop.routeDirection] += 1;
    return [{ ...stop, orderKey }];
  });
}

/** Functions that change the patterns of a route from a day on; each rejects if it cannot. */
export function usePatternEdits(routeId: number, day: string) {
  const options = { scope: { id: `patterns-of-${routeId}` } };
  const insert = useAction(insertRoutePattern, options);
  const update = useAction(updateRoutePattern, options);
  const remove = useAction(deleteRoutePattern, options);
  const dropStop = useAction(deleteRouteStop, options);
  const input = inputOf(routeId, day);
  const queryKey = keyOf(listRoutePatterns, input);
  const take = (answer: Patterns): Patterns => {
    cacheAnswer(listRoutePatterns, input, answer);
    return answer;
  };
  return {
    take,
    /** Marks the cached patterns as stale. */
    invalidate: () => void queryClient.invalidateQueries({ queryKey }),
    add: async (name: string, stop_ids: number[]) =>
      take(
        await insert.mutateAsync({
          params: { groupId: routeId },
          body: { name, stop_ids, valid_from: day },
        }),
      ),
    rename: async (patternId: number, name: string, seen: string) =>
      take(
        await update.mutateAsync({
          params: { patternId },
          body: { name, seen: { name: seen }, valid_from: day },
        }),
      ),
    setStops: (patternId: number, stop_ids: number[]) =>
      update.mutateAsync({ params: { patternId }, body: { stop_ids, valid_from: day } }),
    makeDefault: async (patternId: number) => {
      take(
        await update.mutateAsync({
          params: { patternId },
          body: { default: true, valid_from: day },
        }),
      );
      // The stops of the route are now those of this pattern.
      await invalidateRoutes();
    },
    remove: async (patternId: number) =>
      take(await remove.mutateAsync({ params: { patternId }, query: { valid_from: day } })),
    /** Removes a stop that no pattern has, with its prices. */
    removeStop: async ({ id: stopId, name }: Pick<RouteStop, 'id' | 'name'>) => {
      await dropStop.mutateAsync({
        params: { stopId },
        query: { valid_from: day, seen_name: name },
      });
      await queryClient.invalidateQueries({ queryKey });
    },
    /** Reads the stored name again. */
    readName: async (patternId: number) => {
      const answer = take(await call(listRoutePatterns, input));
      return answer.items.find(({ id }) => id === patternId)?.name ?? '';
    },
  };
}

/** Returns a function that explains why a change of a pattern failed. */
export function usePatternProblem(): (error: unknown) => string {
  const text = usePatternText();
  const reasonOf = useEditProblem();
  return (error) => {
    if (!(error instanceof ApiError) || error.error !== 'conflict') return reasonOf(error);
    if (error.field === 'name') return text.nameTaken;
    if (error.field === 'stop_ids') return text.sameStops;
    return error.field === 'valid_from' ? text.changesLater : reasonOf(error);
  };
}
