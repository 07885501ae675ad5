import type { Bus } from '@ridewatch/contract/buses';
import { Link } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { useText } from '../i18n/language.ts';
import { type ListHandle, VirtualList } from '../ui/virtual-list.tsx';
import styles from './side-list.module.css';
import type { SideRow } from './side-rows.ts';
import { type Tab, type Tabs, tabAt } from './tabs.ts';

/** Heights of the rows, px. */
const ROW_PX = { customer: 40, route: 36, bus: 40 };

interface SideBusesProps {
  rows: readonly SideRow[];
  /** The query that the rows were searched for. */
  query: string;
  hasCustomers: boolean;
  busId: number;
  date: string | undefined;
  tabs: Tabs;
  tab: Tab;
}

/** The buses beside the page as a virtual list that keeps the shown bus in view. */
export function SideBuses({ rows, query, busId, ...shown }: SideBusesProps) {
  const list = useRef<ListHandle>(null);
  const isKnown = rows.length > 0;
  const seen = useRef<number>(undefined);
  const bring = useEffectEvent((shownId: number, sought: string) => {
    if (sought !== '') {
      list.current?.show(0, 'auto');
      return;
    }
    const at = rows.findIndex((row) => row.kind === 'bus' && row.bus.id === shownId);
    const align = seen.current === undefined ? 'center' : 'auto';
    if (at >= 0) list.current?.show(at, align);
    seen.current = shownId;
  });
  // Only another bus or another search moves the list; a refresh of the buses does not.
  useEffect(() => {
    if (isKnown) bring(busId, query);
  }, [isKnown, busId, query]);
  return (
    <VirtualList
      ref={list}
      items={rows}
      keyOf={({ key }) => key}
      rowPx={({ kind }) => ROW_PX[kind]}
      className={styles.frame}
    >
      {(row) =>
        row.kind === 'bus' ? (
          <BusLink bus={row.bus} isShown={row.bus.id === busId} {...shown} />
        ) : (
          <Heading row={row} hasCustomers={shown.hasCustomers} />
        )
      }
    </VirtualList>
  );
}

function Heading({
  row,
  hasCustomers,
}: {
  row: Exclude<SideRow, { kind: 'bus' }>;
  hasCustomers: boolean;
}) {
  const { shell } = useText();
  if (row.kind === 'customer') return <h2 className={styles.customer}>{row.name}</h2>;
  // Without headings of customers the headings of routes are one level higher.
  const Level = hasCustomers ? 'h3' : 'h2';
  return (
    <Level className={styles.route}>
      <span>{row.name ?? shell.ungrouped}</span> <span>{row.count}</span>
    </Level>
  );
}

interface BusLinkProps {
  bus: Bus;
  isShown: boolean;
  date: string | undefined;
  tabs: Tabs;
  tab: Tab;
}

function BusLink({ bus, isShown, date, tabs, tab }: BusLinkProps) {
  return (
    <Link
      to={tabAt(tabs, bus, tab).path}
      params={{ busId: String(bus.id) }}
      search={date === undefined ? {} : { date }}
      className={styles.bus}
      aria-current={isShown ? 'page' : undefined}
    >
      <span>{bus.name}</span>
      <span className={styles.dots} aria-hidden="true">
        {bus.cameras.map((camera) => (
          <i
            key={camera.id}
            data-online={camera.enabled || camera.status === 'online' || undefined}
          />
        ))}
      </span>
    </Link>
  );
}
