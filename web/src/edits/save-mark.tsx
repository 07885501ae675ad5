import { useEditText } from './use-edit-text.ts';
import { DoneIcon, InfoIcon } from '../ui/icons.tsx';
import styles from './save-mark.module.css';

interface SaveMarkProps {
  state: 'still' | 'saving' | 'saved' | 'failed';
  reason?: string | undefined;
}

/** Whether a change is on its way, stored or refused. */
export function SaveMark({ state, reason }: SaveMarkProps) {
  const text = useEditText();
  if (state === 'still') return null;
  const label = { saving: text.saving, saved: text.saved, failed: text.notSaved }[state];
  const said = reason === undefined ? label : `${label}: ${reason}`;
  return (
    <span role="img" className={styles.mark} data-state={state} aria-label={said} title={said}>
      {state === 'saved' && <DoneIcon />}
      {state === 'failed' && <InfoIcon />}
    </span>
  );
}
