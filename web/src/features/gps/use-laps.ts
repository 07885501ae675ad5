import { type Lap, type LapSummary, listLaps } from '@ridewatch/contract/laps';
import { findRoute, listRouteStops } from '@ridewatch/contract/routes';
import { useEffect, useRef } from 'react';
import { useEndpoint } from '../../calls/api.ts';

const OPEN_MS = 15_000;

/** Reads a lap with stops, halts and track; again when its summary changes, and at intervals while it is open. */
export function useLap(busId: number, date: string, summary: LapSummary) {
  const answer = useEndpoint(
    listLaps,
    { query: { workplaceId: busId, date, lapId: summary.lap_id } },
    { refetchInterval: summary.open ? OPEN_MS : false },
  );
  const { data, refetch } = answer;
  const lap: Lap | undefined = data?.items[0];
  // Ignore the end: that of an open lap moves with every fix, and the live track covers the rest.
  const { start, entered, exited, stops, open, revenue } = summary;
  const state = [start, entered, exited, stops, open, revenue].join();
  const known = useRef(state);
  useEffect(() => {
    if (known.current !== state) void refetch();
    known.current = state;
  }, [state, refetch]);
  return { lap, isError: answer.isError, retry: refetch };
}

/** Reads the track and stops of a route that are valid on a day. */
export function useRoute(routeId: number | undefined, date: string, isWanted: boolean) {
  const input = { params: { groupId: routeId ?? 0 }, query: { date } };
  const options = { enabled: isWanted && routeId !== undefined };
  const route = useEndpoint(findRoute, input, options);
  const stops = useEndpoint(listRouteStops, input, options);
  return {
    track: route.data?.track,
    stops: stops.data?.items,
    /** The call that reads the track. */
    answer: route,
    isError: route.isError || stops.isError,
    retry: () => Promise.all([route.refetch(), stops.refetch()]),
  };
}
