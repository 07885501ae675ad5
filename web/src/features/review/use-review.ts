import { findFragment } from '@ridewatch/contract/fragments';
import { listReviewQueue } from '@ridewatch/contract/review';
import { useLayoutEffect, useMemo, useState } from 'react';
import { useEndpoint } from '../../api.ts';
import { useAddress } from '../../bus-page/use-address.ts';
import type { FragmentAddress } from '../../fragment/address.ts';
import { refreshInterval } from '../../fragment/refresh-interval.ts';
import { usePlaying } from '../../fragment/use-watching.ts';
import { focusCounts, focusedFragment } from '../../manual-counts/count-focus.ts';
import { useReviewerLoop } from '../../manual-counts/use-reviewer-loop.tsx';
import { useSession } from '../../session.ts';
import { stoppedAt } from './place.ts';
import { FRAGMENT_STALE_MS, useFragmentsAhead } from './use-fragments-ahead.ts';
import { useQueue } from './use-queue.ts';

const FIGURES_MS = 15_000;

/** The state of a review: the selected fragment, the next one, and the actions on them. */
export function useReview() {
  const userId = useSession()?.user.id ?? 0;
  const { search, note } = useAddress<FragmentAddress>();
  const [begunAt] = useState(() => Number(search.fragment) || stoppedAt.of(userId));
  // The address changes later than the selection; fast keys must build on the selection.
  const [chosenId, setChosenId] = useState<number>();
  const [isPastLast, setPastLast] = useState(false);
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const queue = useQueue(begunAt, chosenId);
  const items = queue.items ?? [];
  const selectedId = isPastLast ? undefined : (chosenId ?? items[0]?.segment_id);
  const ids = useMemo(() => items.map(({ segment_id }) => segment_id), [items]);
  const nextId = selectedId === undefined ? undefined : ids[ids.indexOf(selectedId) + 1];
  const answer = useFragment(selectedId);
  const next = useFragment(nextId).data;
  useFragmentsAhead(ids, selectedId);
  const figures = useEndpoint(
    listReviewQueue,
    { query: { ...(items[0] && { from: String(items[0].segment_id) }), perPage: '1' } },
    { refetchInterval: FIGURES_MS, placeholderData: (before) => before },
  );
  const playing = usePlaying();
  const fragment = answer.data;

  const open = (id: number, isPlaying = false) => {
    setPlayAtOnce(isPlaying);
    setChosenId(id);
    setPastLast(false);
    stoppedAt.put(userId, id);
    note({ fragment: String(id), t: undefined });
  };
  const restart = () => {
    setChosenId(undefined);
    setPastLast(false);
    stoppedAt.put(userId, undefined);
    note({ fragment: undefined, t: undefined });
    queue.restart(undefined);
    void figures.refetch();
  };
  const loop = useReviewerLoop({
    fragments: items.map(({ segment_id: id }) => ({ id })),
    currentId: () => selectedId,
    fragmentOf: (id) => (fragment?.id === id ? fragment : undefined),
    mayEdit: true,
    player: playing.player,
    onOpen: open,
    onPastLast: () => {
      setPastLast(true);
      void figures.refetch();
      note({ fragment: undefined, t: undefined });
    },
  });
  // The inputs stay mounted when the fragment changes. If one has the focus, move it to the first one.
  useLayoutEffect(() => {
    if (selectedId !== undefined && focusedFragment() !== undefined)
      focusCounts(selectedId, 'first');
  }, [selectedId]);
  return {
    queue,
    items,
    item: items.find(({ segment_id }) => segment_id === selectedId),
    selectedId,
    isPastLast,
    /** The answer with the selected fragment. */
    answer,
    next,
    figures: figures.data,
    figuresAnswer: figures,
    playing: {
      ...playing,
      fromSeconds: search.fragment === String(selectedId) ? playing.fromSeconds : 0,
      playAtOnce,
    },
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
