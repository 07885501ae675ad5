import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { useId } from 'react';
import { SaveMark } from '../edits/save-mark.tsx';
import { useDraft, useEdits } from '../edits/use-edits.ts';
import styles from './saved-field.module.css';

interface SavedFieldProps {
  label: string;
  /** The stored value. */
  value: string;
  /** Returns what is wrong with a text, or undefined. */
  check: (text: string) => string | undefined;
  /** Saves a text; resolves to the reason of a failure, or to undefined. */
  onSave: (text: string) => Promise<string | undefined>;
  hint?: string;
  isLabelHidden?: boolean;
}

/** The only key of the field's edits. */
const TEXT = 'text';

/** A text input that saves when it is left or Enter is pressed; a text that was not saved stays, with the reason. */
export function SavedField({ label, value, check, onSave, hint, isLabelHidden }: SavedFieldProps) {
  const id = useId();
  const edits = useEdits<typeof TEXT, string>({
    saves: 'when-left',
    isSame: (a, b) => a.trim() === b.trim(),
    problemOf: (text) => check(text.trim()),
    save: async (typed) => {
      for (const one of typed) {
        const refused = await onSave(one.value.trim());
        if (refused !== undefined) throw new Error(refused);
      }
    },
    judge: (error) => ({ means: 'keep', reason: messageOf(error) }),
  });
  const draft = useDraft(edits, TEXT);
  // After saving, show the stored value: somebody else may change it.
  const unsaved = draft?.state === 'saved' ? undefined : draft;
  const problem = unsaved?.reason;
  return (
    <div className={styles.field}>
      <label htmlFor={id} data-hidden={isLabelHidden || undefined}>
        {label}
      </label>
      <span className={styles.line}>
        <input
          id={id}
          value={unsaved?.value ?? value}
          maxLength={MAX_TEXT_LENGTH}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => {
            edits.type([{ key: TEXT, value: event.target.value, stored: value }]);
          }}
          onBlur={() => edits.flush(TEXT)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') edits.flush(TEXT);
            if (event.key === 'Escape' && unsaved) {
              event.stopPropagation();
              edits.drop(TEXT);
            }
          }}
        />
        <SaveMark state={draft?.state} />
      </span>
      <p
        id={`${id}-note`}
        className={styles.note}
        data-problem={problem !== undefined || undefined}
      >
        {problem ?? hint}
      </p>
    </div>
  );
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
