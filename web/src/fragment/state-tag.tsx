import { formatMoment } from '@ridewatch/contract/day';
import { ATTENTION_THRESHOLD, fragmentTag } from '@ridewatch/contract/fragment-states';
import type { Fragment } from '@ridewatch/contract/fragments';
import { deletedHint, isDeleted } from './deleted-hint.ts';
import styles from './state-tag.module.css';
import {
  isCancelled,
  isTriedAgain,
  nextTryText,
  stateHint,
  stateText,
  truncatedText,
} from './state-text.ts';
import { useFragmentText } from './use-fragment-text.ts';
import { useReasonText } from './use-reason-text.ts';

interface StateTagProps {
  fragment: Fragment;
  isCameraOffline: boolean;
  /** The fragment is of a service camera. */
  isOfCabin?: boolean | undefined;
  /** In a list, where most fragments are ready: the word alone. */
  isQuiet?: boolean;
  /** Of the bus, for the moment of the next attempt; unless given, that is not said. */
  zone?: string;
  /** There is room for the reason of a failed attempt. */
  saysWhy?: boolean;
}

/**
 * The state of a fragment, hollow as on the timeline if the video is not on the server. The hint says why a fetch
 * failed. Beside it a truncated video says how much there is. An offline camera makes the tag red (spec section 4) and
 * is named beside it, so that a finished fragment does not look like a failed one.
 */
export function StateTag(props: StateTagProps) {
  const { fragment, isCameraOffline, isOfCabin = false, isQuiet = false, zone, saysWhy } = props;
  const text = useFragmentText();
  const { status } = fragment;
  const reason = useReasonText(fragment.fail_reason, fragment.fail_detail);
  const cancelled = isCancelled(fragment);
  const hint = (!cancelled && reason) || stateHint(fragment, text, isOfCabin);
  const truncated = truncatedText(fragment, text);
  const next = zone && isTriedAgain(fragment) && nextTryText(fragment, text, zone);
  const nextTry = next && [next, saysWhy && reason].filter(Boolean).join(': ');
  const deleted = isDeleted(fragment);
  // A video that is not on the server is hollow and grey: that is no fault, and nothing to praise.
  const isAway = deleted || status === 'LIVE' || (cancelled && !fragment.video);
  const isNeutral = (isAway || cancelled) && !isCameraOffline;
  const kind = isNeutral ? 'neutral' : fragmentTag(status, isCameraOffline);
  const tag = (
    <span
      className={styles.tag}
      data-kind={kind}
      data-hollow={isAway || undefined}
      data-quiet={isQuiet && kind === 'success' ? true : undefined}
      title={deleted ? deletedHint(fragment, text) : hint}
    >
      {stateText(fragment, text, isOfCabin)}
    </span>
  );
  if (!isCameraOffline && !truncated && !nextTry) return tag;
  return (
    <span className={styles.withMore}>
      {tag} {truncated && <small data-kind="attention">{truncated}</small>}{' '}
      {nextTry && (
        <small className={styles.next} title={reason}>
          {nextTry}
        </small>
      )}{' '}
      {isCameraOffline && <small>{text.cameraOfflineTag}</small>}
    </span>
  );
}

/** The attention mark of a fragment: so many people were in view that somebody should check the counts. */
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

interface ReviewedMarkProps {
  fragment: Fragment;
  zone: string;
  /** A word beside the mark, where it is the state of the fragment. */
  word?: string | undefined;
}

/** Marks a fragment as reviewed; the hint names the user. */
export function ReviewedMark({ fragment, zone, word }: ReviewedMarkProps) {
  const text = useFragmentText();
  if (fragment.reviewed_at === null) return null;
  const at = formatMoment(Date.parse(fragment.reviewed_at), zone, 'DD.MM HH:mm');
  const hint = text.reviewedHint(fragment.reviewed_by ?? '', at);
  return (
    <span className={styles.reviewed} role="img" aria-label={hint} title={hint}>
      ✓{word && ` ${word}`}
    </span>
  );
}
