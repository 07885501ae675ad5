import { listDayFragments } from '@ridewatch/contract/fragments';
import { useEndpoint } from '../api.ts';
import { refreshInterval } from './refresh-interval.ts';

/**
 * Reads the fragments and totals of a bus's local day, and keeps them current.
 * @param isWanted false: reads nothing
 */
export function useDayFragments(busId: number, date: string, isToday: boolean, isWanted = true) {
  return useEndpoint(
    listDayFragments,
    { query: { workplaceId: busId, date } },
    {
      enabled: isWanted,
      refetchInterval: ({ state }) => refreshInterval(state.data?.segments, isToday),
    },
  );
}
