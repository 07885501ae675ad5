import { formatMoment } from '@ridewatch/contract/day';
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useIsPhone } from '../ui/breakpoints.ts';
import { useRows } from '../ui/virtual-list.tsx';
import styles from './fragment-rows.module.css';

/** Height of a row, px (spec section 9). */
const ROW_PX = { desktop: 40, phone: 60 };

interface FragmentRowsProps<Item> {
  items: readonly Item[];
  idOf: (item: Item) => number;
  selectedId: number | undefined;
  /** Accessible name; absent if the surrounding element has it. */
  label: string | undefined;
  /** Class that sets the columns (`--columns`), and the looks on a phone. */
  look: string | undefined;
  /** The part above the column headings. */
  title?: ReactNode;
  /** The column headings. */
  head?: ReactNode;
  /** Whether the page may scroll to bring the list into view. */
  movesPage?: () => boolean;
  /** Whether the page opened on the selected fragment without being asked for it, so that it must not scroll. */
  isUnasked?: boolean;
  /** Scrolls the list to this moment. A new object with the same moment scrolls again. */
  from?: { readonly startMs: number } | undefined;
  onSelect: (item: Item) => void;
  row: (item: Item) => ReactNode;
  /** The list shows this in place of rows if there are none. */
  empty?: ReactNode;
  /** The part below the rows. */
  foot?: ReactNode;
  /** Content over the row, with a focus of its own. */
  over?: ((item: Item) => ReactNode) | undefined;
}

/** A virtual list of fragments that keeps the selected one in view. */
export function FragmentRows<Item extends { end_time: string }>(props: FragmentRowsProps<Item>) {
  const { items, idOf, selectedId, from } = props;
  const rowPx = useIsPhone() ? ROW_PX.phone : ROW_PX.desktop;
  const count = items.length;
  const selectedAt = items.findIndex((item) => idOf(item) === selectedId);
  const {
    frame,
    virtual: rows,
    items: shown,
  } = useRows<HTMLDivElement>({
    count,
    rowPx,
    // It can have the focus, and digits go into its inputs.
    keptAt: selectedAt,
  });
  const framePx = rows.scrollRect?.height;
  const shownAt = useRef(selectedAt);
  const hasOpened = useRef(false);
  const mayMovePage = useEffectEvent(() => props.movesPage?.() === true);
  const isAsked = useEffectEvent(() => props.isUnasked !== true);
  const shownId = useRef<number>(undefined);
  // While the list shows a moment, rows inserted above move the selected row, not the list.
  const isOnlyPushed = useEffectEvent(() => {
    const isPushed = from !== undefined && shownId.current === selectedId;
    shownId.current = selectedId;
    return isPushed;
  });
  useEffect(() => {
    // Not measured yet.
    if (framePx === undefined) return;
    const isFirst = !hasOpened.current;
    hasOpened.current = true;
    if (selectedAt < 0) return;
    const cameFrom = shownAt.current;
    shownAt.current = selectedAt;
    if (isOnlyPushed()) return;
    // Show also the next row in the direction of the step.
    const ahead = selectedAt + (selectedAt < cameFrom ? -1 : 1);
    rows.scrollToIndex(Math.max(0, Math.min(count - 1, ahead)), { align: 'auto' });
    // A link to a fragment shows its row also in a low window.
    if ((isFirst && isAsked()) || (cameFrom !== selectedAt && mayMovePage())) {
      // The whole frame, because the row may not be rendered yet.
      rows.scrollElement?.scrollIntoView({ block: 'nearest' });
    }
  }, [rows, selectedAt, count, framePx]);
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
      {props.title && <div className={styles.title}>{props.title}</div>}
      {props.head && (
        <div className={styles.head} aria-hidden="true">
          {props.head}
        </div>
      )}
      <div ref={frame} className={styles.frame} data-player-keys data-fragments>
        {count === 0 && props.empty}
        <ul className={styles.rows} style={{ height: rows.getTotalSize() }}>
          {shown.map(({ index, start }) => {
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
      {props.foot}
    </section>
  );
}

/** Start of a fragment in local time. */
export function TimeCell({ ms, zone }: { ms: number; zone: string }) {
  return (
    <span className={styles.time}>
      {formatMoment(ms, zone, 'HH:mm')}
      <small>{formatMoment(ms, zone, ':ss')}</small>
    </span>
  );
}
