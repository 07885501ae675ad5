import { type KeyboardEvent, useMemo, useState } from 'react';
import { formatNumber } from '../i18n/format.ts';
import { DownIcon, ForwardIcon } from '../ui/icons.tsx';
import { SearchBox } from '../ui/search-box.tsx';
import { goByArrow, VirtualList } from '../ui/virtual-list.tsx';
import styles from './pick-many.module.css';
import { idsIn, type PickNode, rowsOf } from './pick-nodes.ts';
import { useFormText } from './use-form-text.ts';

/** Height of a row, px (spec section 9). */
const ROW_PX = 39;

interface PickManyProps {
  /** Accessible name of the list. */
  label: string;
  /** The placeholder of the search. */
  search: string;
  /** The name of all leaves together. */
  all: string;
  /** Said if there is nothing to pick. */
  empty: string;
  /** All nodes for an empty query, else those that it finds; kept by the caller while nothing changes. */
  find: (query: string) => readonly PickNode[];
  chosen: ReadonlySet<number>;
  onChosen: (chosen: ReadonlySet<number>) => void;
  className?: string | undefined;
}

/** Any number of things to tick, in groups or not, with a search. Arrow keys move through the rows, open and close them. */
export function PickMany(props: PickManyProps) {
  const { label, search, all, empty, find, chosen, onChosen, className } = props;
  const text = useFormText().pick;
  const [query, setQuery] = useState('');
  const everything = useMemo(() => find(''), [find]);
  const found = useMemo(() => (query === '' ? everything : find(query)), [find, everything, query]);
  const isSearch = query.trim() !== '';
  const [opened, setOpened] = useState<ReadonlySet<string>>(
    // A single group needs no press.
    () => new Set(everything.length === 1 ? everything.map(({ key }) => key) : []),
  );
  const rows = useMemo(
    () => rowsOf(found, (key) => isSearch || opened.has(key)),
    [found, isSearch, opened],
  );
  const tick = (ids: readonly number[], isOn: boolean) => {
    const next = new Set(chosen);
    for (const id of ids) isOn ? next.add(id) : next.delete(id);
    onChosen(next);
  };
  const setOpen = (key: string, isOpen: boolean) => {
    const next = new Set(opened);
    if (isOpen) next.add(key);
    else next.delete(key);
    setOpened(next);
  };
  const press = (event: KeyboardEvent) => {
    if (goByArrow(event) !== undefined) return;
    const element = event.target instanceof Element ? event.target.closest('[data-row]') : null;
    const row = rows[Number(element?.getAttribute('data-row') ?? Number.NaN)];
    const isOpen = { ArrowRight: true, ArrowLeft: false }[event.key];
    if (isOpen === undefined || row?.node.parts === undefined || isSearch) return;
    setOpen(row.node.key, isOpen);
    event.preventDefault();
  };
  const foundIds = useMemo(() => idsIn(found), [found]);
  return (
    <div className={`${styles.pick} ${className ?? ''}`}>
      <SearchBox className={styles.search} label={search} value={query} onChange={setQuery} />
      <Tick name={isSearch ? text.allFound : all} ids={foundIds} chosen={chosen} onTick={tick} />
      {rows.length === 0 && (
        <p className={styles.none}>{everything.length === 0 ? empty : text.nothing}</p>
      )}
      <VirtualList
        items={rows}
        keyOf={({ node }) => node.key}
        rowPx={ROW_PX}
        label={label}
        className={styles.rows}
        onKeyDown={press}
      >
        {({ node: { key, name, note, parts }, depth, ids, isOpen }) => (
          <div
            className={styles.row}
            data-depth={depth}
            data-leaf={parts === undefined || undefined}
          >
            {parts !== undefined && (
              <button
                type="button"
                tabIndex={-1}
                aria-label={isOpen ? text.close(name) : text.open(name)}
                aria-expanded={isOpen}
                disabled={isSearch}
                onClick={() => setOpen(key, !isOpen)}
              >
                {isOpen ? <DownIcon /> : <ForwardIcon />}
              </button>
            )}
            <Tick {...{ name, note, ids, chosen }} onTick={tick} />
          </div>
        )}
      </VirtualList>
    </div>
  );
}

interface TickProps {
  name: string;
  note?: string | undefined;
  ids: readonly number[];
  chosen: ReadonlySet<number>;
  onTick: (ids: readonly number[], isOn: boolean) => void;
}

function Tick({ name, note, ids, chosen, onTick }: TickProps) {
  const text = useFormText().pick;
  const count = ids.filter((id) => chosen.has(id)).length;
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
      <span title={name}>{name}</span> {note !== undefined && <small title={note}>{note}</small>}
      {ids.length > 1 && <small>{isPart ? text.partOf(formatNumber(count), of) : of}</small>}
    </label>
  );
}
