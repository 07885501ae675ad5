import { formatMoment } from '@ridewatch/contract/day';
import { useState } from 'react';
import { nowMs } from '../../core/clock.ts';
import type { Draft } from '../../edits/draft-store.ts';
import { DoneIcon, InfoIcon } from '../../ui/icons.tsx';
import styles from './field-note.module.css';
import type { Typed } from './typed-values.ts';
import { useCalculatorText } from './use-calculator-text.ts';
import type { OthersChange } from './use-others-changes.ts';

interface FieldNoteProps {
  id: string;
  draft: Draft<Typed> | undefined;
  /** The change of somebody else. */
  other: OthersChange | undefined;
  /** The user who changed the calculation last. */
  by: string | null;
  zone: string;
  /** Formats the value of a field. */
  show: (value: Typed) => string;
  /** Takes what somebody else stored. */
  onTake: () => void;
  /** Overwrites it. */
  onKeep: () => void;
}

/** Says below a field what becomes of its edit: saving, saved, refused, or changed by somebody else. */
export function FieldNote(props: FieldNoteProps) {
  const { id, draft, other, by, zone, show, onTake, onKeep } = props;
  const text = useCalculatorText();
  if (draft?.state === 'conflict') {
    return (
      <p id={id} role="alert" className={styles.note} data-kind="conflict">
        <InfoIcon />
        <span>{text.theirs(by ?? text.someone, show(draft.seen))}</span>
        <button type="button" onClick={onTake}>
          {text.take}
        </button>
        <button type="button" onClick={onKeep}>
          {text.keep}
        </button>
      </p>
    );
  }
  if (draft?.state === 'invalid' || draft?.state === 'failed') {
    const said =
      draft.state === 'failed' ? `${text.notSaved}: ${draft.reason ?? ''}` : draft.reason;
    return (
      <p id={id} role="alert" className={styles.note} data-kind="problem">
        <InfoIcon />
        <span>{said}</span>
      </p>
    );
  }
  if (draft?.state === 'saving') {
    return (
      <p id={id} role="status" className={styles.note} data-kind="saving">
        {text.saving}
      </p>
    );
  }
  if (draft?.state === 'saved') return <Saved id={id} zone={zone} />;
  if (!other) return null;
  return (
    <p id={id} role="status" className={styles.note} data-kind="other">
      <InfoIcon />
      <span>{text.changedBy(other.by ?? text.someone, show(other.before) || text.none)}</span>
    </p>
  );
}

/** Mounted when the value has been saved. */
function Saved({ id, zone }: { id: string; zone: string }) {
  const text = useCalculatorText();
  const [clock] = useState(() => formatMoment(nowMs(), zone, 'HH:mm'));
  return (
    <p id={id} role="status" className={styles.note} data-kind="saved">
      <DoneIcon />
      <span>{text.savedAt(clock)}</span>
    </p>
  );
}
