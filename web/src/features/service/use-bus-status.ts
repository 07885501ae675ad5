import { type BusStatus, findBusStatus } from '@ridewatch/contract/buses';
import { useEndpoint } from '../../calls/api.ts';

/** While something is asked, as often as places of buses are read. */
const ASKED_MS = 1_000;
const QUIET_MS = 10_000;

/**
 * Follows the state of a bus's cameras and of the requests to its unit; at short intervals while a unit may answer or send.
 * @param isWanted false for a bus that has passed to another customer
 */
export function useBusStatus(busId: number, isWanted: boolean) {
  return useEndpoint(
    findBusStatus,
    { params: { busId } },
    {
      enabled: isWanted,
      refetchInterval: ({ state: { data } }) => intervalOf(data),
    },
  );
}

/** After how many ms the state is read again. */
export function intervalOf(status: BusStatus | undefined): number {
  const isAsked = status?.update?.state === 'asked' || status?.requests.some(mayCome);
  return isAsked ? ASKED_MS : QUIET_MS;
}

// Without a link, without its unit or until the depot an open request may wait for days.
const mayCome = (request: BusStatus['requests'][number]): boolean =>
  isOpen(request) && (request.waits_for === null || request.waits_for === 'unit');

/**
 * The present by the later of two clocks: the one here may be behind the server's.
 * @param nowMs by the clock here, ms since 1970 UTC
 * @returns ms since 1970 UTC
 */
export function presentOf(status: BusStatus | undefined, nowMs: number): number {
  return Math.max(nowMs, Date.parse(status?.last_seen_at ?? '') || 0);
}

/** Whether a request to the registrar is still open. */
export function isOpen({ state }: BusStatus['requests'][number]): boolean {
  return state === 'asked' || state === 'accepted';
}
