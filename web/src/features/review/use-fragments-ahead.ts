import { findFragment } from '@ridewatch/contract/fragments';
import { useEffect } from 'react';
import { keyOf, queryClient } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';

/** How many fragments are prefetched. */
const AHEAD = 4;
/** A fragment in the queue rarely changes by itself, ms. */
export const FRAGMENT_STALE_MS = 60_000;

/** Prefetches the next fragments of the queue, so that a step does not wait. */
export function useFragmentsAhead(ids: readonly number[], currentId: number | undefined): void {
  useEffect(() => {
    const at = ids.indexOf(currentId ?? -1);
    for (const fragmentId of ids.slice(at + 1, at + 1 + AHEAD)) {
      const input = { params: { segmentId: fragmentId } };
      void queryClient.prefetchQuery({
        queryKey: keyOf(findFragment, input),
        queryFn: ({ signal }) => call(findFragment, { ...input, signal }),
        staleTime: FRAGMENT_STALE_MS,
      });
    }
  }, [ids, currentId]);
}
