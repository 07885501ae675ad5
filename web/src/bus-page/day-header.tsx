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
import { MergeButton } from './merge-button.tsx';
import { RecalculateButton } from './recalculate-button.tsx';
import { firstTab, openTabs, type Tab, tabAt, tabs } from './tabs.ts';
import { usePageText } from './use-page-text.ts';
import { zoneName } from './zone-name.ts';

interface DayHeaderProps {
  info: BusInfo;
  /** The buses that the arrows go through. */
  around: readonly Bus[];
  today: string;
  /** The day in the address; kept when the bus changes. */
  date: string | undefined;
  tab: Tab['to'];
  onDay: (day: string) => void;
}

/** Which bus, which part of its page, which day. */
export function DayHeader({ info, around, today, date, tab: current, onDay }: DayHeaderProps) {
  const text = usePageText();
  const isAdmin = useSession()?.user.role === 'ADMIN';
  const beside = neighboursOf(around, info.id);
  const search = date === undefined ? {} : { date };
  const lastMs = info.last_seen_at === null ? 0 : Date.parse(info.last_seen_at);
  const isSilent = nowMs() - lastMs > SILENT_AFTER_MS;
  const dayMs = Date.parse(info.day_start);
  const zone = zoneName(info.timezone, dayMs, text.locale);
  // The bare address would open another tab.
  const isSecond = (tab: Tab) => tab === tabs[0] && firstTab(info) !== tab;
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
            to={tabAt(beside.previous, current)}
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
            to={tabAt(beside.next, current)}
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
          {openTabs(info).map((tab) => (
            <Link
              key={tab.to}
              to={tab.to}
              params={{ busId: String(info.id) }}
              search={isSecond(tab) ? { ...search, part: 'count' } : search}
              className={styles.tab}
              activeOptions={{ exact: true }}
              aria-current={tab.to === current ? 'page' : undefined}
            >
              {tab.title(text)}
            </Link>
          ))}
        </nav>
        <div className={styles.tools}>
          {isAdmin && info.cameras.length > 0 && <RecalculateButton info={info} />}
          <MergeButton info={info} zoneName={zone} />
          <DayPicker day={info.date} today={today} zone={zone} onDay={onDay} />
        </div>
      </div>
    </header>
  );
}
