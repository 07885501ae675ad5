import { MAX_TEXT_LENGTH } from '@ridewatch/contract/primitives';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import type { CustomerBuses } from '../../buses/order.ts';
import { formatNumber } from '../../i18n/format.ts';
import { DownIcon, ForwardIcon } from '../../ui/icons.tsx';
import styles from './bus-tree.module.css';
import type { Filters } from './filters.ts';
import { customerKey, searchTree, treeRows } from './tree-rows.ts';
import { useStatsText } from './use-stats-text.ts';

/** Height of a row, px (spec section 9). */
const ROW_PX = 39;

interface BusTreeProps {
  sections: readonly CustomerBuses[];
  chosen: Filters['buses'];
  onChosen: (chosen: Filters['buses']) => void;
}

/** Customers, routes and buses to tick, with a search. Arrow keys move through the rows, open and close them. */
export function BusTree({ sections, chosen, onChosen }: BusTreeProps) {
  const text = useStatsText();
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    // A single customer needs no press.
    () => new Set(sections.length === 1 ? sections.map(customerKey) : []),
  );
  const frame = useRef<HTMLFieldSetElement>(null);
  const all = useMemo(
    () => sections.flatMap(({ routes }) => routes.flatMap((one) => one.buses.map(({ id }) => id))),
    [sections],
  );
  const found = useMemo(() => searchTree(sections, query, text.ungrouped), [sections, query, text]);
  const isSearch = query.trim() !== '';
  const rows = useMemo(
    () => treeRows(found, (key) => isSearch || opened.has(key), text.ungrouped),
    [found, isSearch, opened, text],
  );
  const ticked = useMemo(() => new Set(chosen === 'all' ? all : chosen), [chosen, all]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    getItemKey: (index) => rows[index]?.key ?? index,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const tick = (ids: readonly number[], isOn: boolean) => {
    const next = new Set(ticked);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    onChosen(all.every((id) => next.has(id)) ? 'all' : [...next]);
  };
  const setOpen = (key: string, isOpen: boolean) => {
    const next = new Set(opened);
    if (isOpen) next.add(key);
    else next.delete(key);
    setOpened(next);
  };
  const press = (event: KeyboardEvent<HTMLFieldSetElement>) => {
    const element = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    const at = Number(element?.getAttribute('data-row') ?? Number.NaN);
    const row = rows[at];
    if (!row) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const canOpen = row.depth < 2 && !isSearch;
    if (step !== undefined) {
      frame.current?.querySelector<HTMLElement>(`[data-row="${at + step}"] input`)?.focus();
    } else if (canOpen && event.key === 'ArrowRight') setOpen(row.key, true);
    else if (canOpen && event.key === 'ArrowLeft') setOpen(row.key, false);
    else return;
    event.preventDefault();
  };
  return (
    <div className={styles.tree}>
      <input
        type="search"
        className={styles.search}
        maxLength={MAX_TEXT_LENGTH}
        placeholder={text.search}
        aria-label={text.search}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <Tick
        label={isSearch ? text.allFound : text.allBuses}
        ids={isSearch ? found.flatMap(idsIn) : all}
        ticked={ticked}
        onTick={tick}
      />
      {rows.length === 0 && (
        <p className={styles.none}>{all.length === 0 ? text.noBuses : text.noBus}</p>
      )}
      <fieldset ref={frame} className={styles.scroll} aria-label={text.busList} onKeyDown={press}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  className={styles.row}
                  data-row={index}
                  data-depth={row.depth}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {row.depth < 2 && (
                    <button
                      type="button"
                      tabIndex={-1}
                      aria-label={row.isOpen ? text.collapse(row.name) : text.expand(row.name)}
                      aria-expanded={row.isOpen}
                      disabled={isSearch}
                      onClick={() => setOpen(row.key, !row.isOpen)}
                    >
                      {row.isOpen ? <DownIcon /> : <ForwardIcon />}
                    </button>
                  )}
                  <Tick label={row.name} ids={row.ids} ticked={ticked} onTick={tick} />
                </div>
              )
            );
          })}
        </div>
      </fieldset>
    </div>
  );
}

const idsIn = ({ routes }: CustomerBuses): number[] =>
  routes.flatMap(({ buses }) => buses.map(({ id }) => id));

interface TickProps {
  label: string;
  ids: readonly number[];
  ticked: ReadonlySet<number>;
  onTick: (ids: readonly number[], isOn: boolean) => void;
}

function Tick({ label, ids, ticked, onTick }: TickProps) {
  const text = useStatsText();
  const count = ids.filter((id) => ticked.has(id)).length;
  const isPart = count > 0 && count < ids.length;
  const of = formatNumber(ids.length);
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        checked={count > 0 && !isPart}
        ref={(element) => {
          if (element) element.indeterminate = isPart;
        }}
        onChange={(event) => onTick(ids, event.target.checked)}
      />
      <span>{label}</span>
      {ids.length > 1 && <small>{isPart ? text.partOf(formatNumber(count), of) : of}</small>}
    </label>
  );
}
