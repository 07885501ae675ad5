import { type Lap, type LapSummary, listDayLaps, listLaps } from '@ridewatch/contract/laps';
import { findRoute, listRouteStops } from '@ridewatch/contract/routes';
import { useEndpoint } from '../../api.ts';

const TODAY_MS = 5_000;
const PENDING_MS = 2_000;

/** Follows the laps of a bus's local day, without tracks. */
export function useDayLaps(busId: number, date: string, isToday: boolean) {
  return useEndpoint(
    listDayLaps,
    { query: { workplaceId: busId, date } },
    {
      handled: true,
      refetchInterval: ({ state }) => {
        if (state.data?.pending) return PENDING_MS;
        return isToday ? TODAY_MS : false;
      },
    },
  );
}

/**
 * One lap with stops, halts and track; an open one is followed.
 * @param lap undefined: none is asked for
 */
export function useLap(busId: number, date: string, lap: LapSummary | undefined) {
  const answer = useEndpoint(
    listLaps,
    { query: { workplaceId: busId, date, lapId: lap?.lap_id ?? 0 } },
    {
      enabled: lap !== undefined,
      handled: true,
      refetchInterval: lap?.open ? TODAY_MS : false,
      // A lap that grows gets a new id when it is worked out anew: what is shown of it stays meanwhile.
      placeholderData: (before) =>
        before?.items[0]?.number === lap?.number && before?.items[0]?.start === lap?.start
          ? before
          : undefined,
    },
  );
  const found: Lap | undefined = answer.data?.items[0];
  return {
    lap: found,
    isError: answer.isError,
    isFetching: answer.isFetching,
    retry: answer.refetch,
  };
}

/** The track and the stops of a route as they are valid on a day. */
export function useRoute(groupId: number | undefined, date: string, isWanted: boolean) {
  const input = { params: { groupId: groupId ?? 0 }, query: { date } };
  const options = { enabled: isWanted && groupId !== undefined, handled: true };
  const route = useEndpoint(findRoute, input, options);
  const stops = useEndpoint(listRouteStops, input, options);
  return {
    track: route.data?.track,
    stops: stops.data?.items,
    isError: route.isError || stops.isError,
    retry: () => Promise.all([route.refetch(), stops.refetch()]),
  };
}
