import { listMergeRequests } from '@ridewatch/contract/merges';
import { useEndpoint } from '../api.ts';
import { isBrowserDownloading } from './browser-downloads.ts';

/** Spec section 9. */
const PENDING_MS = 2000;
const CALM_MS = 60_000;

/** Reads the merge requests; every two seconds while one of them is in progress or the browser downloads one. */
export function useMerges(enabled = true) {
  return useEndpoint(
    listMergeRequests,
    {},
    {
      enabled,
      refetchInterval: ({ state }) =>
        state.data?.items.some(
          ({ id, status }) =>
            status === 'PROCESS' || (status === 'COMPLETE' && isBrowserDownloading(id)),
        )
          ? PENDING_MS
          : CALM_MS,
    },
  );
}
