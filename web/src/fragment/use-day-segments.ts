import { isInProgress } from '@ridewatch/contract/segment-states';
import { listDaySegments, type Segment } from '@ridewatch/contract/segments';
import { useEndpoint } from '../api.ts';

const TODAY_MS = 5_000;
const MOVING_MS = 1_500;

/**
 * Follows a bus's local day: today by itself, any day while a fragment of it is on its way.
 * @param isWanted false: nothing is asked for
 */
export function useDaySegments(busId: number, date: string, isToday: boolean, isWanted = true) {
  return useEndpoint(
    listDaySegments,
    { query: { workplaceId: busId, date } },
    {
      enabled: isWanted,
      handled: true,
      refetchInterval: ({ state }) => {
        if (state.data && isMoving(state.data.segments)) return MOVING_MS;
        return isToday ? TODAY_MS : false;
      },
    },
  );
}

// Whether anything of the day is on its way, so that it is worth asking again soon.
function isMoving(segments: readonly Segment[]): boolean {
  return segments.some((segment) => isInProgress(segment.status) && segment.status !== 'ADDING');
}
