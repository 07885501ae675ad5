import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { type InputHTMLAttributes, useEffect, useRef } from 'react';
import { IconButton } from './button.tsx';
import { CloseIcon, SearchIcon } from './icons.tsx';
import styles from './search-field.module.css';

interface SearchFieldProps
  extends Omit<InputHTMLAttributes<HTMLInputElement>, 'onChange' | 'value'> {
  /** The placeholder, and the accessible name. */
  label: string;
  value: string;
  /** The name of the button that empties it. */
  clearLabel: string;
  onChange: (value: string) => void;
  /** ArrowDown goes on to what was found. */
  onDown?: () => void;
}

/** The search of a screen. The physical key `/` focuses it in any keyboard layout, Esc empties it. */
export function SearchField(props: SearchFieldProps) {
  const { label, value, clearLabel, onChange, onDown, ...rest } = props;
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea');
      if (event.code !== 'Slash' || event.shiftKey || hasModifier || isTyping) return;
      event.preventDefault();
      ref.current?.focus();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <search className={styles.box}>
      <SearchIcon />
      <input
        {...rest}
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={MAX_TEXT_LENGTH}
        aria-label={label}
        aria-keyshortcuts="/"
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          if (event.key === 'ArrowDown' && onDown) {
            event.preventDefault();
            onDown();
          }
        }}
      />
      {/* Both are always there, and styles choose: to add one with the first key would delay it. */}
      <IconButton label={clearLabel} onClick={() => onChange('')}>
        <CloseIcon />
      </IconButton>
      <kbd aria-hidden="true">/</kbd>
    </search>
  );
}
