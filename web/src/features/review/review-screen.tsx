import { useEffect, useRef } from 'react';
import { pickedIdOf } from '../../core/picked-id.ts';
import { useText } from '../../i18n/language.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { useAddress } from '../../page/use-address.ts';
import { Waiting } from '../../page/waiting.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import type { ReviewAddress } from './address.ts';
import { QueueList } from './queue-list.tsx';
import { ReviewHead } from './review-head.tsx';
import { ReviewPanel } from './review-panel.tsx';
import styles from './review-screen.module.css';
import { isNotAllowed } from './use-queue.ts';
import { type Review, useReview } from './use-review.ts';
import { useReviewText } from './use-review-text.ts';

/** The review queue of all buses: one fragment after another, until none is left. */
export function ReviewScreen() {
  const { search, go } = useAddress<ReviewAddress>();
  const { customer } = search;
  const id = pickedIdOf(customer);
  const clientId = id === undefined ? undefined : String(id);
  const showAll = () => go({ customer: undefined });
  // Another customer's queue begins at its head.
  return (
    <Queue
      key={clientId}
      clientId={clientId}
      onAll={clientId === undefined ? undefined : showAll}
    />
  );
}

interface QueueProps {
  clientId: string | undefined;
  /** Shows the fragments of all customers; undefined if it does. */
  onAll: (() => void) | undefined;
}

function Queue({ clientId, onAll }: QueueProps) {
  const text = useReviewText();
  useTitle(text.title);
  const review = useReview(clientId);
  const { queue, items, isPastLast } = review;
  if (queue.error && !queue.items) return <NoQueue review={review} />;
  if (!queue.items) {
    return <Waiting headPx={96} bodyPx={420} />;
  }
  return (
    <div className={styles.page}>
      <ReviewHead figures={review.figures} onHead={review.restart} onAll={onAll} />
      <FailedRead answer={review.figuresAnswer} what={text.figures} />
      {items.length === 0 || isPastLast ? (
        <QueueEnd review={review} />
      ) : (
        <div className={styles.content}>
          <ReviewPanel review={review} />
          <QueueList
            items={items}
            selectedId={review.selectedId}
            linkedId={review.linkedId}
            onSelect={(id) => review.open(id)}
          />
        </div>
      )}
    </div>
  );
}

function NoQueue({ review }: { review: Review }) {
  const text = useReviewText();
  const common = useText().common;
  if (review.queue.error && isNotAllowed(review.queue.error)) {
    return <EmptyState title={text.noRightTitle} text={text.noRightText} isPage />;
  }
  return (
    <EmptyState title={text.failedTitle} text={text.failedText} isPage>
      <Button kind="primary" onClick={review.tryAgain}>
        {common.retry}
      </Button>
    </EmptyState>
  );
}

function QueueEnd({ review }: { review: Review }) {
  const text = useReviewText();
  const { items, isPastLast, figures, restart } = review;
  const waiting = figures?.total ?? items.length;
  const isEmpty = waiting === 0 && !isPastLast;
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // The field that had the focus is gone with the last fragment.
    if (isPastLast && document.activeElement === document.body) end.current?.focus();
  }, [isPastLast]);
  return (
    <div ref={end} tabIndex={-1} className={styles.end}>
      <EmptyState
        title={isEmpty ? text.emptyTitle : text.endTitle}
        text={isEmpty ? text.emptyText : text.endText(waiting)}
      >
        {waiting > 0 && (
          <Button kind="primary" onClick={restart}>
            {text.toNewest}
          </Button>
        )}
      </EmptyState>
    </div>
  );
}
