import { useEffect, useRef } from 'react';
import { stateIcons } from '../../buses/state-icons.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { Ago } from '../../ui/ago.tsx';
import { type Filter, filters } from './arrangement.ts';
import styles from './filters.module.css';
import { AttentionIcon } from './marks.tsx';
import { useListText } from './use-list-text.ts';

const icons = { ...stateIcons, attention: AttentionIcon };

interface FiltersProps {
  /** Undefined until the list is known. */
  counts: Readonly<Record<Filter | 'all', number>> | undefined;
  /** Whether the figures are known, from which the filters follow. */
  isKnown: boolean;
  /** Undefined: all buses. */
  value: Filter | undefined;
  onChange: (value: Filter | undefined) => void;
}

/** The filters of the list, with the number of buses of each. */
export function Filters({ counts, isKnown, value, onChange }: FiltersProps) {
  const own = useListText();
  const ref = useRef<HTMLFieldSetElement>(null);
  const isCounted = counts !== undefined;
  // On a phone the filters scroll sideways; their numbers make them wider.
  useEffect(() => {
    const row = ref.current;
    const pressed = row?.querySelector<HTMLElement>('[aria-pressed="true"]');
    if (isCounted && row && pressed && value !== undefined)
      row.scrollLeft = pressed.offsetLeft - row.offsetLeft;
  }, [value, isCounted]);
  const numberOf = (name: Filter | 'all') => {
    const isThere = counts && (isKnown || name === 'all');
    return (
      // Room for any of the numbers, so that none moves the others when it arrives.
      <b style={{ minWidth: `${formatNumber(counts?.all ?? 0).length}ch` }}>
        {isThere && formatNumber(counts[name])}
      </b>
    );
  };
  return (
    <>
      <fieldset ref={ref} className={styles.filters}>
        <legend className="visually-hidden">{own.filters.label}</legend>
        <button
          type="button"
          aria-pressed={value === undefined}
          onClick={() => onChange(undefined)}
        >
          {own.filters.all} {numberOf('all')}
        </button>
        {filters.map((name) => {
          const Icon = icons[name];
          return (
            <button
              key={name}
              type="button"
              data-filter={name}
              aria-pressed={value === name}
              title={name === 'attention' ? own.attentionHint : undefined}
              onClick={() => onChange(value === name ? undefined : name)}
            >
              <Icon />
              {own.filters[name]} {numberOf(name)}
            </button>
          );
        })}
      </fieldset>
      {value === 'attention' && <p className={styles.hint}>{own.attentionHint}</p>}
    </>
  );
}

interface FreshnessProps {
  madeAt: string | undefined;
  isFailed: boolean;
  isBusy: boolean;
  onRetry: () => void;
}

/** How old the figures are, or that they could not be read. */
export function Freshness({ madeAt, isFailed, isBusy, onRetry }: FreshnessProps) {
  const own = useListText();
  const { common } = useText();
  return (
    <p className={styles.age} data-failed={isFailed || undefined}>
      {isFailed && (madeAt ? own.figuresFailedOf : own.figuresFailed)}
      {!isFailed && madeAt && own.figuresOf}
      {madeAt && (
        <>
          {' '}
          <Ago moment={madeAt} />
        </>
      )}
      {isFailed && (
        <button type="button" aria-busy={isBusy} onClick={onRetry}>
          {common.retry}
        </button>
      )}
    </p>
  );
}
