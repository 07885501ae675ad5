import type { BusRoute } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { CustomerBuses } from '../../buses/order.ts';
import { useText } from '../../i18n/language.ts';
import { lazyComponent } from '../../lazy-component.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { BusCard } from './bus-card.tsx';
import styles from './bus-rows.module.css';
import { moveTargets } from './move-targets.ts';
import { type Row, rowsOf } from './rows.ts';
import { cardHeight, columnsIn, HEADING_HEIGHT } from './sizes.ts';
import { useCardActions } from './use-card-actions.ts';
import { useListText } from './use-list-text.ts';

const CardMenu = lazyComponent(async () => (await import('./card-menu.tsx')).CardMenu);

interface BusRowsProps {
  sections: readonly CustomerBuses[];
  routes: ReadonlyMap<number, readonly BusRoute[]>;
  isAdmin: boolean;
  hasCustomers: boolean;
}

const ROWS_BEYOND = 2;
const NO_ROUTES: readonly BusRoute[] = [];

/** The arranged buses as a virtual list in the scrolling page. */
export function BusRows({ sections, routes, isAdmin, hasCustomers }: BusRowsProps) {
  const ref = useRef<HTMLDivElement>(null);
  const isPhone = useIsPhone();
  const { columns, top } = usePlace(ref);
  const rows = useMemo(
    () => rowsOf(sections, columns, hasCustomers),
    [sections, columns, hasCustomers],
  );
  const rowHeight = cardHeight(isAdmin, isPhone);
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
  const virtual = useWindowVirtualizer({
    count: rows.length,
    estimateSize: (index) => (rows[index]?.kind === 'buses' ? rowHeight : HEADING_HEIGHT),
    overscan: ROWS_BEYOND,
    scrollMargin: top,
    // The size of the window is known, so the first render already contains rows.
    initialRect: { width: window.innerWidth, height: window.innerHeight },
  });
  // Row heights are calculated, not measured; a change of the layout changes them.
  useLayoutEffect(() => {
    if (rows.length > 0 && rowHeight > 0) virtual.measure();
  }, [rows, rowHeight, virtual]);
  return (
    <div ref={ref} className={styles.rows} style={{ height: virtual.getTotalSize() }} {...handlers}>
      {virtual.getVirtualItems().map((item) => {
        const row = rows[item.index];
        return (
          row && (
            <div
              key={item.key}
              className={styles.row}
              style={{ height: item.size, translate: `0 ${item.start - top}px` }}
            >
              <RowContent
                row={row}
                columns={columns}
                isAdmin={isAdmin}
                routes={routes}
                copied={copied}
                hasCustomers={hasCustomers}
              />
            </div>
          )
        );
      })}
      {menu && (
        <CardMenu
          key={menu.opened}
          bus={menu.bus}
          button={menu.button}
          targets={targetsOf(menu.bus, routes)}
          onClose={() => setMenu((now) => (now === menu ? undefined : now))}
        />
      )}
    </div>
  );
}

interface RowContentProps extends Pick<BusRowsProps, 'isAdmin' | 'routes' | 'hasCustomers'> {
  row: Row;
  columns: number;
  /** The device id that was copied last; undefined after a moment. */
  copied: string | undefined;
}

const RowContent = memo(function RowContent(props: RowContentProps) {
  const { row, columns, isAdmin, routes, copied, hasCustomers } = props;
  const text = useText();
  const own = useListText();
  if (row.kind === 'customer') {
    return (
      <h2 className={styles.customer}>
        {row.name} <span className={styles.count}>{text.common.buses(row.count)}</span>
      </h2>
    );
  }
  if (row.kind === 'route') {
    // Without headings of customers the headings of routes are one level higher.
    const Heading = hasCustomers ? 'h3' : 'h2';
    return (
      <Heading className={styles.route}>
        {row.route.name ?? text.shell.ungrouped}{' '}
        <span className={styles.count}>{row.route.buses.length}</span>
      </Heading>
    );
  }
  return (
    <div className={styles.cards} style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
      {row.buses.map((bus, place) => (
        <BusCard
          // The key is the place: a search fills the cards that exist with other buses.
          // biome-ignore lint/suspicious/noArrayIndexKey: a card keeps nothing of its bus
          key={place}
          bus={bus}
          text={text}
          own={own}
          isAdmin={isAdmin}
          isCopied={copied !== undefined && copied === bus.group_device_id}
          canMove={isAdmin && targetsOf(bus, routes).length > 1}
        />
      ))}
    </div>
  );
});

function targetsOf(bus: Bus, routes: BusRowsProps['routes']) {
  return moveTargets(bus, routes.get(bus.clients[0] ?? 0) ?? NO_ROUTES);
}

function busIn(rows: readonly Row[], busId: number): Bus | undefined {
  return rows
    .flatMap((row) => (row.kind === 'buses' ? row.buses : []))
    .find(({ id }) => id === busId);
}

function usePlace(ref: RefObject<HTMLDivElement | null>) {
  const [place, setPlace] = useState({ columns: columnsIn(window.innerWidth), top: 0 });
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () => {
      const box = element.getBoundingClientRect();
      const next = { columns: columnsIn(box.width), top: box.top + window.scrollY };
      setPlace((last) => (last.columns === next.columns && last.top === next.top ? last : next));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return place;
}
