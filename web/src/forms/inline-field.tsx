import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import type { ReactNode } from 'react';
import styles from './inline-field.module.css';
import { TextField, type TextFieldProps } from './text-field.tsx';

interface InlineFieldProps extends TextFieldProps {
  /** A button between label and input. */
  button?: ReactNode;
}

/**
 * A text field whose label and input share a line, for lists of short values. The style sheet takes TextField's elements
 * into the line: as a variant of TextField it would add to what sign-in loads.
 */
export function InlineField({ button, ...field }: InlineFieldProps) {
  return (
    <div className={styles.line}>
      {button}
      <TextField maxLength={MAX_TEXT_LENGTH} {...field} />
    </div>
  );
}
