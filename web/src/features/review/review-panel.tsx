import { dayOf } from '@ridewatch/contract/day';
import type { ReviewItem } from '@ridewatch/contract/review';
import { Link } from '@tanstack/react-router';
import { usePageText } from '../../bus-page/use-page-text.ts';
import { zoneName } from '../../bus-page/zone-name.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { PanelCounts } from '../manual-counts/manual-inputs.tsx';
import styles from './review-screen.module.css';
import type { Review } from './use-review.ts';
import { useReviewText } from './use-review-text.ts';

/** The fragment under review: its video, its counts, and a link to its day. */
export function ReviewPanel({ review }: { review: Review }) {
  const text = useReviewText();
  const common = useText().common;
  const { item, answer, playing, loop } = review;
  const fragment = answer.data;
  return (
    <div className={styles.panel}>
      {fragment && item && (
        <FragmentPanel
          fragment={fragment}
          next={review.next}
          name={`${item.bus} · ${item.camera}`}
          counts={<PanelCounts fragment={fragment} onConfirm={() => loop.confirm(fragment)} />}
          zone={item.timezone}
          {...playing}
          onStep={(by) => loop.step(by)}
          onEnded={() => playing.autoplay && loop.step(1, { playing: true })}
        />
      )}
      {!fragment && answer.error && (
        <EmptyState title={text.fragmentFailed} text={text.failedText}>
          <Button isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
            {common.retry}
          </Button>
        </EmptyState>
      )}
      {!fragment && !answer.error && <div className={styles.waiting} aria-busy="true" />}
      {item && <Origin item={item} />}
    </div>
  );
}

function Origin({ item }: { item: ReviewItem }) {
  const text = useReviewText();
  const page = usePageText();
  const startMs = Date.parse(item.start_time);
  return (
    <p className={styles.about}>
      <span>{text.inView(item.max_objects_count)}</span>
      <span>{zoneName(item.timezone, startMs, page.locale)}</span>
      <Link
        to="/bus/$busId"
        params={{ busId: String(item.workplace_id) }}
        search={{ date: dayOf(startMs, item.timezone), fragment: String(item.segment_id) }}
      >
        {text.openDay}
      </Link>
    </p>
  );
}
