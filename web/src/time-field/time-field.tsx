import { useState } from 'react';
import styles from './time-field.module.css';
import { readTypedTime } from './typed-time.ts';

interface TimeFieldProps {
  /** Stands before it; without one it has a name. */
  label?: string;
  name?: string;
  /** `HH:mm:ss`, or empty. */
  time: string;
  /** Names what says whether it is usable. */
  describedBy?: string;
  onTime: (time: string) => void;
}

/** A time of day of 24 hours, whatever the browser's own fields look like; taken when one leaves it or presses Enter. */
export function TimeField({ label, name, time, describedBy, onTime }: TimeFieldProps) {
  const [typed, setTyped] = useState<string | null>(null);
  const take = () => {
    if (typed === null) return;
    const read = readTypedTime(typed);
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
        aria-invalid={typed !== null && readTypedTime(typed) === undefined ? true : undefined}
        aria-describedby={describedBy}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => event.target.select()}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take();
          if (event.key === 'Escape') setTyped(null);
        }}
      />
    </label>
  );
}
