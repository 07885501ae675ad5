import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import type { ReviewItem } from '@ridewatch/contract/review';
import { findSegment, type Segment } from '@ridewatch/contract/segments';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';
import { keyOf, queryClient } from '../../api.ts';
import { AttentionMark } from '../../fragment/state-tag.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import styles from './queue-list.module.css';
import { useReviewText } from './use-review-text.ts';

/** Heights of a row (spec section 9). */
const ROW_PX = { desktop: 40, phone: 60 };

interface QueueListProps {
  items: readonly ReviewItem[];
  selectedId: number | undefined;
  onSelect: (segmentId: number) => void;
}

/** What waits for review over all buses, as many as fit drawn; moments are those of Moscow. */
export function QueueList({ items, selectedId, onSelect }: QueueListProps) {
  const text = useReviewText();
  const isPhone = useIsPhone();
  const frame = useRef<HTMLDivElement>(null);
  const rowPx = isPhone ? ROW_PX.phone : ROW_PX.desktop;
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  const selectedAt = items.findIndex((item) => item.segment_id === selectedId);
  useEffect(() => {
    if (selectedAt >= 0) rows.scrollToIndex(selectedAt, { align: 'auto' });
  }, [rows, selectedAt]);
  return (
    <section className={styles.list} aria-label={text.queue}>
      <div ref={frame} className={styles.frame} data-player-keys data-fragments>
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            return (
              item && (
                <li
                  key={item.segment_id}
                  style={{ height: rowPx, transform: `translateY(${start}px)` }}
                >
                  <button
                    type="button"
                    aria-current={item.segment_id === selectedId || undefined}
                    onClick={() => onSelect(item.segment_id)}
                  >
                    <Row item={item} />
                  </button>
                </li>
              )
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function Row({ item }: { item: ReviewItem }) {
  const text = useReviewText();
  const startMs = Date.parse(item.start_time);
  const known = keyOf(findSegment, { params: { segmentId: item.segment_id } });
  const reviewer = queryClient.getQueryData<Segment>(known)?.reviewed_by;
  return (
    <>
      <span className={styles.time}>
        <small>{formatMoment(startMs, FALLBACK_ZONE, 'DD.MM')}</small>{' '}
        {formatMoment(startMs, FALLBACK_ZONE, 'HH:mm:ss')}
      </span>
      <span className={styles.bus}>
        {item.bus} <small>{item.camera}</small>
      </span>
      <span className={styles.state}>
        {reviewer ? (
          <span className={styles.done} title={text.reviewedBy(reviewer)}>
            ✓ {reviewer}
          </span>
        ) : (
          <AttentionMark people={item.max_objects_count} />
        )}
      </span>
    </>
  );
}
