import { type InputHTMLAttributes, useId } from 'react';
import styles from './text-field.module.css';

export interface TextFieldProps extends InputHTMLAttributes<HTMLInputElement> {
  label: string;
  /** The problem of the text. */
  problem?: string | undefined;
  hint?: string;
}

/** A labelled line of text with its problem below. */
export function TextField({ label, problem, hint, ...rest }: TextFieldProps) {
  const id = useId();
  const note = problem ?? hint;
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        aria-invalid={problem ? true : undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        {...rest}
      />
      <p id={`${id}-note`} className={styles.note} data-problem={problem ? true : undefined}>
        {note}
      </p>
    </div>
  );
}
