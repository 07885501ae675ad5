import { deletedHint } from './deleted-hint.ts';
import { FetchButton, type FetchButtonProps } from './fetch-button.tsx';
import styles from './fragment-panel.module.css';
import { isCancelled, stateHint, stateText } from './state-text.ts';
import { useFragmentText } from './use-fragment-text.ts';
import { useReasonText } from './use-reason-text.ts';

interface MissingVideoProps extends FetchButtonProps {
  /** Shows only the state and the action, because something else is above. */
  isBrief: boolean;
}

/** Says where a fragment's video is, and offers to fetch it. */
export function MissingVideo({ fragment, camera, isBrief, onChanged }: MissingVideoProps) {
  const text = useFragmentText();
  const reason = useReasonText(fragment.fail_reason, fragment.fail_detail);
  // A stopped upload is running only by its state.
  const hint = fragment.stopped && reason ? null : stateHint(fragment, text, camera?.live);
  return (
    <div className={styles.missing} data-brief={isBrief || undefined} role="status">
      <strong>{stateText(fragment, text, camera?.live)}</strong>
      <p>{deletedHint(fragment, text) ?? hint}</p>
      {reason && !isCancelled(fragment) && <p className={styles.reason}>{reason}</p>}
      <FetchButton fragment={fragment} camera={camera} onChanged={onChanged} />
    </div>
  );
}
