import { folded } from '@ridewatch/contract/folded';
import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import styles from './checklist.module.css';
import { useReportText } from './use-report-text.ts';

/** Height of a row, px (spec section 9). */
const ROW_PX = 39;

export interface ChecklistItem {
  readonly id: number;
  readonly name: string;
  /** Tells apart items of one name. */
  readonly note?: string | undefined;
}

interface ChecklistProps {
  label: string;
  items: readonly ChecklistItem[];
  chosen: ReadonlySet<number>;
  /** What it means that none is chosen. */
  noneChosen: string;
  /** Replaces the list if there are no items. */
  empty: string;
  /** What is wrong with the choice. */
  problem?: string | undefined;
  onChosen: (chosen: ReadonlySet<number>) => void;
}

/** A field for any number of items, with search; the list is virtual. Arrow keys move through it. */
export function Checklist(props: ChecklistProps) {
  const { label, items, chosen, noneChosen, empty, problem, onChosen } = props;
  const text = useReportText();
  const id = useId();
  const [query, setQuery] = useState('');
  const names = useMemo(
    () => items.map((item) => ({ item, sought: folded(`${item.name} ${item.note ?? ''}`) })),
    [items],
  );
  const found = useMemo(() => {
    const needle = folded(query);
    return names.filter(({ sought }) => sought.includes(needle)).map(({ item }) => item);
  }, [names, query]);
  const toggle = (itemId: number) => {
    const next = new Set(chosen);
    if (!next.delete(itemId)) next.add(itemId);
    onChosen(next);
  };
  return (
    <fieldset
      className={styles.field}
      aria-describedby={problem === undefined ? undefined : `${id}-problem`}
      data-problem={problem === undefined ? undefined : true}
    >
      <legend className={styles.label}>{label}</legend>
      <div className={styles.box}>
        <div className={styles.head}>
          <input
            type="search"
            className={styles.search}
            maxLength={MAX_TEXT_LENGTH}
            value={query}
            placeholder={text.search}
            aria-label={`${text.search}: ${label}`}
            onChange={(event) => setQuery(event.target.value)}
          />
          <Button
            disabled={found.length === 0 || found.every((item) => chosen.has(item.id))}
            onClick={() => onChosen(new Set([...chosen, ...found.map((item) => item.id)]))}
          >
            {query === '' ? text.chooseAll : text.chooseFound}
          </Button>
          <Button disabled={chosen.size === 0} onClick={() => onChosen(new Set())}>
            {text.clear}
          </Button>
        </div>
        {found.length === 0 ? (
          <p className={styles.none}>{items.length === 0 ? empty : text.nothingFound}</p>
        ) : (
          <Rows label={text.listOf(label)} items={found} chosen={chosen} onToggle={toggle} />
        )}
        <p className={styles.foot} role="status">
          {chosen.size === 0 ? noneChosen : text.chosen(chosen.size, items.length)}
        </p>
      </div>
      {problem !== undefined && (
        <p id={`${id}-problem`} role="alert" className={styles.problem}>
          {problem}
        </p>
      )}
    </fieldset>
  );
}

interface RowsProps {
  label: string;
  items: readonly ChecklistItem[];
  chosen: ReadonlySet<number>;
  onToggle: (id: number) => void;
}

function Rows({ label, items, chosen, onToggle }: RowsProps) {
  const frame = useRef<HTMLFieldSetElement>(null);
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    getItemKey: (index) => items[index]?.id ?? index,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const press = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const row = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    if (step === undefined || row === null) return;
    event.preventDefault();
    const next = Number(row.getAttribute('data-row')) + step;
    frame.current?.querySelector<HTMLElement>(`[data-row="${next}"] input`)?.focus();
  };
  return (
    <fieldset ref={frame} className={styles.frame} aria-label={label} onKeyDown={press}>
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const item = items[index];
          return (
            item && (
              <label
                key={key}
                className={styles.row}
                data-row={index}
                style={{ transform: `translateY(${start}px)` }}
              >
                <input
                  type="checkbox"
                  checked={chosen.has(item.id)}
                  onChange={() => onToggle(item.id)}
                />
                <span className={styles.name} title={item.name}>
                  {item.name}
                </span>{' '}
                {item.note !== undefined && (
                  <span className={styles.aside} title={item.note}>
                    {item.note}
                  </span>
                )}
              </label>
            )
          );
        })}
      </div>
    </fieldset>
  );
}
