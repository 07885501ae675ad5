import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { useId } from 'react';
import { ConflictChoice } from '../edits/conflict-choice.tsx';
import { judgeSave } from '../edits/judge-save.ts';
import { SaveMark } from '../edits/save-mark.tsx';
import { useDraft, useEdits } from '../edits/use-edits.ts';
import { textsOf } from '../i18n/texts-of.ts';
import styles from './saved-field.module.css';

// Beside their only user: the price table, whose code has a budget, loads the texts of all edits.
const ru = {
  conflict: (theirs: string, own: string) =>
    `Другой пользователь уже записал «${theirs}»; ваше «${own}» не записано.`,
  writeOwn: 'Записать моё',
  leaveTheirs: 'Оставить чужое',
};
const en: typeof ru = {
  conflict: (theirs, own) => `Another user has set “${theirs}”; your “${own}” is not saved.`,
  writeOwn: 'Save mine',
  leaveTheirs: 'Keep theirs',
};
const useConflictText = textsOf({ ru_RU: ru, en_US: en });

interface SavedFieldProps {
  label: string;
  /** The stored value. */
  value: string;
  /** Returns what is wrong with a text, or undefined. */
  check: (text: string) => string | undefined;
  /** Saves a text over the value that the user saw; rejects if it cannot. */
  onSave: (text: string, seen: string) => Promise<unknown>;
  /** Explains a rejection of `onSave` to the user. */
  reasonOf: (error: unknown) => string;
  /** Reads the stored value again, because somebody else changed it. */
  readStored: () => Promise<string>;
  hint?: string;
  isLabelHidden?: boolean;
}

/** The only key of the field's edits. */
const TEXT = 'text';
const isSameText = (a: string, b: string) => a.trim() === b.trim();

/**
 * A text input that saves when it is left or Enter is pressed. A text that was refused stays, with the reason; one that
 * got no answer is sent again until it does. If somebody else stored another text meanwhile, the field shows that one,
 * and the user decides.
 */
export function SavedField(props: SavedFieldProps) {
  const { label, value, check, onSave, reasonOf, readStored, hint, isLabelHidden } = props;
  const id = useId();
  const text = useConflictText();
  const edits = useEdits<typeof TEXT, string>({
    saves: 'when-left',
    isSame: isSameText,
    problemOf: (typed) => check(typed.trim()),
    save: async (typed) => {
      for (const { value: wanted, seen } of typed) {
        // The value just saved by this field was typed with spaces around it.
        await onSave(wanted.trim(), isSameText(seen, value) ? value : seen.trim());
      }
    },
    judge: (error) => judgeSave(error, reasonOf(error), readStored),
  });
  const draft = useDraft(edits, TEXT);
  // After saving, show the stored value: somebody else may change it.
  const unsaved = draft?.state === 'saved' ? undefined : draft;
  const conflict = draft?.state === 'conflict' ? draft : undefined;
  const problem = unsaved?.reason;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={isLabelHidden ? 'visually-hidden' : undefined}>
        {label}
      </label>
      <span className={styles.line}>
        <input
          id={id}
          value={conflict?.seen ?? unsaved?.value ?? value}
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
      {conflict && (
        <ConflictChoice
          writeOwn={text.writeOwn}
          leaveTheirs={text.leaveTheirs}
          onSettle={edits.settle}
        >
          {text.conflict(conflict.seen, conflict.value.trim())}
        </ConflictChoice>
      )}
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
