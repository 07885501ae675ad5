import { listDayFragments } from '@ridewatch/contract/fragments';
import { useEndpoint } from '../calls/api.ts';
import { refreshInterval } from './refresh-interval.ts';

/** Interval while money has yet to follow people, ms. */
const PENDING_MS = 500;

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
      refetchInterval: ({ state }) =>
        state.data?.calculation?.pending
          ? PENDING_MS
          : refreshInterval(state.data?.segments, isToday),
    },
  );
}
