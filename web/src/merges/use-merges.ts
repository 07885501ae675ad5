import { listMergeRequests } from '@ridewatch/contract/merges';
import { useEndpoint } from '../api.ts';

/** Spec section 9. */
const PENDING_MS = 2000;
const CALM_MS = 60_000;

/** Merge requests, asked for every two seconds while one of them is being made. */
export function useMerges(enabled = true) {
  return useEndpoint(
    listMergeRequests,
    {},
    {
      enabled,
      handled: true,
      refetchInterval: ({ state }) =>
        state.data?.items.some(({ status }) => status === 'PROCESS') ? PENDING_MS : CALM_MS,
    },
  );
}
