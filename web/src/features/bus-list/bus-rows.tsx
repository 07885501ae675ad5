import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useText } from '../../i18n/language.ts';
import type { Texts } from '../../i18n/ru/catalogue.ts';
import { lazyComponent } from '../../lazy-component.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import type { FactsOf } from './arrangement.ts';
import { BoardRow } from './board-row.tsx';
import { BusCard } from './bus-card.tsx';
import styles from './bus-rows.module.css';
import { BoardHeading } from './headings.tsx';
import { canMove } from './move-targets.ts';
import type { Row } from './rows.ts';
import { cardHeight, HEADING_HEIGHT, ROW_HEIGHT } from './sizes.ts';
import type { ListTexts } from './texts-ru.ts';
import { useCardActions } from './use-card-actions.ts';
import { FastContext, useIsFast } from './use-is-fast.ts';
import { useListText } from './use-list-text.ts';

const CardMenu = lazyComponent(async () => (await import('./card-menu.tsx')).CardMenu);

/** Scrolls the list to the heading with a key; to its top without one. */
export type Jump = (key: string | undefined) => void;

interface BusRowsProps {
  rows: readonly Row[];
  /** Number of tiles in a row; undefined for a board. */
  columns: number | undefined;
  factsOf: FactsOf;
  /** When the figures were read. */
  madeAt: string | undefined;
  routes: ReadonlyMap<number, readonly BusRoute[]>;
  /** The routes could not be read; the menus of the buses say so. */
  lacksRoutes: boolean;
  isAdmin: boolean;
  hasCustomers: boolean;
  /** The rows have no headings, so that each bus names its route. */
  isFlat: boolean;
  /** Height of what stays above the rows while the page scrolls, px. */
  headHeight: number;
  jump: RefObject<Jump>;
  /** Told the key of the heading of the topmost bus. */
  onActive: (key: string | undefined) => void;
}

const ROWS_BEYOND = 2;

/** The arranged buses as a virtual list in the scrolling page. */
export const BusRows = memo(function BusRows(props: BusRowsProps) {
  const { rows, columns, isAdmin, headHeight, jump, onActive } = props;
  const ref = useRef<HTMLDivElement>(null);
  const text = useText();
  const own = useListText();
  const isPhone = useIsPhone();
  const top = useTop(ref);
  const cards = cardHeight(isAdmin, isPhone);
  const [menu, setMenu] = useState<{ bus: Bus; button: HTMLElement; opened: number }>();
  const opened = useRef(0);
  const { copied, handlers } = useCardActions((busId, button, isByKey) => {
    const bus = busIn(rows, busId);
    // A press of the pointer closes an open menu before its click arrives. A key does not, and after Esc the event of
    // the closed menu may still be pending.
    const isShown = !isByKey || document.querySelector('[popover="auto"]:popover-open') !== null;
    const isOpen = menu?.button === button && isShown;
    opened.current += 1;
    setMenu(isOpen || !bus ? undefined : { bus, button, opened: opened.current });
  });
  const isBoard = columns === undefined;
  const isFast = useIsFast(isBoard ? ROW_HEIGHT : cards);
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => {
      if (isBoard) return ROW_HEIGHT;
      return rows[index]?.kind === 'buses' ? cards : HEADING_HEIGHT;
    },
    overscan: ROWS_BEYOND,
    scrollMargin: top,
    scrollPaddingStart: headHeight,
    // The size of the window is known, so the first render already contains rows.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  // Row heights are calculated, not measured. On a board all are the same; tiles and their headings differ.
  const heights = isBoard ? ROW_HEIGHT : rows;
  useLayoutEffect(() => {
    if (heights && cards > 0) virtual.measure();
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
      {menu && (
        <CardMenu
          key={menu.opened}
          bus={menu.bus}
          button={menu.button}
          onClose={() => setMenu((now) => (now === menu ? undefined : now))}
        />
      )}
    </div>
  );
});

interface RowContentProps extends BusRowsProps {
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
        {row.buses.map((bus, place) => (
          // The key is the place: a search fills the cards that exist with other buses.
          // biome-ignore lint/suspicious/noArrayIndexKey: a card keeps nothing of its bus
          <BusCard key={place} {...ofBus(bus)} />
        ))}
      </div>
    );
  }
  if (columns === undefined) {
    return <BoardHeading {...{ row, factsOf, text, own, isAdmin, hasCustomers }} />;
  }
  if (row.kind === 'customer') {
    const count = row.section.routes.reduce((sum, route) => sum + route.buses.length, 0);
    return (
      <h2 className={styles.customer}>
        {row.name} <span className={styles.count}>{text.common.buses(count)}</span>
      </h2>
    );
  }
  // Without headings of customers the headings of routes are one level higher.
  const Heading = hasCustomers ? 'h3' : 'h2';
  return (
    <Heading className={styles.route}>
      {row.route.name ?? text.shell.ungrouped}{' '}
      <span className={styles.count}>{row.route.buses.length}</span>
    </Heading>
  );
});

function busIn(rows: readonly Row[], busId: number): Bus | undefined {
  return rows
    .flatMap((row) => {
      if (row.kind === 'bus') return [row.bus];
      return row.kind === 'buses' ? row.buses : [];
    })
    .find(({ id }) => id === busId);
}

/** The key of the last heading of a route at a row or above it. */
function activeIn(rows: readonly Row[], index: number): string | undefined {
  for (let at = Math.min(index, rows.length - 1); at >= 0; at -= 1) {
    const row = rows[at];
    if (row?.kind === 'route') return row.key;
  }
  const first = rows.find((row) => row.kind === 'route');
  return first?.kind === 'route' ? first.key : undefined;
}

// Where the list begins in the page, px.
function useTop(ref: RefObject<HTMLDivElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () => setTop(element.getBoundingClientRect().top + window.scrollY);
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return top;
}
