import { type BusList, listBuses } from '@ridewatch/contract/buses';
import { useMemo } from 'react';
import { useEndpoint } from '../api.ts';
import { arrangeBuses, type CustomerBuses } from './order.ts';

const REFRESH_MS = 8_000;

/**
 * The buses that the user may see, arranged for the list; refreshed every 8 s while the page is visible.
 * @param isPaused whether they are not refreshed now
 */
export function useBuses({ isPaused = false } = {}) {
  const answer = useEndpoint(listBuses, {}, { refetchInterval: isPaused ? false : REFRESH_MS });
  const { data } = answer;
  const sections = useMemo(() => (data ? arranged(data) : undefined), [data]);
  return { ...answer, sections };
}

let last: { list: BusList; sections: CustomerBuses[] } | undefined;

// Cache the arrangement of the latest answer, for other components and the next visit.
function arranged(list: BusList): CustomerBuses[] {
  if (last?.list !== list) last = { list, sections: arrangeBuses(list) };
  return last.sections;
}
