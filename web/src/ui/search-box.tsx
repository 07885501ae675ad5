import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import type { InputHTMLAttributes } from 'react';
import styles from './search-box.module.css';

interface SearchBoxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  /** The placeholder, and the accessible name unless `aria-label` says more. */
  label: string;
  value: string;
  onChange: (value: string) => void;
}

/** A field that searches in what is beside it; the search of a whole screen is a `SearchField`. */
export function SearchBox({ label, onChange, ...rest }: SearchBoxProps) {
  return (
    <input
      type="search"
      maxLength={MAX_TEXT_LENGTH}
      placeholder={label}
      aria-label={label}
      {...rest}
      className={`${styles.box} ${rest.className ?? ''}`}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
