import { type Bus, type BusInfo, SILENT_AFTER_MS } from '@ridewatch/contract/buses';
import { Link } from '@tanstack/react-router';
import { neighboursOf } from '../buses/order.ts';
import { nowMs } from '../clock.ts';
import { useSession } from '../session.ts';
import { Ago } from '../ui/ago.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { BackIcon, ForwardIcon } from '../ui/icons.tsx';
import styles from './day-header.module.css';
import { DayPicker } from './day-picker.tsx';
import { firstTab, openTabs, type Tab, type Tabs, tabAt } from './tabs.ts';
import { ToolButton } from './tool-button.tsx';
import type { BusTool } from './tools.ts';
import { usePageText } from './use-page-text.ts';
import { zoneName } from './zone-name.ts';

interface DayHeaderProps {
  info: BusInfo;
  /** The buses through which the arrows step. */
  around: readonly Bus[];
  today: string;
  /** The day in the address; links to other buses keep it. */
  date: string | undefined;
  tabs: Tabs;
  /** The shown tab. */
  tab: Tab;
  tools: readonly BusTool[];
  onDay: (day: string) => void;
}

/** The header of a bus's page: bus, tabs, tools and day. */
export function DayHeader(props: DayHeaderProps) {
  const { info, around, today, date, tabs, tab: current, tools, onDay } = props;
  const text = usePageText();
  const user = useSession()?.user;
  const beside = neighboursOf(around, info.id);
  const search = date === undefined ? {} : { date };
  const lastMs = info.last_seen_at === null ? 0 : Date.parse(info.last_seen_at);
  const isSilent = nowMs() - lastMs > SILENT_AFTER_MS;
  const dayMs = Date.parse(info.day_start);
  const zone = zoneName(info.timezone, dayMs, text.locale);
  // Without `part` the address would open another tab.
  const isSecond = (tab: Tab) => tab === tabs[0] && firstTab(tabs, info) !== tab;
  const spoken = () => {
    if (info.last_seen_at === null) return text.neverSpoke;
    if (!isSilent) return text.online;
    return (
      <>
        {text.silent}, <Ago moment={info.last_seen_at} />
      </>
    );
  };
  return (
    <header className={styles.header}>
      <div className={styles.bus}>
        {beside && (
          <Link
            to={tabAt(tabs, beside.previous, current).path}
            params={{ busId: String(beside.previous.id) }}
            search={search}
            className={styles.arrow}
            aria-label={`${text.previousBus}: ${beside.previous.name}`}
            title={beside.previous.name}
          >
            <BackIcon />
          </Link>
        )}
        <h1 className={styles.name}>{info.name}</h1>
        {beside && (
          <Link
            to={tabAt(tabs, beside.next, current).path}
            params={{ busId: String(beside.next.id) }}
            search={search}
            className={styles.arrow}
            aria-label={`${text.nextBus}: ${beside.next.name}`}
            title={beside.next.name}
          >
            <ForwardIcon />
          </Link>
        )}
        {info.group && <span className={styles.tag}>{info.group.name}</span>}
        <span className={styles.tag} data-kind={isSilent ? 'silent' : 'online'}>
          {spoken()}
        </span>
        {info.group_device_id && (
          <span className={styles.rid}>
            rid {info.group_device_id}
            <CopyButton value={info.group_device_id} />
          </span>
        )}
      </div>
      <div className={styles.line}>
        <nav className={styles.tabs} aria-label={text.tabs}>
          {openTabs(tabs, info).map((tab) => (
            <Link
              key={tab.path}
              to={tab.path}
              params={{ busId: String(info.id) }}
              search={isSecond(tab) ? { ...search, part: 'count' } : search}
              className={styles.tab}
              activeOptions={{ exact: true }}
              aria-current={tab === current ? 'page' : undefined}
            >
              {text[tab.tab]}
            </Link>
          ))}
        </nav>
        <div className={styles.tools}>
          {tools
            .filter(({ isFor }) => isFor(info, user))
            .map((tool) => (
              <ToolButton key={tool.title(text)} tool={tool} info={info} zoneName={zone} />
            ))}
          <DayPicker day={date ?? today} today={today} zone={zone} onDay={onDay} />
        </div>
      </div>
    </header>
  );
}
