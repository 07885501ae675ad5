import type { Bus, BusInfo } from '@ridewatch/contract/buses';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { neighboursOf } from '../buses/order.ts';
import { formatDay } from '../i18n/format.ts';
import { dateTimeText } from '../i18n/moment-text.ts';
import { Ago } from '../ui/ago.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import { useTopBar } from '../ui/use-top-bar.ts';
import styles from './bus-title.module.css';
import { isSilent } from './is-silent.ts';
import { type Tab, type Tabs, tabAt } from './tabs.ts';
import { usePageText } from './use-page-text.ts';

interface BusTitleProps {
  info: BusInfo;
  /** The buses through which the arrows step. */
  around: readonly Bus[];
  /** The day in the address; links to other buses keep it. */
  date: string | undefined;
  tabs: Tabs;
  /** The shown tab. */
  tab: Tab;
  /** Further content beside the tags. */
  children: ReactNode;
}

/** When the last unit left a bus, in the bus's zone; undefined where none ever did. */
const leftAt = ({ without_unit, timezone }: BusInfo): string | undefined =>
  without_unit?.since == null ? undefined : dateTimeText(Date.parse(without_unit.since), timezone);

/** The name of a bus between its neighbours, its route, and whether it is online; on a phone in the top bar. */
export function BusTitle({ info, around, date, tabs, tab, children }: BusTitleProps) {
  const text = usePageText();
  const topBar = useTopBar();
  const beside = neighboursOf(around, info.id);
  const silent = isSilent(info);
  const spoken = () => {
    if (info.last_own_day !== null) return text.passedOn(formatDay(info.last_own_day));
    if (info.without_unit !== null) return text.noUnit(leftAt(info));
    if (info.last_seen_at === null) return text.neverSpoke;
    if (!silent) return text.online;
    return (
      <>
        {text.silent}, <Ago moment={info.last_seen_at} />
      </>
    );
  };
  const arrow = (to: Bus, label: string, icon: ReactNode) => (
    <Link
      to={tabAt(tabs, to, tab).path}
      params={{ busId: String(to.id) }}
      search={date === undefined ? {} : { date }}
      className={styles.arrow}
      aria-label={`${label}: ${to.name}`}
      title={to.name}
    >
      {icon}
    </Link>
  );
  const title = (
    <div className={styles.bus}>
      {beside && arrow(beside.previous, text.previousBus, <BackIcon />)}
      <h1 className={styles.name}>{info.name}</h1>
      {beside && arrow(beside.next, text.nextBus, <ForwardIcon />)}
      <span className={styles.tags}>
        {info.group && <span className={styles.tag}>{info.group.name}</span>}
        <span className={styles.tag} data-kind={silent ? 'silent' : 'online'}>
          {spoken()}
        </span>
      </span>
      {children}
    </div>
  );
  return topBar ? createPortal(title, topBar) : title;
}
