import type { Fragment, ManualCount } from '@ridewatch/contract/fragments';
import { MAX_MANUAL_COUNT } from '@ridewatch/contract/review';
import type { Draft } from '../edits/draft-store.ts';
import { Button } from '../ui/button.tsx';
import { type ManualCounts, typeCount } from './manual-edits.ts';
import styles from './manual-inputs.module.css';
import { useCountingText } from './use-manual-counts-text.ts';
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
  segment: Fragment;
  draft: Draft<ManualCounts> | undefined;
  onFocus?: () => void;
  /** In the columns of the list, or by themselves. */
  place?: 'list' | 'panel';
}

/** The four counts by hand of a fragment; the automatic one stands where nothing was typed. */
export function ManualInputs({ segment, draft, onFocus, place = 'list' }: ManualInputsProps) {
  const text = useCountingText();
  const counts = draft?.value ?? segment;
  return (
    <div className={styles.inputs} data-place={place} data-state={draft?.state}>
      {fields.map(({ name, side, who }) => {
        const automatic = side === 'entered_manual' ? segment.entered : segment.exited;
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
            aria-invalid={draft?.state === 'failed' || undefined}
            placeholder={String(automatic[who])}
            value={counts[side][who] ?? ''}
            onFocus={(event) => {
              event.target.select();
              onFocus?.();
            }}
            onChange={(event) => {
              const digits = event.target.value.replace(/\D/g, '');
              const count = digits === '' ? null : Number(digits);
              typeCount(manualEdits, segment, side, who, count);
            }}
          />
        );
      })}
    </div>
  );
}

/** The counts of the chosen fragment under its video, where they do not stand in a list. */
export function PanelCounts({ segment, onConfirm }: { segment: Fragment; onConfirm: () => void }) {
  const text = useCountingText();
  const draft = useDrafts().get(segment.id);
  return (
    <div className={styles.panel} data-fragment={segment.id}>
      <div className={styles.heads}>
        <span>
          {text.adults} <small>{text.inOut}</small>
        </span>
        <span>
          {text.kids} <small>{text.inOut}</small>
        </span>
        <SaveMark segmentId={segment.id} draft={draft} />
      </div>
      <ManualInputs segment={segment} draft={draft} place="panel" />
      <Button onClick={onConfirm}>
        {segment.reviewed_at === null ? text.confirm : text.confirmed}
      </Button>
    </div>
  );
}

/** What became of the typed counts. */
export function SaveMark({
  segmentId,
  draft,
}: {
  segmentId: number;
  draft: Draft<ManualCounts> | undefined;
}) {
  const text = useCountingText();
  if (draft === undefined || draft.state === 'typing') return null;
  if (draft.state === 'failed') {
    return (
      <button
        type="button"
        className={styles.failed}
        title={text.manualRetry}
        onClick={() => manualEdits.flush(segmentId)}
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
