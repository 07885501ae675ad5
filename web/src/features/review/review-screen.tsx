import { dayOf } from '@ridewatch/contract/day';
import { findFragment } from '@ridewatch/contract/fragments';
import { listReviewQueue } from '@ridewatch/contract/review';
import { Link } from '@tanstack/react-router';
import { useLayoutEffect, useMemo, useState } from 'react';
import { useEndpoint } from '../../api.ts';
import { useAddress } from '../../bus-page/use-address.ts';
import { usePageText } from '../../bus-page/use-page-text.ts';
import { Waiting } from '../../bus-page/waiting.tsx';
import { zoneName } from '../../bus-page/zone-name.ts';
import { focusCounts, focusedFragment } from '../../counting/count-focus.ts';
import { PanelCounts } from '../../counting/manual-inputs.tsx';
import { useReviewerLoop } from '../../counting/use-reviewer-loop.tsx';
import type { FragmentAddress } from '../../fragment/address.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { usePlaying } from '../../fragment/use-watching.ts';
import { useText } from '../../i18n/language.ts';
import { useSession } from '../../session.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { stoppedAt } from './place.ts';
import { QueueList } from './queue-list.tsx';
import { ReviewHead } from './review-head.tsx';
import styles from './review-screen.module.css';
import { FRAGMENT_KEPT_MS, useFragmentsAhead } from './use-fragments-ahead.ts';
import { useQueue } from './use-queue.ts';
import { useReviewText } from './use-review-text.ts';

const FIGURES_MS = 15_000;

/** What waits for somebody to look at its counts, over all buses: one after another, until none is left. */
export function ReviewScreen() {
  const text = useReviewText();
  const page = usePageText();
  const common = useText().common;
  useTitle(text.title);
  const userId = useSession()?.user.id ?? 0;
  const { search, note } = useAddress<FragmentAddress>();
  const [begunAt] = useState(() => Number(search.fragment) || stoppedAt.of(userId));
  // The address follows: who types fast is ahead of it.
  const [chosenId, setChosenId] = useState<number>();
  const [isPastLast, setPastLast] = useState(false);
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const queue = useQueue(begunAt, chosenId);
  const items = queue.items ?? [];
  const selectedId = isPastLast ? undefined : (chosenId ?? items[0]?.segment_id);
  const item = items.find(({ segment_id }) => segment_id === selectedId);
  const ids = useMemo(() => items.map(({ segment_id }) => segment_id), [items]);
  const nextId = selectedId === undefined ? undefined : ids[ids.indexOf(selectedId) + 1];
  const answer = useSegment(selectedId);
  const next = useSegment(nextId).data;
  useFragmentsAhead(ids, selectedId);
  const figures = useEndpoint(
    listReviewQueue,
    { query: { ...(items[0] && { from: String(items[0].segment_id) }), perPage: '1' } },
    { handled: true, refetchInterval: FIGURES_MS, placeholderData: (before) => before },
  );
  const playing = usePlaying();
  const { player, autoplay } = playing;
  const segment = answer.data;

  const open = (id: number, playing = false) => {
    setPlayAtOnce(playing);
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
    fragmentOf: (id) => (segment?.id === id ? segment : undefined),
    mayEdit: true,
    player,
    onOpen: open,
    onPastLast: () => {
      setPastLast(true);
      void figures.refetch();
      note({ fragment: undefined, t: undefined });
    },
  });
  // The fields stay where they are when the fragment changes: who types goes on in the first one.
  useLayoutEffect(() => {
    if (selectedId !== undefined && focusedFragment() !== undefined)
      focusCounts(selectedId, 'first');
  }, [selectedId]);

  if (queue.error && !queue.items) {
    const mayNot = queue.error.status === 403;
    return (
      <EmptyState
        title={mayNot ? text.noRightTitle : text.failedTitle}
        text={mayNot ? text.noRightText : text.failedText}
      >
        {!mayNot && (
          <Button kind="primary" onClick={() => queue.restart(begunAt)}>
            {common.retry}
          </Button>
        )}
      </EmptyState>
    );
  }
  if (!queue.items) {
    return <Waiting headPx={96} bodyPx={420} />;
  }
  const waiting = figures.data?.total ?? items.length;
  const toHead = (
    <Button kind="primary" onClick={restart}>
      {text.toNewest}
    </Button>
  );
  const head = <ReviewHead figures={figures.data} onHead={restart} />;
  if (items.length === 0 || isPastLast) {
    const isEmpty = waiting === 0;
    return (
      <div className={styles.page}>
        {head}
        <EmptyState
          title={isEmpty && !isPastLast ? text.emptyTitle : text.endTitle}
          text={isEmpty && !isPastLast ? text.emptyText : text.endText(waiting)}
        >
          {!isEmpty && toHead}
        </EmptyState>
      </div>
    );
  }
  const date = item && dayOf(Date.parse(item.start_time), item.timezone);
  return (
    <div className={styles.page}>
      {head}
      <div className={styles.content}>
        <div className={styles.panel}>
          {segment && item && (
            <FragmentPanel
              segment={segment}
              next={next}
              name={`${item.bus} · ${item.camera}`}
              counts={<PanelCounts segment={segment} onConfirm={() => loop.confirm(segment)} />}
              zone={item.timezone}
              {...playing}
              fromSeconds={search.fragment === String(selectedId) ? playing.fromSeconds : 0}
              playAtOnce={playAtOnce}
              onStep={(by) => loop.step(by)}
              onEnded={() => autoplay && loop.step(1, { playing: true })}
            />
          )}
          {!segment && answer.error && (
            <EmptyState title={text.fragmentFailed} text={text.failedText}>
              <Button isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
                {common.retry}
              </Button>
            </EmptyState>
          )}
          {!segment && !answer.error && <div className={styles.waiting} aria-busy="true" />}
          {item && (
            <p className={styles.about}>
              <span>{text.inView(item.max_objects_count)}</span>
              <span>{zoneName(item.timezone, Date.parse(item.start_time), page.locale)}</span>
              <Link
                to="/bus/$busId"
                params={{ busId: String(item.workplace_id) }}
                search={{ ...(date && { date }), fragment: String(item.segment_id) }}
              >
                {text.openDay}
              </Link>
            </p>
          )}
          <button type="button" className={styles.keys} onClick={loop.openHelp}>
            {text.keysHint}
          </button>
        </div>
        <QueueList items={items} selectedId={selectedId} onSelect={(id) => open(id)} />
      </div>
      {loop.help}
    </div>
  );
}

function useSegment(segmentId: number | undefined) {
  return useEndpoint(
    findFragment,
    { params: { segmentId: segmentId ?? 0 } },
    { enabled: segmentId !== undefined, handled: true, staleTime: FRAGMENT_KEPT_MS },
  );
}
