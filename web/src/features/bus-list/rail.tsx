import { memo, useEffect, useMemo, useRef } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { type ListHandle, VirtualList } from '../../ui/virtual-list.tsx';
import { type FactsOf, sumsOf } from './arrangement.ts';
import styles from './rail.module.css';
import { type Heading, headingsIn, type Row } from './rows.ts';
import { useListText } from './use-list-text.ts';

const ENTRY_HEIGHT = 30;

interface RailProps {
  rows: readonly Row[];
  factsOf: FactsOf;
  /** The key of the heading in view. */
  active: string | undefined;
  /** Shows a heading; undefined: the top of the list. */
  onJump: (key: string | undefined) => void;
  /** Undefined until it is known. */
  total: number | undefined;
}

/** The customers and routes beside the list, each with its number of buses and the shares of their states. */
export const Rail = memo(function Rail({ rows, factsOf, active, onJump, total }: RailProps) {
  const own = useListText();
  const headings = useMemo(() => headingsIn(rows), [rows]);
  const list = useRef<ListHandle>(null);
  const at = headings.findIndex(({ key }) => key === active);
  useEffect(() => {
    if (at >= 0) list.current?.show(at, 'auto');
  }, [at]);
  return (
    <nav className={styles.rail} aria-label={own.rail}>
      <button type="button" className={styles.customer} onClick={() => onJump(undefined)}>
        <span>{own.allBuses}</span> <b>{total !== undefined && formatNumber(total)}</b>
      </button>
      <VirtualList
        ref={list}
        items={headings}
        keyOf={({ key }) => key}
        rowPx={ENTRY_HEIGHT}
        className={styles.entries}
      >
        {(heading) => <Entry {...{ heading, factsOf, onJump }} isActive={heading.key === active} />}
      </VirtualList>
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
