import { listDayFragments } from '@ridewatch/contract/fragments';
import { useEndpoint } from '../api.ts';
import { refreshInterval } from './refresh-interval.ts';

/**
 * Follows a bus's local day.
 * @param isWanted false: nothing is asked for
 */
export function useDayFragments(busId: number, date: string, isToday: boolean, isWanted = true) {
  return useEndpoint(
    listDayFragments,
    { query: { workplaceId: busId, date } },
    {
      enabled: isWanted,
      handled: true,
      refetchInterval: ({ state }) => refreshInterval(state.data?.segments, isToday),
    },
  );
}
