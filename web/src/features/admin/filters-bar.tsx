import { useEffect, useRef, useState } from 'react';
import { useAddress } from '../../bus-page/use-address.ts';
import { DayField } from '../../forms/day-field.tsx';
import { Select } from '../../forms/select.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { CloseIcon, SearchIcon } from '../../ui/icons.tsx';
import type { AdminAddress } from './address.ts';
import { PickField } from './fields.tsx';
import styles from './filters-bar.module.css';
import type { AdminContext, Filter, ListQuery } from './section.ts';
import { useAdminText } from './use-admin-text.ts';

const ANY = '';
/** Pause after the last key before a search is sent, ms. */
const PAUSE_MS = 250;

interface FiltersBarProps {
  filters: readonly Filter[];
  context: AdminContext;
  placeholder: string;
  /** Rows that are found; undefined until known. */
  total: number | undefined;
  /** Absent: nothing is searched or filtered. */
  onReset: (() => void) | undefined;
}

/** Search and filters above a table; the address has them. */
export function FiltersBar(props: FiltersBarProps) {
  const { filters, context, placeholder, total, onReset } = props;
  const text = useAdminText();
  const { search, note } = useAddress<AdminAddress>();
  return (
    <div className={styles.bar}>
      <SearchField
        placeholder={placeholder}
        value={search.q ?? ''}
        onSearch={(q) => note({ q: q || undefined })}
      />
      {filters.map((filter) => (
        <div key={filter.key} className={styles.filter}>
          <FilterField
            {...{ filter, context }}
            value={search[filter.key] ?? ANY}
            onChange={(value) => note({ [filter.key]: value || undefined })}
          />
        </div>
      ))}
      {onReset && (
        <Button kind="quiet" onClick={onReset}>
          {text.reset}
        </Button>
      )}
      <span className={styles.found} role="status">
        {total !== undefined && text.found(formatNumber(total))}
      </span>
    </div>
  );
}

interface FilterFieldProps {
  filter: Filter;
  context: AdminContext;
  value: string;
  onChange: (value: string) => void;
}

function FilterField({ filter, context, value, onChange }: FilterFieldProps) {
  const text = useAdminText();
  const [typed, setTyped] = useState<string>();
  const { label, kind, options = [], any } = filter;
  if (kind === 'day') {
    return (
      <div className={styles.day}>
        <span aria-hidden="true">{label}</span>
        <DayField
          label={label}
          day={value || undefined}
          today={context.today}
          last={context.today}
          onDay={onChange}
        />
      </div>
    );
  }
  if (kind === 'client') {
    return (
      <PickField
        label={label}
        placeholder={label}
        options={context.clients.map(({ id, name }) => ({ value: `${id}`, label: name }))}
        value={typed ?? value}
        onChange={(next) => {
          const isTyping = next.startsWith('?');
          setTyped(isTyping ? next : undefined);
          if (!isTyping) onChange(next);
        }}
      />
    );
  }
  return (
    <Select
      label={label}
      value={value}
      options={[{ value: ANY, label: any ?? `${label}: ${text.all}` }, ...options]}
      onChange={onChange}
    />
  );
}

/** The query of a list, as the address names it. */
export function queryOf(
  filters: readonly Filter[],
  search: Readonly<Record<string, string | undefined>>,
): ListQuery {
  const pairs = filters.flatMap((filter) => {
    const value = search[filter.key];
    const isKnown =
      filter.options === undefined
        ? /^[\d-]+$/.test(value ?? '')
        : filter.options.some((one) => one.value === value);
    return value !== undefined && isKnown ? [[filter.query, value]] : [];
  });
  return { ...(search.q && { search: search.q }), ...Object.fromEntries(pairs) };
}

interface SearchFieldProps {
  placeholder: string;
  value: string;
  onSearch: (value: string) => void;
}

/** A search; the physical key `/` focuses it in any keyboard layout, Esc empties it. */
function SearchField({ placeholder, value, onSearch }: SearchFieldProps) {
  const text = useAdminText();
  const ref = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(value);
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
  useEffect(() => {
    if (typed === value) return;
    const timer = setTimeout(() => onSearch(typed), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed, value, onSearch]);
  return (
    <search className={styles.search}>
      <SearchIcon />
      <input
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        aria-label={placeholder}
        aria-keyshortcuts="/"
        placeholder={placeholder}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setTyped('');
        }}
      />
      {typed !== '' && (
        <IconButton label={text.clearSearch} onClick={() => setTyped('')}>
          <CloseIcon />
        </IconButton>
      )}
      <kbd aria-hidden="true">/</kbd>
    </search>
  );
}
