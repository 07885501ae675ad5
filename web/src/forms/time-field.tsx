import { useId, useState } from 'react';
import styles from './time-field.module.css';
import { readTypedTime } from './typed-time.ts';
import { useFormText } from './use-form-text.ts';

interface TimeFieldProps {
  /** Visible label; without one `name` is the accessible name. */
  label?: string;
  name?: string;
  /** `HH:mm:ss`, or empty. */
  time: string;
  /** Id of the element that describes its problem. */
  describedBy?: string;
  onTime: (time: string) => void;
}

/** An input for a time of 24 hours, independent of the browser's format; Enter or leaving it submits the time. */
export function TimeField({ label, name, time, describedBy, onTime }: TimeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const [isLeft, setLeft] = useState(false);
  const id = useId();
  const { problems } = useFormText();
  const isWrong = typed !== null && isLeft && readTypedTime(typed) === undefined;
  const take = () => {
    if (typed === null) return;
    const read = readTypedTime(typed);
    // An invalid text stays and is marked until the user corrects or discards it.
    if (read === undefined && typed.trim() !== '') return;
    setTyped(null);
    if (read !== undefined && read !== time) onTime(read);
  };
  return (
    <label className={styles.field}>
      {label}
      <input
        aria-label={name}
        inputMode="numeric"
        size={8}
        maxLength={10}
        placeholder="00:00:00"
        value={typed ?? time}
        aria-invalid={isWrong || undefined}
        aria-describedby={isWrong ? id : describedBy}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => {
          event.target.select();
          setLeft(false);
        }}
        onBlur={() => {
          setLeft(true);
          take();
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            setLeft(true);
            take();
          }
          if (event.key === 'Escape') setTyped(null);
        }}
      />
      {isWrong && (
        <small id={id} role="alert">
          {problems.time}
        </small>
      )}
    </label>
  );
}
