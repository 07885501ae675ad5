import { type Lap, type LapSummary, listLaps } from '@ridewatch/contract/laps';
import { findRoute, listRouteStops } from '@ridewatch/contract/routes';
import { useEffect, useRef } from 'react';
import { useEndpoint } from '../../api.ts';

const OPEN_MS = 15_000;

/** One lap with stops, halts and track; asked for anew when its summary changes, and now and then while it is open. */
export function useLap(busId: number, date: string, summary: LapSummary) {
  const answer = useEndpoint(
    listLaps,
    { query: { workplaceId: busId, date, lapId: summary.lap_id } },
    { handled: true, refetchInterval: summary.open ? OPEN_MS : false },
  );
  const { data, refetch } = answer;
  const lap: Lap | undefined = data?.items[0];
  // An open lap's end moves with every fix, which is no reason: the way since then is drawn as it comes.
  const { start, entered, exited, stops, open, revenue } = summary;
  const state = [start, entered, exited, stops, open, revenue].join();
  const known = useRef(state);
  useEffect(() => {
    if (known.current !== state) void refetch();
    known.current = state;
  }, [state, refetch]);
  return { lap, isError: answer.isError, retry: refetch };
}

/** The track and the stops of a route as they are valid on a day. */
export function useRoute(routeId: number | undefined, date: string, isWanted: boolean) {
  const input = { params: { groupId: routeId ?? 0 }, query: { date } };
  const options = { enabled: isWanted && routeId !== undefined, handled: true };
  const route = useEndpoint(findRoute, input, options);
  const stops = useEndpoint(listRouteStops, input, options);
  return {
    track: route.data?.track,
    stops: stops.data?.items,
    isError: route.isError || stops.isError,
    retry: () => Promise.all([route.refetch(), stops.refetch()]),
  };
}
