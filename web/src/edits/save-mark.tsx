import { DoneIcon, InfoIcon } from '../ui/icons.tsx';
import type { Draft } from './draft-store.ts';
import styles from './save-mark.module.css';
import { useEditText } from './use-edit-text.ts';

interface SaveMarkProps {
  /** Of a draft or a change; undefined if there is none. */
  state: Draft<unknown>['state'] | undefined;
  reason?: string | undefined;
}

/** An icon that says whether a change is being saved, saved or not saved. */
export function SaveMark({ state, reason }: SaveMarkProps) {
  const text = useEditText();
  if (state === undefined || state === 'typing') return null;
  const isStored = state === 'saving' || state === 'saved';
  const label = isStored ? text[state] : text.notSaved;
  const said = reason === undefined ? label : `${label}: ${reason}`;
  return (
    <span
      role="img"
      className={styles.mark}
      data-state={isStored ? state : 'failed'}
      aria-label={said}
      title={said}
    >
      {state === 'saved' && <DoneIcon />}
      {!isStored && <InfoIcon />}
    </span>
  );
}
