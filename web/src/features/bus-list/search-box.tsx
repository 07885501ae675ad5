import { useEffect, useRef } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import styles from './search-box.module.css';
import { focusFirstBus } from './use-card-actions.ts';
import { useListText } from './use-list-text.ts';

interface SearchBoxProps {
  value: string;
  onChange: (value: string) => void;
  onFocus: () => void;
  onBlur: () => void;
}

/** The search above the list. The physical key `/` focuses it in any keyboard layout, Esc empties it, and
 * ArrowDown goes to the first bus. */
export function SearchBox({ value, onChange, onFocus, onBlur }: SearchBoxProps) {
  const text = useListText();
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
      const isTyping = event.target instanceof Element && event.target.matches('input, textarea');
      if (event.code !== 'Slash' || hasModifier || isTyping) return;
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
        ref={ref}
        data-bus-search
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={text.searchPlaceholder}
        aria-keyshortcuts="/"
        placeholder={text.searchPlaceholder}
        value={value}
        onFocus={onFocus}
        onBlur={onBlur}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          if (event.key === 'ArrowDown') {
            event.preventDefault();
            focusFirstBus();
          }
        }}
      />
      {/* Both are always there, and styles choose: to add one with the first key would delay it. */}
      <IconButton label={text.clearSearch} onClick={() => onChange('')}>
        <CloseIcon />
      </IconButton>
      <kbd aria-hidden="true">/</kbd>
    </search>
  );
}
