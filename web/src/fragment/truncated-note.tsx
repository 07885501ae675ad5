import { isInProgress } from '@ridewatch/contract/fragment-states';
import { FetchButton, type FetchButtonProps } from './fetch-button.tsx';
import { stateText, truncatedText } from './state-text.ts';
import styles from './truncated-note.module.css';
import { useFragmentText } from './use-fragment-text.ts';
import { useReasonText } from './use-reason-text.ts';

interface TruncatedNoteProps extends FetchButtonProps {
  /** The moment to show is behind the end of the video. */
  isBeyond: boolean;
}

/** Says that a video breaks off, and offers to fetch it again. */
export function TruncatedNote({ isBeyond, ...props }: TruncatedNoteProps) {
  const { fragment } = props;
  const text = useFragmentText();
  const reason = useReasonText(fragment.fail_reason, fragment.fail_detail);
  const shown = truncatedText(fragment, text);
  if (shown === undefined) return null;
  return (
    <div className={styles.note} role="status">
      <p>
        <strong>{text.breaksOff(shown)}</strong>
        {isBeyond && <span>{text.beyondEnd}</span>}
        {isInProgress(fragment.status) && <span>{stateText(fragment, text)}</span>}
        {reason && <span>{reason}</span>}
      </p>
      <FetchButton {...props} />
    </div>
  );
}
