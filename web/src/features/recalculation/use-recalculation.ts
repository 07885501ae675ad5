import { listDayFragments, listPeriods } from '@ridewatch/contract/fragments';
import { findRecalculation, recalculateFragments } from '@ridewatch/contract/recalculation';
import { useEffect } from 'react';
import { cacheAnswer, queryClient, useAction, useEndpoint } from '../../calls/api.ts';

const RUNNING_MS = 1_000;

/**
 * Follows the last recalculation of a camera's bus, and starts new ones.
 * @returns `latest`: the last one with its progress, of `answer`; `making`: the call that starts one
 */
export function useRecalculation(cameraId: number) {
  const params = { cameraId };
  const answer = useEndpoint(
    findRecalculation,
    { params },
    {
      refetchInterval: ({ state }) =>
        state.data?.recalculation?.state === 'running' ? RUNNING_MS : false,
    },
  );
  const latest = answer.data?.recalculation;
  const making = useAction(recalculateFragments, {
    onSuccess: (recalculation) => cacheAnswer(findRecalculation, { params }, { recalculation }),
  });
  const done = latest?.done;
  // The page below shows the counts that have changed.
  useEffect(() => {
    if (done === undefined) return;
    for (const { path } of [listDayFragments, listPeriods]) {
      void queryClient.invalidateQueries({ queryKey: [path] });
    }
  }, [done]);
  return { answer, latest, making };
}
