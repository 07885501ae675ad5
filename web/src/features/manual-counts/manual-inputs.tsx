import type { Fragment, ManualCount } from '@ridewatch/contract/fragments';
import { MAX_MANUAL_COUNT } from '@ridewatch/contract/review';
import type { Draft } from '../../edits/draft-store.ts';
import { Button } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import {
  areWhole,
  type ManualCounts,
  readCount,
  type TypedCounts,
  typeCount,
} from './manual-edits.ts';
import styles from './manual-inputs.module.css';
import { useManualCountsText } from './use-manual-counts-text.ts';
import { manualEdits, useDrafts } from './use-manual-edits.ts';

const MOST_DIGITS = String(MAX_MANUAL_COUNT).length;
const fields: readonly {
  name: 'enteredAdult' | 'exitedAdult' | 'enteredKids' | 'exitedKids';
  side: keyof ManualCounts;
  who: keyof ManualCount;
}[] = [
  { name: 'enteredAdult', side: 'entered_manual', who: 'adult' },
  { name: 'exitedAdult', side: 'exited_manual', who: 'adult' },
  { name: 'enteredKids', side: 'entered_manual', who: 'kids' },
  { name: 'exitedKids', side: 'exited_manual', who: 'kids' },
];

interface ManualInputsProps {
  fragment: Fragment;
  draft: Draft<TypedCounts> | undefined;
  onFocus?: () => void;
  /** Aligned with the columns of the list, or in a panel. */
  place?: 'list' | 'panel';
}

/** Inputs for the four manual counts of a fragment; an empty input shows the automatic count. */
export function ManualInputs({ fragment, draft, onFocus, place = 'list' }: ManualInputsProps) {
  const text = useManualCountsText();
  const locked = useLock();
  const counts = draft?.value ?? fragment;
  return (
    <div className={styles.inputs} data-place={place} data-state={draft?.state}>
      {fields.map(({ name, side, who }) => {
        const count = counts[side][who];
        const automatic = side === 'entered_manual' ? fragment.entered : fragment.exited;
        return (
          <input
            key={name}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            maxLength={MOST_DIGITS}
            data-count={name}
            data-side={side === 'entered_manual' ? 'entered' : 'exited'}
            aria-label={text.manual[name]}
            title={locked}
            disabled={locked !== undefined}
            aria-invalid={typeof count === 'string' || draft?.state === 'failed' || undefined}
            placeholder={String(automatic[who])}
            value={count ?? ''}
            onFocus={(event) => {
              event.target.select();
              onFocus?.();
            }}
            onChange={({ target }) =>
              typeCount(manualEdits, fragment, side, who, readCount(target.value))
            }
          />
        );
      })}
    </div>
  );
}

/** The inputs of the selected fragment below its video, if no list has them. */
export function PanelCounts({
  fragment,
  onConfirm,
}: {
  fragment: Fragment;
  onConfirm: () => void;
}) {
  const text = useManualCountsText();
  const locked = useLock();
  const draft = useDrafts().get(fragment.id);
  return (
    <div className={styles.panel} data-fragment={fragment.id}>
      <div className={styles.heads}>
        <span>
          {text.adults} <small>{text.inOut}</small>
        </span>
        <span>
          {text.kids} <small>{text.inOut}</small>
        </span>
        <SaveMark fragmentId={fragment.id} draft={draft} />
      </div>
      <ManualInputs fragment={fragment} draft={draft} place="panel" />
      <Button locked={locked} onClick={onConfirm}>
        {fragment.reviewed_at === null ? text.confirm : text.confirmed}
      </Button>
    </div>
  );
}

/** The state of the typed counts. */
export function SaveMark({
  fragmentId,
  draft,
}: {
  fragmentId: number;
  draft: Draft<TypedCounts> | undefined;
}) {
  const text = useManualCountsText();
  if (draft && !areWhole(draft.value)) {
    return (
      <span role="alert" className={styles.refused}>
        {text.wholeOnly}
      </span>
    );
  }
  if (draft === undefined || draft.state === 'typing') return null;
  if (draft.state === 'failed') {
    return (
      <button
        type="button"
        className={styles.failed}
        title={text.manualRetry}
        onClick={() => manualEdits.flush(fragmentId)}
      >
        {text.manualFailed}
      </button>
    );
  }
  return (
    <span role="status" className={styles.said}>
      {draft.state === 'saving' ? text.manualSaving : text.manualSaved}
    </span>
  );
}
