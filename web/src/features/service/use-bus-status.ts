import { type BusStatus, findBusStatus } from '@ridewatch/contract/buses';
import { useEndpoint } from '../../api.ts';

const ASKED_MS = 1_000;
const REQUESTED_MS = 2_000;
const QUIET_MS = 10_000;

/** Follows how a bus's cameras are and what its unit was asked; closely while an answer is waited for. */
export function useBusStatus(busId: number) {
  return useEndpoint(
    findBusStatus,
    { params: { busId } },
    {
      handled: true,
      refetchInterval: ({ state: { data } }) => {
        if (data?.update?.state === 'asked') return ASKED_MS;
        return data?.requests.some(isOpen) ? REQUESTED_MS : QUIET_MS;
      },
    },
  );
}

/** Whether a request to the registrar is not at its end. */
export function isOpen({ state }: BusStatus['requests'][number]): boolean {
  return state === 'asked' || state === 'accepted';
}
