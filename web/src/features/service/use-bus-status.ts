import { type BusStatus, findBusStatus } from '@ridewatch/contract/buses';
import { useEndpoint } from '../../calls/api.ts';

const ASKED_MS = 1_000;
const REQUESTED_MS = 2_000;
const QUIET_MS = 10_000;

/**
 * Follows the state of a bus's cameras and of the requests to its unit; at short intervals while a request is open.
 * @param isWanted false for a bus that has passed to another customer
 */
export function useBusStatus(busId: number, isWanted: boolean) {
  return useEndpoint(
    findBusStatus,
    { params: { busId } },
    {
      enabled: isWanted,
      refetchInterval: ({ state: { data } }) => {
        if (data?.update?.state === 'asked') return ASKED_MS;
        return data?.requests.some(isOpen) ? REQUESTED_MS : QUIET_MS;
      },
    },
  );
}

/** Whether a request to the registrar is still open. */
export function isOpen({ state }: BusStatus['requests'][number]): boolean {
  return state === 'asked' || state === 'accepted';
}
