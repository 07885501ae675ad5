import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useEffect, useMemo, useRef } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { type FactsOf, sumsOf } from './arrangement.ts';
import styles from './rail.module.css';
import { type Heading, headingsIn, type Row } from './rows.ts';
import { useListText } from './use-list-text.ts';

const ENTRY_HEIGHT = 30;
const ENTRIES_BEYOND = 4;

interface RailProps {
  rows: readonly Row[];
  factsOf: FactsOf;
  /** The key of the heading in view. */
  active: string | undefined;
  /** Shows a heading; undefined: the top of the list. */
  onJump: (key: string | undefined) => void;
  total: number;
}

/** The customers and routes beside the list, each with its number of buses and the shares of their states. */
export const Rail = memo(function Rail({ rows, factsOf, active, onJump, total }: RailProps) {
  const own = useListText();
  const headings = useMemo(() => headingsIn(rows), [rows]);
  const ref = useRef<HTMLDivElement>(null);
  const virtual = useVirtualizer({
    count: headings.length,
    getScrollElement: () => ref.current,
    estimateSize: () => ENTRY_HEIGHT,
    overscan: ENTRIES_BEYOND,
    scrollMargin: ENTRY_HEIGHT,
    initialRect: { width: 0, height: window.innerHeight },
  });
  const at = headings.findIndex(({ key }) => key === active);
  useEffect(() => {
    if (at >= 0) virtual.scrollToIndex(at, { align: 'auto' });
  }, [at, virtual]);
  return (
    <nav className={styles.rail} aria-label={own.rail} ref={ref}>
      <button type="button" className={styles.customer} onClick={() => onJump(undefined)}>
        <span>{own.allBuses}</span> <b>{formatNumber(total)}</b>
      </button>
      <div className={styles.entries} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const heading = headings[item.index];
          return (
            heading && (
              <div
                key={item.key}
                className={styles.place}
                style={{ translate: `0 ${item.start - ENTRY_HEIGHT}px` }}
              >
                <Entry
                  heading={heading}
                  factsOf={factsOf}
                  isActive={heading.key === active}
                  onJump={onJump}
                />
              </div>
            )
          );
        })}
      </div>
    </nav>
  );
});

interface EntryProps extends Pick<RailProps, 'factsOf' | 'onJump'> {
  heading: Heading;
  isActive: boolean;
}

const Entry = memo(function Entry({ heading, factsOf, isActive, onJump }: EntryProps) {
  const { shell } = useText();
  const isCustomer = heading.kind === 'customer';
  const buses = isCustomer
    ? heading.section.routes.flatMap((route) => route.buses)
    : heading.route.buses;
  const name = isCustomer ? heading.name : (heading.route.name ?? shell.ungrouped);
  return (
    <button
      type="button"
      className={isCustomer ? styles.customer : styles.route}
      aria-current={isActive || undefined}
      title={name}
      onClick={() => onJump(heading.key)}
    >
      <span>{name}</span>
      {!isCustomer && <Shares states={sumsOf(buses, factsOf).states} />}
      <b>{buses.length}</b>
    </button>
  );
});

function Shares({ states }: { states: ReturnType<typeof sumsOf>['states'] }) {
  const { moving, standing, silent, off } = states;
  return (
    <i className={styles.shares} aria-hidden="true">
      <i style={{ flexGrow: moving }} data-state="moving" />
      <i style={{ flexGrow: standing }} data-state="standing" />
      <i style={{ flexGrow: silent }} data-state="silent" />
      <i style={{ flexGrow: off }} data-state="off" />
    </i>
  );
}
