import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import {
  type Key,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from 'react';
import styles from './virtual-list.module.css';

/** Rows that are rendered beyond each edge of the frame: the arrow keys go to them before the frame scrolls. */
const BEYOND = 8;

interface RowsOptions {
  count: number;
  /** Height of each row, px, or that of the row at an index. */
  rowPx: number | ((index: number) => number);
  keyOf?: (index: number) => Key;
  /** The row that stays rendered out of view: it has the focus, or a draft. */
  keptAt?: number | undefined;
}

/**
 * The rows of a scrolling frame that are in view, by known heights.
 * @returns `frame`: the ref of the element that scrolls; `items`: the rows to render; `abovePx` and `belowPx`: the room of
 * the others, for rows that are not positioned; `virtual`: the library's list
 */
export function useRows<Frame extends HTMLElement>({ count, rowPx, keyOf, keptAt }: RowsOptions) {
  const frame = useRef<Frame>(null);
  const virtual = useVirtualizer<Frame, Element>({
    count,
    getScrollElement: () => frame.current,
    estimateSize: typeof rowPx === 'number' ? () => rowPx : rowPx,
    overscan: BEYOND,
    ...(keyOf && { getItemKey: keyOf }),
    rangeExtractor: (range) => {
      const shown = defaultRangeExtractor(range);
      return keptAt === undefined || keptAt < 0 || shown.includes(keptAt)
        ? shown
        : [...shown, keptAt].sort((a, b) => a - b);
    },
  });
  // The rows of another layout have another height.
  const measured = useRef(rowPx);
  useLayoutEffect(() => {
    if (typeof rowPx === 'number' && measured.current !== rowPx) virtual.measure();
    measured.current = rowPx;
  }, [virtual, rowPx]);
  const items = virtual.getVirtualItems();
  const abovePx = items[0]?.start ?? 0;
  const belowPx = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return { frame, virtual, items, abovePx, belowPx };
}

/**
 * Moves the focus to the same control of the next row, or of the one before, when an arrow key is pressed.
 * @returns the index of that row; undefined if the key does something else
 */
export function goByArrow(event: KeyboardEvent): number | undefined {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const { target, currentTarget } = event;
  const row = target instanceof Element ? target.closest('[data-row]') : null;
  if (step === undefined || row === null || !(target instanceof Element)) return undefined;
  event.preventDefault();
  const next = Number(row.getAttribute('data-row')) + step;
  currentTarget.querySelector<HTMLElement>(`[data-row="${next}"] ${target.localName}`)?.focus();
  return next;
}

/** The commands that a list takes. */
export interface ListHandle {
  /** Brings a row into view; by `auto` as little as is needed. */
  show(index: number, align: 'auto' | 'center'): void;
}

interface VirtualListProps<Item> {
  items: readonly Item[];
  keyOf: (item: Item) => Key;
  /** Height of each row, px, or that of an item. */
  rowPx: number | ((item: Item) => number);
  /** Accessible name; absent if the surrounding element has it. */
  label?: string;
  /** Class of the frame, which has a height of its own. */
  className?: string | undefined;
  onKeyDown?: (event: KeyboardEvent<HTMLFieldSetElement>) => void;
  ref?: Ref<ListHandle>;
  children: (item: Item, index: number) => ReactNode;
}

/** A list that scrolls; only the rows in view are in the page. The arrow keys go from row to row. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, rowPx, label, className, onKeyDown = goByArrow, ref, children } = props;
  const itemAt = (index: number): Item => items[index] as Item;
  const rows = useRows<HTMLFieldSetElement>({
    count: items.length,
    rowPx: typeof rowPx === 'number' ? rowPx : (index) => rowPx(itemAt(index)),
    keyOf: (index) => keyOf(itemAt(index)),
  });
  const { virtual } = rows;
  useImperativeHandle(
    ref,
    () => ({ show: (index, align) => virtual.scrollToIndex(index, { align }) }),
    [virtual],
  );
  return (
    <fieldset
      ref={rows.frame}
      aria-label={label}
      className={`${styles.frame} ${className ?? ''}`}
      onKeyDown={onKeyDown}
    >
      <div className={styles.rows} style={{ height: virtual.getTotalSize() }}>
        {rows.items.map(({ index, key, start, size }) => (
          <div
            key={key}
            data-row={index}
            className={styles.row}
            style={{ height: size, translate: `0 ${start}px` }}
          >
            {children(itemAt(index), index)}
          </div>
        ))}
      </div>
    </fieldset>
  );
}
