import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { isInProgress } from '@ridewatch/contract/fragment-states';
import { type Fragment, findFragment } from '@ridewatch/contract/fragments';
import type { ReviewItem } from '@ridewatch/contract/review';
import { keyOf, queryClient } from '../../calls/api.ts';
import { FragmentRows } from '../../fragment/fragment-rows.tsx';
import { AttentionMark, StateTag } from '../../fragment/state-tag.tsx';
import { KeyHints } from '../manual-counts/key-hints.tsx';
import styles from './queue-list.module.css';
import { useReviewText } from './use-review-text.ts';

interface QueueListProps {
  items: readonly ReviewItem[];
  selectedId: number | undefined;
  /** The fragment that the address named when the screen opened. */
  linkedId: number | undefined;
  onSelect: (fragmentId: number) => void;
}

/** The review queue of all buses. Times are Moscow time. */
export function QueueList({ items, selectedId, linkedId, onSelect }: QueueListProps) {
  const text = useReviewText();
  return (
    <FragmentRows
      items={items}
      idOf={(item) => item.segment_id}
      selectedId={selectedId}
      label={text.queue}
      look={styles.list}
      isUnasked={selectedId !== linkedId}
      onSelect={(item) => onSelect(item.segment_id)}
      row={(item) => <Row item={item} />}
      foot={<KeyHints mayCount />}
    />
  );
}

function Row({ item }: { item: ReviewItem }) {
  const text = useReviewText();
  const startMs = Date.parse(item.start_time);
  const known = keyOf(findFragment, { params: { segmentId: item.segment_id } });
  const fragment = queryClient.getQueryData<Fragment>(known);
  const reviewer = fragment?.reviewed_by;
  return (
    <>
      <span className={styles.time}>
        <small>{formatMoment(startMs, FALLBACK_ZONE, 'DD.MM')}</small>{' '}
        {formatMoment(startMs, FALLBACK_ZONE, 'HH:mm:ss')}
      </span>
      <span className={styles.bus} title={`${item.bus} ${item.camera}`}>
        {item.bus} <small>{item.camera}</small>
      </span>
      {reviewer ? (
        <span className={styles.done} title={text.reviewedBy(reviewer)}>
          ✓ <span>{reviewer}</span>
        </span>
      ) : (
        <span className={styles.state}>
          {fragment && isInProgress(fragment.status) && (
            <StateTag fragment={fragment} isCameraOffline={false} />
          )}
          <AttentionMark people={item.max_objects_count} />
        </span>
      )}
    </>
  );
}
