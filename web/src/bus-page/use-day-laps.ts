import { listDayLaps } from '@ridewatch/contract/laps';
import { useEndpoint } from '../api.ts';

const TODAY_MS = 5_000;
const PENDING_MS = 2_000;

/**
 * Reads the laps of a bus's local day, without tracks.
 *
 * @param todayMs refresh interval of today's laps
 */
export function useDayLaps(
  busId: number,
  date: string,
  isToday: boolean,
  { isWanted = true, todayMs = TODAY_MS } = {},
) {
  return useEndpoint(
    listDayLaps,
    { query: { workplaceId: busId, date } },
    {
      enabled: isWanted,
      refetchInterval: ({ state }) => {
        const { data } = state;
        // Today new data wait most of the time; hurry only for the first laps.
        if (data?.pending && (!isToday || data.items.length === 0)) return PENDING_MS;
        return isToday ? todayMs : false;
      },
    },
  );
}
