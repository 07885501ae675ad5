import { type BusList, listBuses } from '@ridewatch/contract/buses';
import { useMemo } from 'react';
import { useEndpoint } from '../api.ts';
import { arrangeBuses, type CustomerBuses } from './order.ts';

const REFRESH_MS = 8_000;

/** The buses that the user sees, arranged as the list shows them; refreshed every 8 s while the page is visible. */
export function useBuses() {
  const answer = useEndpoint(listBuses, {}, { refetchInterval: REFRESH_MS, handled: true });
  const { data } = answer;
  const sections = useMemo(() => (data ? arranged(data) : undefined), [data]);
  return { ...answer, sections };
}

let last: { list: BusList; sections: CustomerBuses[] } | undefined;

// Two users of the hook, and a return to the list, arrange the same answer once.
function arranged(list: BusList): CustomerBuses[] {
  if (last?.list !== list) last = { list, sections: arrangeBuses(list) };
  return last.sections;
}
