import { deletedHint } from './deleted-hint.ts';
import { FetchButton, type FetchButtonProps } from './fetch-button.tsx';
import styles from './fragment-panel.module.css';
import { isCancelled, isTriedAgain, nextTryText, stateHint, stateText } from './state-text.ts';
import { useFragmentText } from './use-fragment-text.ts';
import { useReasonText } from './use-reason-text.ts';

interface MissingVideoProps extends FetchButtonProps {
  /** Shows only the state and the action, because something else is above. */
  isBrief: boolean;
  /** Of the bus. */
  zone: string;
}

/** Says where a fragment's video is, and offers to fetch it. */
export function MissingVideo({ fragment, camera, isBrief, zone, onChanged }: MissingVideoProps) {
  const text = useFragmentText();
  const reason = useReasonText(fragment.fail_reason, fragment.fail_detail);
  // A stopped upload, and one that comes again later, are running only by their state.
  const isTried = isTriedAgain(fragment);
  const isHalted = fragment.stopped || (isTried && fragment.progress === null);
  const hint =
    isHalted && fragment.fail_reason !== null ? null : stateHint(fragment, text, camera?.live);
  return (
    <div className={styles.missing} data-brief={isBrief || undefined} role="status">
      <strong>{stateText(fragment, text, camera?.live)}</strong>
      <p>{deletedHint(fragment, text) ?? hint}</p>
      {reason && !isCancelled(fragment) && <p className={styles.reason}>{reason}</p>}
      {isTried && <p>{nextTryText(fragment, text, zone)}</p>}
      <FetchButton fragment={fragment} camera={camera} onChanged={onChanged} />
    </div>
  );
}
