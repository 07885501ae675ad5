import { formatMoment } from '@ridewatch/contract/day';
import { ATTENTION_THRESHOLD, fragmentTag } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { deletedHint, isDeleted } from './deleted-hint.ts';
import styles from './state-tag.module.css';
import { isCancelled, stateHint, stateText } from './state-text.ts';
import { useFragmentText } from './use-fragment-text.ts';

interface StateTagProps {
  segment: Fragment;
  isCameraOffline: boolean;
}

/** The state of a fragment in a word, hollow as on the timeline where the video is not here; why it failed is in the hint. */
export function StateTag({ segment, isCameraOffline }: StateTagProps) {
  const text = useFragmentText();
  const { status, fail_reason } = segment;
  const reason = isCancelled(segment) ? undefined : fail_reason;
  const hint = reason ?? stateHint(segment, text);
  const deleted = isDeleted(segment);
  const kind = deleted && !isCameraOffline ? 'neutral' : fragmentTag(status, isCameraOffline);
  return (
    <span
      className={styles.tag}
      data-kind={kind}
      data-hollow={deleted || status === 'LIVE' || undefined}
      title={deleted ? deletedHint(segment, text) : hint}
    >
      {deleted ? text.deleted : stateText(segment, text)}
    </span>
  );
}

/** Marks a fragment that shows so many people that the count should be looked at. */
export function AttentionMark({ people }: { people: number }) {
  const text = useFragmentText();
  if (people <= ATTENTION_THRESHOLD) return null;
  return (
    <span className={styles.tag} data-kind="attention" title={text.attentionHint(people)}>
      <span className={styles.long}>{text.attention(people)}</span>
      <span className={styles.short}>{people}!</span>
    </span>
  );
}

/** Says that somebody looked at the counts, and who. */
export function ReviewedMark({ segment, zone }: { segment: Fragment; zone: string }) {
  const text = useFragmentText();
  if (segment.reviewed_at === null) return null;
  const at = formatMoment(Date.parse(segment.reviewed_at), zone, 'DD.MM HH:mm');
  const hint = text.reviewedHint(segment.reviewed_by ?? '', at);
  return (
    <span className={styles.reviewed} role="img" aria-label={hint} title={hint}>
      ✓
    </span>
  );
}
