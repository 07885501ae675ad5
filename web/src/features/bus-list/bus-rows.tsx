import type { Bus } from '@ridewatch/contract/buses';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useLayoutEffect, useRef } from 'react';
import { useText } from '../../i18n/language.ts';
import type { Texts } from '../../i18n/ru/catalogue.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { BoardHeading, BoardRow } from './board-row.tsx';
import { BusCard } from './bus-card.tsx';
import styles from './bus-rows.module.css';
import { canMove } from './move-targets.ts';
import type { RowsProps } from './row-props.ts';
import { activeIn, type Row } from './rows.ts';
import { cardHeight, HEADING_HEIGHT, ROW_HEIGHT } from './sizes.ts';
import type { ListTexts } from './texts-ru.ts';
import { FastContext, useIsFast } from './use-is-fast.ts';
import { useListText } from './use-list-text.ts';
import { useRowActions } from './use-row-actions.tsx';
import { useTop } from './use-top.ts';

/** Rows beyond the window's edges: the arrows go to the next bus before the page scrolls. */
const ROWS_BEYOND = 2;

/** The arranged buses as a board or as tiles, a virtual list in the scrolling page. */
export const BusRows = memo(function BusRows(props: RowsProps) {
  const { rows, columns, isAdmin, headHeight, jump, onActive } = props;
  const ref = useRef<HTMLDivElement>(null);
  const text = useText();
  const own = useListText();
  const isPhone = useIsPhone();
  const top = useTop(ref);
  const isBoard = columns === undefined;
  const cards = isBoard ? ROW_HEIGHT : cardHeight(isAdmin, isPhone);
  const { copied, handlers, menu } = useRowActions(rows);
  const isFast = useIsFast(cards);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (at) => (isBoard || rows[at]?.kind === 'buses' ? cards : HEADING_HEIGHT),
    overscan: ROWS_BEYOND,
    scrollMargin: top,
    scrollPaddingStart: headHeight,
    // The size of the window is known, so the first render already contains rows.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  // Row heights are calculated, not measured; those of tiles and their headings differ.
  const heights = isBoard ? undefined : rows;
  useLayoutEffect(() => {
    if (cards > 0 || heights) virtual.measure();
  }, [heights, cards, virtual]);
  useEffect(() => {
    jump.current = (key) => {
      const at = rows.findIndex((row) => 'key' in row && row.key === key);
      if (at < 0) window.scrollTo({ top: 0 });
      else virtual.scrollToIndex(at, { align: 'start' });
    };
  }, [jump, rows, virtual]);
  const first = (virtual.range?.startIndex ?? 0) + Math.ceil(headHeight / ROW_HEIGHT);
  const active = activeIn(rows, (virtual.scrollOffset ?? 0) > top - headHeight ? first : 0);
  useEffect(() => onActive(active), [active, onActive]);
  return (
    <div ref={ref} className={styles.rows} style={{ height: virtual.getTotalSize() }} {...handlers}>
      <FastContext value={isFast}>
        {virtual.getVirtualItems().map((item) => {
          const row = rows[item.index];
          return (
            row && (
              <div
                key={item.key}
                className={styles.row}
                style={{ height: item.size, translate: `0 ${item.start - top}px` }}
              >
                <RowContent {...props} {...{ row, copied, text, own }} />
              </div>
            )
          );
        })}
      </FastContext>
      {menu}
    </div>
  );
});

const placesFor = (columns = 0): number[] => Array.from({ length: columns }, (_, place) => place);

interface RowContentProps extends RowsProps {
  row: Row;
  /** The device id that was copied last; undefined after a moment. */
  copied: string | undefined;
  text: Texts;
  own: ListTexts;
}

// Scrolling renders the list again, but not the rows that stay.
const RowContent = memo(function RowContent(props: RowContentProps) {
  const { row, columns, factsOf, madeAt, isAdmin, isFlat, copied, hasCustomers } = props;
  const { routes, lacksRoutes, text, own } = props;
  const shownOf = (bus: Bus) => ({
    ...{ bus, madeAt, text, own, isAdmin },
    facts: factsOf(bus),
    isCopied: copied !== undefined && copied === bus.group_device_id,
    canMove: isAdmin && (lacksRoutes || canMove(bus, routes)),
  });
  const ofBus = (bus: Bus) => ({
    ...{ bus, isAdmin, shownOf },
    route: isFlat ? (bus.group?.name ?? undefined) : undefined,
  });
  if (row.kind === 'bus') return <BoardRow {...ofBus(row.bus)} />;
  if (row.kind === 'buses') {
    return (
      <div className={styles.cards} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
        {placesFor(columns).map((place) => {
          const bus = row.buses[place];
          // The key is the place: a search fills the cards that exist with other buses.
          return bus && <BusCard key={place} {...ofBus(bus)} />;
        })}
      </div>
    );
  }
  const isCustomer = row.kind === 'customer';
  const count = isCustomer
    ? row.section.routes.reduce((sum, route) => sum + route.buses.length, 0)
    : row.route.buses.length;
  const title = isCustomer ? row.name : (row.route.name ?? text.shell.ungrouped);
  const note = isCustomer ? text.common.buses(count) : String(count);
  // Without headings of customers the headings of routes are one level higher.
  const level = isCustomer || !hasCustomers ? 'h2' : 'h3';
  if (columns === undefined) {
    return <BoardHeading {...{ row, level, title, note, factsOf, own, isAdmin }} />;
  }
  const Heading = level;
  return (
    <Heading className={isCustomer ? styles.customer : styles.route}>
      {title} <span className={styles.count}>{note}</span>
    </Heading>
  );
});
