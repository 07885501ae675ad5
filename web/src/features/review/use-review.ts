import { findFragment } from '@ridewatch/contract/fragments';
import { listReviewQueue } from '@ridewatch/contract/review';
import { useEffect, useEffectEvent, useMemo, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { useSession } from '../../core/session.ts';
import { refreshInterval } from '../../fragment/refresh-interval.ts';
import { useWatching } from '../../fragment/use-watching.ts';
import { useReviewerLoop } from '../manual-counts/use-reviewer-loop.ts';
import { stoppedAt } from './place.ts';
import { FRAGMENT_STALE_MS, useFragmentsAhead } from './use-fragments-ahead.ts';
import { isNotAllowed, useQueue } from './use-queue.ts';

const FIGURES_MS = 15_000;
/** Back leaves the queue, which always shows a fragment. */
const NO_HISTORY = { hasHistory: false };

/**
 * The state of a review: the selected fragment, the next one, and the actions on them.
 * @param clientId of the customer whose fragments are reviewed; all if undefined
 */
export function useReview(clientId: string | undefined) {
  const userId = useSession()?.user.id ?? 0;
  const { playing, selectedId: watchedId, show, ...watching } = useWatching(NO_HISTORY);
  const [linkedId] = useState(watchedId);
  const [begunAt] = useState(() => watchedId ?? stoppedAt.of(userId));
  const [hasEnded, setEnded] = useState(false);
  const isPastLast = hasEnded && watchedId === undefined;
  const queue = useQueue(begunAt, watchedId, clientId);
  const items = queue.items ?? [];
  // A fragment that waits no more is not in the queue.
  const isListed = items.some(({ segment_id }) => segment_id === watchedId);
  const firstId = items[0]?.segment_id;
  const listedId = isListed ? watchedId : firstId;
  const selectedId = isPastLast ? undefined : listedId;
  const showSelected = useEffectEvent(show);
  useEffect(() => {
    if (selectedId !== undefined && selectedId !== watchedId) showSelected(selectedId);
  }, [selectedId, watchedId]);
  const ids = useMemo(() => items.map(({ segment_id }) => segment_id), [items]);
  const nextId = selectedId === undefined ? undefined : ids[ids.indexOf(selectedId) + 1];
  const answer = useFragment(selectedId);
  const next = useFragment(nextId).data;
  useFragmentsAhead(ids, selectedId);
  const figures = useEndpoint(
    listReviewQueue,
    {
      query: {
        ...(items[0] && { from: String(items[0].segment_id) }),
        perPage: '1',
        ...(clientId && { clientId }),
      },
    },
    {
      refetchInterval: FIGURES_MS,
      placeholderData: (before) => before,
      isQuiet: isNotAllowed,
    },
  );
  const fragment = answer.data;

  const open = (id: number, isPlaying = false) => {
    setEnded(false);
    stoppedAt.put(userId, id);
    watching.open(id, 0, isPlaying);
  };
  const restart = () => {
    setEnded(false);
    stoppedAt.put(userId, undefined);
    watching.close();
    queue.restart(undefined);
    void figures.refetch();
  };
  const loop = useReviewerLoop({
    fragments: items.map(({ segment_id: id }) => ({ id })),
    selectedId,
    fragmentOf: (id) => (fragment?.id === id ? fragment : undefined),
    mayEdit: true,
    player: playing.player,
    onOpen: open,
    onPastLast: () => {
      setEnded(true);
      void figures.refetch();
      watching.close();
    },
    onRefused: (id) => open(id),
  });
  return {
    queue,
    items,
    item: items.find(({ segment_id }) => segment_id === selectedId),
    selectedId,
    /** The fragment that the address named at first. */
    linkedId,
    isPastLast,
    /** The answer with the selected fragment. */
    answer,
    next,
    figures: figures.data,
    figuresAnswer: figures,
    playing,
    open,
    restart,
    tryAgain: () => queue.restart(begunAt),
    loop,
  };
}

export type Review = ReturnType<typeof useReview>;

function useFragment(fragmentId: number | undefined) {
  return useEndpoint(
    findFragment,
    { params: { segmentId: fragmentId ?? 0 } },
    {
      enabled: fragmentId !== undefined,
      staleTime: FRAGMENT_STALE_MS,
      refetchInterval: ({ state: { data } }) => refreshInterval(data && [data], false),
    },
  );
}
