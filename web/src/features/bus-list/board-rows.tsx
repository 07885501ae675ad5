import {
  memo,
  startTransition,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useText } from '../../i18n/language.ts';
import './board-row.css';
import { BoardParts } from './board-row.tsx';
import { type BoardSlots, createBoardSlots, type Label, slotsIn } from './board-slots.ts';
import styles from './bus-rows.module.css';
import { HeadingSums } from './headings.tsx';
import { canMove } from './move-targets.ts';
import type { BusShownProps, RowsProps } from './row-props.ts';
import { activeIn, type Row } from './rows.ts';
import { ROW_HEIGHT } from './sizes.ts';
import { CALM_MS, watchSpeed } from './use-is-fast.ts';
import { useListText } from './use-list-text.ts';
import { useRowActions } from './use-row-actions.tsx';
import { useTop } from './use-top.ts';

/** Rows whose details are drawn in one frame; a key press waits for no more than these. */
const AT_ONCE = 4;

/**
 * The arranged buses as a board in the scrolling page. The names of the rows in view are drawn by hand, at once
 * (board-slots.ts); their details by React, after the names are painted and while the page does not scroll fast.
 */
export const BoardRows = memo(function BoardRows(props: RowsProps) {
  const { rows, factsOf, madeAt, routes, lacksRoutes, isAdmin } = props;
  const { isFlat, hasCustomers, headHeight, jump, onActive } = props;
  const ref = useRef<HTMLDivElement>(null);
  const text = useText();
  const top = useTop(ref);
  const { copied, handlers, menu } = useRowActions(rows);
  const [slots] = useState(() => createBoardSlots());
  const count = useSyncExternalStore(onResize, () => slotsIn(window.innerHeight));
  const own = useListText();
  const [details, setDetails] = useState<readonly (Details | undefined)[]>([]);
  const drawn = useRef(details);
  const stopDetails = useRef(() => {});
  const drawDetails = useCallback(() => {
    stopDetails.current();
    startTransition(() => onActive(activeIn(rows, slots.topmost(headHeight))));
    let isSorted = false;
    stopDetails.current = inFrames(() => {
      if (!isSorted) {
        isSorted = true;
        if (slots.sort()) return true;
      }
      const next = nextDetails(drawn.current, slots.shown(), factsOf, madeAt);
      if (next === undefined) return false;
      drawn.current = next;
      startTransition(() => setDetails(next));
      return true;
    });
  }, [rows, slots, headHeight, onActive, factsOf, madeAt]);
  useEffect(() => () => stopDetails.current(), []);
  const labelOf = useCallback(
    (row: Row): Label => {
      const plain = { href: undefined, note: '', level: 0, isCustomer: false };
      if (row.kind === 'bus') {
        const { id, name, group } = row.bus;
        return { ...plain, href: `/bus/${id}`, name, note: isFlat ? (group?.name ?? '') : '' };
      }
      if (row.kind === 'customer') {
        const buses = row.section.routes.reduce((sum, route) => sum + route.buses.length, 0);
        const note = text.common.buses(buses);
        return { ...plain, name: row.name, note, level: 2, isCustomer: true };
      }
      if (row.kind === 'buses') return { ...plain, name: '' };
      const { name, buses } = row.route;
      // Without headings of customers the headings of routes are one level higher.
      const level = hasCustomers ? 3 : 2;
      return { ...plain, name: name ?? text.shell.ungrouped, note: String(buses.length), level };
    },
    [text, isFlat, hasCustomers],
  );
  // Whatever gives an element another row also asks for its details.
  useLayoutEffect(() => {
    if (count === 0) return;
    slots.draw({ rows, labelOf, top });
    drawDetails();
  }, [slots, rows, labelOf, top, count, drawDetails]);
  const onNewRows = useRef(drawDetails);
  useEffect(() => {
    onNewRows.current = drawDetails;
  }, [drawDetails]);
  useEffect(() => {
    let calm: ReturnType<typeof setTimeout> | undefined;
    const isStepFast = watchSpeed(ROW_HEIGHT);
    let fastMs = -CALM_MS;
    const onScroll = ({ timeStamp }: Event) => {
      if (isStepFast(timeStamp)) fastMs = timeStamp;
      if (!slots.scrollTo(window.scrollY)) return;
      clearTimeout(calm);
      // A slow step among fast ones is a frame that came late.
      if (timeStamp - fastMs >= CALM_MS) return onNewRows.current();
      stopDetails.current();
      calm = setTimeout(() => onNewRows.current(), CALM_MS);
    };
    if (slots.scrollTo(window.scrollY)) onNewRows.current();
    // Before anything that changes the layout, which to read the position would compute again.
    window.addEventListener('scroll', onScroll, { passive: true, capture: true });
    return () => {
      window.removeEventListener('scroll', onScroll, { capture: true });
      clearTimeout(calm);
    };
  }, [slots]);
  useEffect(() => {
    jump.current = (key) => {
      const at = rows.findIndex((row) => 'key' in row && row.key === key);
      window.scrollTo({ top: at < 0 ? 0 : top + at * ROW_HEIGHT - headHeight });
    };
  }, [jump, rows, top, headHeight]);
  return (
    <div
      ref={ref}
      className={styles.rows}
      style={{ height: rows.length * ROW_HEIGHT }}
      {...handlers}
    >
      {placesFor(count).map((place) => (
        <SlotRow
          key={place}
          details={details[place]}
          {...{ slots, text, own, isAdmin, routes, lacksRoutes }}
          copied={copied}
        />
      ))}
      {menu}
    </div>
  );
});

/** What an element shows beside the name of its row. */
interface Details extends Pick<RowsProps, 'factsOf' | 'madeAt'> {
  /** Undefined: nothing. */
  readonly row: Row | undefined;
}

// The details with those of a few more elements as they are now: one that does not change keeps its object. Undefined
// when all are.
function nextDetails(
  before: readonly (Details | undefined)[],
  shown: readonly (Row | undefined)[],
  factsOf: Details['factsOf'],
  madeAt: Details['madeAt'],
): (Details | undefined)[] | undefined {
  let changed = 0;
  const next = shown.map((row, place) => {
    const last = before[place];
    const isSame = last?.row === row && last?.factsOf === factsOf && last?.madeAt === madeAt;
    if (isSame || changed === AT_ONCE) return last;
    changed += 1;
    return { row, factsOf, madeAt };
  });
  return changed === 0 ? undefined : next;
}

interface SlotRowProps
  extends Pick<RowsProps, 'routes' | 'lacksRoutes'>,
    Omit<BusShownProps, 'bus' | 'facts' | 'madeAt' | 'isCopied' | 'canMove'> {
  slots: BoardSlots;
  /** Undefined: no details yet. */
  details: Details | undefined;
  /** The device id that was copied last; undefined after a moment. */
  copied: string | undefined;
}

// The elements of one row with its details; `slots` adds what a row says at once.
const SlotRow = memo(function SlotRow({ slots, details, ...props }: SlotRowProps) {
  const { routes, lacksRoutes, copied, isAdmin, own } = props;
  const { row, factsOf, madeAt } = details ?? {};
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (ref.current ? slots.register(ref.current) : undefined), [slots]);
  useLayoutEffect(() => {
    if (ref.current && row) slots.settle(ref.current, row);
  }, [slots, row]);
  const bus = row?.kind === 'bus' ? row.bus : undefined;
  return (
    <div ref={ref} className={styles.row} style={{ height: ROW_HEIGHT }}>
      <article className="board-row">
        <div className="board-details" data-admin={isAdmin || undefined}>
          {bus && factsOf && (
            <BoardParts
              {...props}
              {...{ bus, madeAt }}
              facts={factsOf(bus)}
              isCopied={copied !== undefined && copied === bus.group_device_id}
              canMove={isAdmin && (lacksRoutes || canMove(bus, routes))}
            />
          )}
        </div>
      </article>
      <div className="board-heading">
        <div className="board-details" data-admin={isAdmin || undefined}>
          {row && factsOf && row.kind !== 'bus' && <HeadingSums {...{ row, factsOf, own }} />}
        </div>
      </div>
    </div>
  );
});

// Works in parts, each after a paint, while there is more. Returns what stops it.
function inFrames(work: () => boolean): () => void {
  let task: ReturnType<typeof setTimeout> | undefined;
  const step = (): void => {
    if (work()) frame = requestAnimationFrame(afterPaint);
  };
  const afterPaint = (): void => {
    task = setTimeout(step);
  };
  let frame = requestAnimationFrame(afterPaint);
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(task);
  };
}

function placesFor(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place);
}

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener);
  return () => window.removeEventListener('resize', listener);
}
