import { FailedRead } from '../../bus-page/failed-read.tsx';
import { Waiting } from '../../bus-page/waiting.tsx';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { QueueList } from './queue-list.tsx';
import { ReviewHead } from './review-head.tsx';
import { ReviewPanel } from './review-panel.tsx';
import styles from './review-screen.module.css';
import { type Review, useReview } from './use-review.ts';
import { useReviewText } from './use-review-text.ts';

/** The review queue of all buses: one fragment after another, until none is left. */
export function ReviewScreen() {
  const text = useReviewText();
  useTitle(text.title);
  const review = useReview();
  const { queue, items, isPastLast } = review;
  if (queue.error && !queue.items) return <NoQueue review={review} />;
  if (!queue.items) {
    return <Waiting headPx={96} bodyPx={420} />;
  }
  return (
    <div className={styles.page}>
      <ReviewHead figures={review.figures} onHead={review.restart} />
      <FailedRead answer={review.figuresAnswer} what={text.figures} />
      {items.length === 0 || isPastLast ? (
        <QueueEnd review={review} />
      ) : (
        <>
          <div className={styles.content}>
            <ReviewPanel review={review} />
            <QueueList
              items={items}
              selectedId={review.selectedId}
              linkedId={review.linkedId}
              onSelect={(id) => review.open(id)}
              onKeys={review.loop.openHelp}
            />
          </div>
          {review.loop.help}
        </>
      )}
    </div>
  );
}

function NoQueue({ review }: { review: Review }) {
  const text = useReviewText();
  const common = useText().common;
  if (review.queue.error?.status === 403) {
    return <EmptyState title={text.noRightTitle} text={text.noRightText} />;
  }
  return (
    <EmptyState title={text.failedTitle} text={text.failedText}>
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
  return (
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
  );
}
