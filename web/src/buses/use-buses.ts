import { type BusList, listBuses } from '@ridewatch/contract/buses';
import { useEffect, useMemo } from 'react';
import { keyOf, queryClient, useEndpoint } from '../calls/api.ts';
import { arrangeBuses, type CustomerBuses } from './order.ts';

const REFRESH_MS = 8_000;

/**
 * The buses that the user may see, arranged for the list; refreshed every 8 s while the page is visible.
 * @param isPaused whether this component does not refresh them
 * @param isHeld whether nothing is refreshed now, because the user is busy; old ones are refreshed at once afterwards
 */
export function useBuses({ isPaused = false, isHeld = false } = {}) {
  const isKnown = queryClient.getQueryData(keyOf(listBuses, {})) !== undefined;
  const waits = isHeld && isKnown;
  const refetchInterval = isPaused ? false : REFRESH_MS;
  const answer = useEndpoint(listBuses, {}, { enabled: !waits, refetchInterval });
  const { data } = answer;
  useEffect(() => {
    if (waits) void queryClient.cancelQueries({ queryKey: keyOf(listBuses, {}) });
  }, [waits]);
  const sections = useMemo(() => (data ? arranged(data) : undefined), [data]);
  return { ...answer, sections };
}

let last: { list: BusList; sections: CustomerBuses[] } | undefined;

// Cache the arrangement of the latest answer, for other components and the next visit.
function arranged(list: BusList): CustomerBuses[] {
  if (last?.list !== list) last = { list, sections: arrangeBuses(list) };
  return last.sections;
}
