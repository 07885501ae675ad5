import type { Fragment } from '@ridewatch/contract/fragments';
import { useMemo } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { type ListFilter, listFilters, passes } from './list-filters.ts';
import styles from './list-tools.module.css';
import { useDayText } from './use-day-text.ts';

interface ListToolsProps {
  /** The fragments of the chosen cameras. */
  fragments: readonly Fragment[];
  /** Undefined: all fragments. */
  value: ListFilter | undefined;
  /** Only who may edit reviews. */
  mayEdit: boolean;
  onChange: (value: ListFilter | undefined) => void;
}

/** The filters of the list of fragments, and how many fragments are reviewed. */
export function ListTools(props: ListToolsProps) {
  return (
    <>
      <FilterChips {...props} />
      {props.mayEdit && <ReviewProgress fragments={props.fragments} />}
    </>
  );
}

/** The filters, with the number of fragments of each. */
function FilterChips({ fragments, value, mayEdit, onChange }: ListToolsProps) {
  const text = useDayText();
  const numbers = useMemo(
    () =>
      listFilters.map((filter) => fragments.filter((fragment) => passes(fragment, filter)).length),
    [fragments],
  );
  const chip = (filter: ListFilter | undefined, count: number) => (
    <button
      key={filter ?? 'all'}
      type="button"
      data-filter={filter ?? 'all'}
      aria-pressed={value === filter}
      // A press leaves the focus where it is, so that Enter and digits go on to the current fragment.
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => onChange(value === filter ? undefined : filter)}
    >
      {text.filters[filter ?? 'all']} <b>{formatNumber(count)}</b>
    </button>
  );
  return (
    <fieldset className={styles.filters}>
      <legend className="visually-hidden">{text.filters.label}</legend>
      {chip(undefined, fragments.length)}
      {listFilters.map(
        (filter, at) => (mayEdit || filter !== 'review') && chip(filter, numbers[at] ?? 0),
      )}
    </fieldset>
  );
}

/** How many fragments are reviewed. */
function ReviewProgress({ fragments }: { fragments: readonly Fragment[] }) {
  const text = useDayText();
  const done = useMemo(
    () => fragments.filter(({ reviewed_at }) => reviewed_at !== null).length,
    [fragments],
  );
  return (
    <label className={styles.progress}>
      {text.reviewedOf(formatNumber(done), formatNumber(fragments.length))}
      <progress value={done} max={Math.max(fragments.length, 1)} />
    </label>
  );
}
