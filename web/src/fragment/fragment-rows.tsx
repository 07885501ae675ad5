import { formatMoment } from '@ridewatch/contract/day';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useIsPhone } from '../ui/breakpoints.ts';
import styles from './fragment-rows.module.css';

/** Heights of a row (spec section 9). */
const ROW_PX = { desktop: 40, phone: 60 };

interface FragmentRowsProps<Item> {
  items: readonly Item[];
  idOf: (item: Item) => number;
  selectedId: number | undefined;
  /** Absent where what the list lies in has the name. */
  label: string | undefined;
  /** Gives the list its columns (`--columns`), and its looks on a phone. */
  look: string | undefined;
  /** The heads of the columns. */
  head?: ReactNode;
  /** Whether the step to the selected row moves the page too, when that is below the fold. */
  movesPage?: () => boolean;
  /** The list goes to what happened from this moment on; another object with the same moment brings it there again. */
  from?: { readonly startMs: number } | undefined;
  onSelect: (item: Item) => void;
  row: (item: Item) => ReactNode;
  /** Stands over the row and is reached by itself. */
  over?: ((item: Item) => ReactNode) | undefined;
}

/** A list of fragments: as many rows as fit are drawn, the selected one is kept in sight. */
export function FragmentRows<Item extends { end_time: string }>(props: FragmentRowsProps<Item>) {
  const { items, idOf, selectedId, from } = props;
  const rowPx = useIsPhone() ? ROW_PX.phone : ROW_PX.desktop;
  const frame = useRef<HTMLDivElement>(null);
  const count = items.length;
  const rows = useVirtualizer({
    count,
    getScrollElement: () => frame.current,
    estimateSize: () => rowPx,
    overscan: 8,
  });
  // Rows of the other layout have another height: what was measured of them no longer holds.
  const measuredPx = useRef(rowPx);
  useEffect(() => {
    if (measuredPx.current !== rowPx) rows.measure();
    measuredPx.current = rowPx;
  }, [rows, rowPx]);
  const selectedAt = items.findIndex((item) => idOf(item) === selectedId);
  const shownAt = useRef(selectedAt);
  const mayMovePage = useEffectEvent(() => props.movesPage?.() === true);
  const shownId = useRef<number>(undefined);
  // Rows that come in above it move the selected one, not the list, while that shows a stretch of time.
  const isOnlyPushed = useEffectEvent(() => {
    const isPushed = from !== undefined && shownId.current === selectedId;
    shownId.current = selectedId;
    return isPushed;
  });
  useEffect(() => {
    if (selectedAt < 0) return;
    const cameFrom = shownAt.current;
    shownAt.current = selectedAt;
    if (isOnlyPushed()) return;
    // What comes next on the way is seen too.
    const ahead = selectedAt + (selectedAt < cameFrom ? -1 : 1);
    rows.scrollToIndex(Math.max(0, Math.min(count - 1, ahead)), { align: 'auto' });
    // The page that opens stays where it is.
    if (cameFrom !== selectedAt && mayMovePage()) {
      requestAnimationFrame(() => {
        frame.current?.querySelector('[aria-current]')?.parentElement?.scrollIntoView({
          block: 'nearest',
        });
      });
    }
  }, [rows, selectedAt, count]);
  const firstAt = from
    ? items.findIndex(({ end_time }) => Date.parse(end_time) > from.startMs)
    : -1;
  const first = items[firstAt];
  const firstId = first && idOf(first);
  const bring = useEffectEvent((_id: number) => rows.scrollToIndex(firstAt, { align: 'start' }));
  useEffect(() => {
    if (from && firstId !== undefined) bring(firstId);
  }, [from, firstId]);
  return (
    <section className={`${styles.list} ${props.look ?? ''}`} aria-label={props.label}>
      {props.head && (
        <div className={styles.head} aria-hidden="true">
          {props.head}
        </div>
      )}
      <div ref={frame} className={styles.frame} data-player-keys data-fragments>
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            if (!item) return null;
            const id = idOf(item);
            return (
              <li
                key={id}
                data-fragment={id}
                style={{ height: rowPx, transform: `translateY(${start}px)` }}
              >
                <button
                  type="button"
                  aria-current={id === selectedId || undefined}
                  onClick={() => props.onSelect(item)}
                >
                  {props.row(item)}
                </button>
                {props.over?.(item)}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

/** When a fragment begins, by the clock of its bus. */
export function TimeCell({ ms, zone }: { ms: number; zone: string }) {
  return (
    <span className={styles.time}>
      {formatMoment(ms, zone, 'HH:mm')}
      <small>{formatMoment(ms, zone, ':ss')}</small>
    </span>
  );
}
