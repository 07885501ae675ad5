import {
  type CSSProperties,
  type RefObject,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { CustomerBuses } from '../../buses/order.ts';
import { prepareSearch, searchBuses } from '../../buses/search.ts';
import { useBuses } from '../../buses/use-buses.ts';
import { useCustomerRoutes } from '../../buses/use-customer-routes.ts';
import { useSession } from '../../core/session.ts';
import { useText } from '../../i18n/language.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { useAfterPaint } from '../../ui/use-after-paint.ts';
import { useTitle } from '../../ui/use-title.ts';
import { countsOf, filtered, type Sort, sorted } from './arrangement.ts';
import { Banner, useMessages } from './banners.tsx';
import { BoardHead } from './board-head.tsx';
import styles from './bus-list-screen.module.css';
import { BusRows } from './bus-rows.tsx';
import { CustomerChip, ofCustomer } from './customer-chip.tsx';
import { Filters, Freshness } from './filters.tsx';
import { useHasRail, useTiles, ViewChoice } from './list-view.tsx';
import { NoBuses } from './no-buses.tsx';
import { Rail } from './rail.tsx';
import type { Jump } from './row-props.ts';
import { flatRows, rowsOf } from './rows.ts';
import { ROW_HEIGHT } from './sizes.ts';
import { SkeletonRows } from './skeleton-rows.tsx';
import { useBoard } from './use-board.ts';
import { focusFirstBus } from './use-card-actions.ts';
import { useIsScrolling } from './use-is-fast.ts';
import { useIsTyping } from './use-is-typing.ts';
import { useListAddress } from './use-list-address.ts';
import { useListText } from './use-list-text.ts';

/** Heights of what stays above the rows: the header of the page, and that with the head of the board, px. */
const HEADER = 52;
const BOARD_HEAD = 36;

/** Width of a camera's dot, px; the column has room for those of the bus that has most. */
const DOT_PX = 16;
const FEWEST_DOTS = 4;

/** The list of all buses that the user may see: a board with search, filters and orders. */
export function BusListScreen() {
  const text = useText();
  const own = useListText();
  const user = useSession()?.user;
  const messages = useMessages();
  const { isKnown } = messages;
  useTitle(text.shell.buses);
  const { query, setQuery, sendQuery, filter, sort, customer, change } = useListAddress();
  // Answers of thousands of buses take longer to parse than a key or a frame may wait.
  const { isTyping, begin } = useIsTyping(query);
  const isScrolling = useIsScrolling(ROW_HEIGHT);
  const isBusy = isTyping || isScrolling;
  const { data: known, sections: all, isError, refetch, isFetching } = useBuses({ isHeld: isBusy });
  const sections = useMemo(
    () => known && all && ofCustomer(known, all, customer),
    [known, all, customer],
  );
  const board = useBoard(sections, known?.customers, isBusy, user?.can_edit ?? false);
  const { facts, madeAt } = board;
  const sortBy = useCallback((next: Sort | undefined) => change({ sort: next }), [change]);
  const found = useMemo(() => sections && searchBuses(sections, query), [sections, query]);
  useEffect(() => (sections ? prepareSearch(sections) : undefined), [sections]);
  const isAdmin = user?.role === 'ADMIN';
  // For the menus of the buses, which nobody opens before the list is painted.
  const isPainted = useAfterPaint(sections !== undefined);
  const { routes, answer: routesAnswer } = useCustomerRoutes(isAdmin && isPainted);
  const hasClients = user?.role === 'INTEGRATOR' && user.integrator_clients.length > 0;
  const hasCustomers = isAdmin || hasClients;
  // Without figures no bus has a state, and to look for them would delay the first keys.
  const stateOf = madeAt === undefined ? undefined : facts;
  const counts = useMemo(() => found && countsOf(found, stateOf), [found, stateOf]);
  const shown = useMemo(() => found && filtered(found, filter, facts), [found, filter, facts]);
  const list = useRef<HTMLDivElement>(null);
  const cameras = useMemo(() => mostCameras(sections ?? []), [sections]);
  const hasRail = useHasRail();
  const columns = useTiles(useWidth(list, isKnown));
  const rows = useMemo(() => {
    if (!shown) return [];
    return sort
      ? flatRows(sorted(shown, sort, facts), columns)
      : rowsOf(shown, columns, hasCustomers);
  }, [shown, sort, facts, columns, hasCustomers]);
  const jump = useRef<Jump>(() => undefined);
  const [active, setActive] = useState<string>();
  const showActive = useCallback(
    (key: string | undefined) => startTransition(() => setActive(key)),
    [],
  );
  // The list of routes follows after the list of buses is painted.
  const listed = useSettled(shown);
  const railRows = useMemo(
    () => (listed ? rowsOf(listed, columns, hasCustomers) : []),
    [listed, columns, hasCustomers],
  );
  const listedBuses = useMemo(() => listed && countBuses(listed), [listed]);
  // In one order there are no headings; a press on one goes back to the order by routes first.
  const wantedHeading = useRef<string>(undefined);
  const showHeading = useCallback(
    (key: string | undefined) => {
      if (sort === undefined) return jump.current(key);
      wantedHeading.current = key;
      change({ sort: undefined });
    },
    [sort, change],
  );
  useEffect(() => {
    if (sort !== undefined || wantedHeading.current === undefined) return;
    jump.current(wantedHeading.current);
    wantedHeading.current = undefined;
  }, [sort]);

  const content = () => {
    if (!found || !sections) {
      if (!isError) return <SkeletonRows isAdmin={isAdmin} columns={columns} />;
      return (
        <EmptyState title={text.common.loadFailed} text={own.failedText}>
          <Button kind="primary" isBusy={isFetching} onClick={() => void refetch()}>
            {text.common.retry}
          </Button>
        </EmptyState>
      );
    }
    const hasNoBuses = sections.every((section) => section.routes.length === 0);
    // An administrator sees also customers without buses.
    if (hasNoBuses && (!hasCustomers || (found.length === 0 && query === ''))) {
      return <NoBuses />;
    }
    if (found.length === 0) {
      return (
        <EmptyState title={own.noMatchTitle} text={own.noMatchText(query)}>
          <Button onClick={() => setQuery('')}>{own.clearSearch}</Button>
        </EmptyState>
      );
    }
    if (rows.length === 0 && madeAt !== undefined) {
      return (
        <EmptyState title={own.noMatchTitle} text={own.noneShownText}>
          <Button onClick={() => change({ show: undefined })}>{own.showAll}</Button>
        </EmptyState>
      );
    }
    return (
      <div
        className={columns === undefined ? `${styles.board} ${sort ? styles.flat : ''}` : undefined}
        style={{ '--cameras': `${cameras * DOT_PX}px` } as CSSProperties}
      >
        {columns === undefined && <BoardHead isAdmin={isAdmin} sort={sort} onSort={sortBy} />}
        <BusRows
          rows={rows}
          columns={columns}
          factsOf={facts}
          madeAt={madeAt}
          routes={routes}
          lacksRoutes={routesAnswer.data === undefined && routesAnswer.errorUpdateCount > 0}
          isAdmin={isAdmin}
          hasCustomers={hasCustomers}
          isFlat={sort !== undefined}
          headHeight={columns === undefined ? HEADER + BOARD_HEAD : HEADER}
          jump={jump}
          onActive={showActive}
        />
      </div>
    );
  };

  // Render nothing before the messages are known: they would push the list down.
  if (!isKnown) return <div className={styles.screen} aria-busy="true" />;
  return (
    <div className={styles.screen} aria-busy={!found && !isError}>
      {hasRail && (
        <Rail
          rows={railRows}
          factsOf={facts}
          active={sort === undefined ? active : undefined}
          onJump={showHeading}
          total={listedBuses}
        />
      )}
      <div className={styles.page} ref={list}>
        <Banner {...messages} />
        <div className={styles.bar}>
          <h1 className={`${styles.title} phone-hidden`}>{text.shell.buses}</h1>
          {customer !== undefined && sections?.[0] && (
            <CustomerChip
              customer={sections[0].customer}
              onRemove={() => change({ customer: undefined })}
            />
          )}
          <SearchField
            data-bus-search
            label={own.searchPlaceholder}
            clearLabel={own.clearSearch}
            value={query}
            onChange={setQuery}
            onFocus={begin}
            onBlur={sendQuery}
            onDown={focusFirstBus}
          />
          <div className={styles.side}>
            <span className={styles.count} role="status">
              {counts && text.common.buses(counts.all)}
            </span>
            <Freshness
              madeAt={madeAt}
              isFailed={board.isError}
              isBusy={board.isFetching}
              onRetry={() => void board.refetch()}
            />
            <ViewChoice />
          </div>
          <Filters
            counts={counts}
            isKnown={madeAt !== undefined}
            value={filter}
            onChange={(show) => change({ show })}
          />
        </div>
        {content()}
      </div>
    </div>
  );
}

function countBuses(sections: readonly CustomerBuses[]): number {
  return sections.flatMap(({ routes }) => routes).reduce((sum, { buses }) => sum + buses.length, 0);
}

function mostCameras(sections: readonly CustomerBuses[]): number {
  const buses = sections.flatMap(({ routes }) => routes.flatMap((route) => route.buses));
  return buses.reduce((most, { cameras }) => Math.max(most, cameras.length), FEWEST_DOTS);
}

/** Pause after which a value counts as settled, ms; longer than between two keys of a fast typist. */
const SETTLE_MS = 120;

// The value after it has not changed for a moment.
function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => startTransition(() => setSettled(value)), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

// The width of the list without its padding, px; of the window until it is laid out.
function useWidth(ref: RefObject<HTMLDivElement | null>, isThere: boolean): number {
  const [width, setWidth] = useState(window.innerWidth);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element || !isThere) return;
    const look = () => {
      const style = getComputedStyle(element);
      const padding = Number.parseFloat(style.paddingLeft) + Number.parseFloat(style.paddingRight);
      setWidth(element.clientWidth - (padding || 0));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref, isThere]);
  return width;
}
