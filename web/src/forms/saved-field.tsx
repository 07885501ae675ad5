import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { useId, useState } from 'react';
import { SaveMark } from '../edits/save-mark.tsx';
import styles from './saved-field.module.css';
import { useLeaving } from '../edits/use-leaving.ts';
import { useSaidAnyway } from '../edits/use-said-anyway.ts';

interface SavedFieldProps {
  label: string;
  /** What is stored. */
  value: string;
  /** What is wrong with a text; undefined when it may be saved. */
  check: (text: string) => string | undefined;
  /** Saves a text; gives why it could not, undefined when it is stored. */
  onSave: (text: string) => Promise<string | undefined>;
  hint?: string;
  isLabelHidden?: boolean;
}

type Mark = 'still' | 'saving' | 'saved' | 'failed';

/** A line of text that is saved when it is left or by Enter; what could not be saved stays there, with the reason. */
export function SavedField({ label, value, check, onSave, hint, isLabelHidden }: SavedFieldProps) {
  const id = useId();
  const [typed, setTyped] = useState<string | null>(null);
  const [mark, setMark] = useState<Mark>('still');
  const [problem, setProblem] = useState<string>();

  const sayAnyway = useSaidAnyway();

  const save = async () => {
    if (typed === null) return;
    const text = typed.trim();
    if (text === value && mark !== 'saving') {
      setTyped(null);
      setMark('still');
      setProblem(undefined);
      return;
    }
    const wrong = check(text);
    setProblem(wrong);
    setMark(wrong === undefined ? 'saving' : 'failed');
    if (wrong !== undefined) return;
    const refused = await onSave(text);
    if (refused !== undefined) sayAnyway(refused);
    setProblem(refused);
    setMark(refused === undefined ? 'saved' : 'failed');
    // What was typed meanwhile stays.
    if (refused === undefined) setTyped((now) => (now?.trim() === text ? null : now));
  };
  // Leaving the page is leaving the field.
  useLeaving(() => {
    const text = typed?.trim();
    if (text === undefined || text === value || mark === 'saving') return;
    if (check(text) === undefined)
      void onSave(text).then((refused) => refused && sayAnyway(refused));
  });

  return (
    <div className={styles.field}>
      <label htmlFor={id} data-hidden={isLabelHidden || undefined}>
        {label}
      </label>
      <span className={styles.line}>
        <input
          id={id}
          value={typed ?? value}
          maxLength={MAX_TEXT_LENGTH}
          aria-invalid={problem !== undefined || undefined}
          aria-describedby={`${id}-note`}
          onChange={(event) => setTyped(event.target.value)}
          onBlur={() => void save()}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void save();
            if (event.key === 'Escape' && typed !== null) {
              event.stopPropagation();
              setTyped(null);
              setProblem(undefined);
              setMark('still');
            }
          }}
        />
        <SaveMark state={mark} />
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
