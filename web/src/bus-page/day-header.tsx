import type { Bus, BusInfo } from '@ridewatch/contract/buses';
import { Link } from '@tanstack/react-router';
import { useSession } from '../core/session.ts';
import { useIsPhone } from '../ui/breakpoints.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { BusTitle } from './bus-title.tsx';
import styles from './day-header.module.css';
import { DayPicker } from './day-picker.tsx';
import { firstTab, openTabs, type Tab, type Tabs } from './tabs.ts';
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
  /** The day could not be loaded, so that no tool can work on it. */
  isWithoutDay: boolean;
  onDay: (day: string) => void;
}

/** The header of a bus's page: bus, tabs, tools and day. */
export function DayHeader(props: DayHeaderProps) {
  const { info, around, today, date, tabs, tab: current, tools, onDay } = props;
  const text = usePageText();
  const user = useSession()?.user;
  const isPhone = useIsPhone();
  const search = date === undefined ? {} : { date };
  const dayMs = Date.parse(info.day_start);
  const zone = zoneName(info.timezone, dayMs, text.locale);
  // Without `part` the address would open another tab.
  const isSecond = (tab: Tab) => tab === tabs[0] && firstTab(tabs, info) !== tab;
  return (
    <header className={styles.header}>
      <BusTitle info={info} around={around} date={date} tabs={tabs} tab={current}>
        {isPhone || <DeviceId info={info} />}
      </BusTitle>
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
              <ToolButton
                key={tool.title(text)}
                tool={tool}
                info={info}
                zoneName={zone}
                refusal={props.isWithoutDay ? text.toolWithoutDay : undefined}
              />
            ))}
          <DayPicker day={date ?? today} today={today} zone={zone} onDay={onDay} />
        </div>
      </div>
    </header>
  );
}

/** The id of the bus's unit, which only some users get. */
export function DeviceId({ info }: { info: BusInfo }) {
  if (!info.group_device_id) return null;
  return (
    <span className={styles.rid}>
      rid {info.group_device_id}
      <CopyButton value={info.group_device_id} />
    </span>
  );
}
