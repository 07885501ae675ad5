import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef, useState } from 'react';
import { type CustomerBuses, headingOf } from '../../buses/order.ts';
import { searchBuses } from '../../buses/search.ts';
import styles from './filters.module.css';
import type { Filters } from './filters.ts';
import { useStatsText } from './use-stats-text.ts';

/** Height of a row, px (spec section 9). */
const ROW_PX = 39;

interface Row {
  readonly key: string;
  readonly name: string;
  readonly depth: 0 | 1 | 2;
  readonly ids: readonly number[];
}

interface BusTreeProps {
  sections: readonly CustomerBuses[];
  chosen: Filters['buses'];
  onChosen: (chosen: Filters['buses']) => void;
}

/** Customers, routes and buses to tick, with a search. */
export function BusTree({ sections, chosen, onChosen }: BusTreeProps) {
  const text = useStatsText();
  const [query, setQuery] = useState('');
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const box = useRef<HTMLDivElement>(null);
  const all = useMemo(
    () => sections.flatMap(({ routes }) => routes.flatMap((one) => one.buses.map(({ id }) => id))),
    [sections],
  );
  const found = useMemo(() => searchBuses(sections, query), [sections, query]);
  const isSearch = query.trim() !== '';
  const rows = rowsOf(found, (key) => isSearch || opened.has(key), text.ungrouped);
  const ticked = useMemo(() => new Set(chosen === 'all' ? all : chosen), [chosen, all]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  });
  const tick = (ids: readonly number[], isOn: boolean) => {
    const next = new Set(ticked);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    onChosen(all.every((id) => next.has(id)) ? 'all' : [...next]);
  };
  return (
    <div className={styles.tree}>
      <input
        type="search"
        placeholder={text.search}
        aria-label={text.search}
        value={query}
        onChange={(event) => setQuery(event.target.value)}
      />
      <Tick label={text.allBuses} ids={all} ticked={ticked} onTick={tick} />
      {rows.length === 0 && <p>{text.noBus}</p>}
      <div ref={box} className={styles.scroll}>
        <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            if (!row) return null;
            const isOpen = isSearch || opened.has(row.key);
            return (
              <div
                key={row.key}
                className={styles.treeRow}
                data-depth={row.depth}
                style={{ top: start }}
              >
                {row.depth < 2 && (
                  <button
                    type="button"
                    aria-label={row.name}
                    aria-expanded={isOpen}
                    onClick={() => setOpened(toggled(opened, row.key))}
                  >
                    {isOpen ? '▾' : '▸'}
                  </button>
                )}
                <Tick label={row.name} ids={row.ids} ticked={ticked} onTick={tick} />
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

interface TickProps {
  label: string;
  ids: readonly number[];
  ticked: ReadonlySet<number>;
  onTick: (ids: readonly number[], isOn: boolean) => void;
}

function Tick({ label, ids, ticked, onTick }: TickProps) {
  const count = ids.filter((id) => ticked.has(id)).length;
  return (
    <label className={styles.tick}>
      <input
        type="checkbox"
        checked={count > 0 && count === ids.length}
        ref={(element) => {
          if (element) element.indeterminate = count > 0 && count < ids.length;
        }}
        onChange={(event) => onTick(ids, event.target.checked)}
      />
      <span>{label}</span>
      {ids.length > 1 && (
        <small>
          {count} / {ids.length}
        </small>
      )}
    </label>
  );
}

function rowsOf(
  sections: readonly CustomerBuses[],
  isOpen: (key: string) => boolean,
  ungrouped: string,
): Row[] {
  return sections.flatMap(({ customer, routes }) => {
    const key = `c${customer?.id}`;
    const ids = routes.flatMap((one) => one.buses.map(({ id }) => id));
    if (ids.length === 0) return [];
    const head: Row = { key, name: headingOf(customer), depth: 0, ids };
    if (!isOpen(key)) return [head];
    const inside = routes.flatMap(({ id, name, buses }) => {
      const routeKey = `${key}r${id}`;
      const own = buses.map((bus) => bus.id);
      const route: Row = { key: routeKey, name: name ?? ungrouped, depth: 1, ids: own };
      if (!isOpen(routeKey)) return [route];
      const leaves = buses.map(
        (bus): Row => ({ key: `b${bus.id}`, name: bus.name, depth: 2, ids: [bus.id] }),
      );
      return [route, ...leaves];
    });
    return [head, ...inside];
  });
}

function toggled(keys: ReadonlySet<string>, key: string): ReadonlySet<string> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
