import { Navigate, Outlet, useMatches } from '@tanstack/react-router';
import { useMemo } from 'react';
import { busesAround } from '../buses/order.ts';
import { useBuses } from '../buses/use-buses.ts';
import type { AddressKeys } from '../core/address.ts';
import { AddressDayContext, useAddress } from '../page/use-address.ts';
import { Waiting } from '../page/waiting.tsx';
import { useIsPhone, useIsWide } from '../ui/breakpoints.ts';
import { useTitle } from '../ui/use-title.ts';
import { type PageAddress, pageAddress } from './address.ts';
import { readBusConfig } from './bus-config.ts';
import styles from './bus-page.module.css';
import { collapsed } from './collapsed.ts';
import { DayHeader, DeviceId } from './day-header.tsx';
import { SideList } from './side-list.tsx';
import { firstTab, openTabs, type Tab, type Tabs } from './tabs.ts';
import type { BusTool } from './tools.ts';
import { BusPageContext } from './use-bus-page.ts';
import { useDayKeys } from './use-day-keys.ts';
import { useNamedBus } from './use-named-bus.ts';

interface BusPageProps {
  tabs: Tabs;
  tools: readonly BusTool[];
}

/** The page of a bus and a local day, around its tabs. */
export function BusPage({ tabs, tools }: BusPageProps) {
  const isWide = useIsWide();
  const isPhone = useIsPhone();
  const { search, go } = useAddress<PageAddress>();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const tab = tabs.find((one) => one.path === path) ?? tabs[0];
  const { date } = search;
  const { typed, busId, answer, info, isWithoutDay, today, isBadDay } = useNamedBus(date);
  const buses = useBuses();
  const { sections } = buses;
  const around = useMemo(
    () => (sections && busId ? busesAround(sections, busId) : []),
    [sections, busId],
  );
  const { config: typedConfig = '{}' } = info ?? {};
  const config = useMemo(() => readBusConfig(busId ?? 0, typedConfig), [busId, typedConfig]);
  useSearchKey(isWide);
  useTitle(info?.name);
  if (busId === undefined) return <Navigate to="/buses" replace />;
  const lead = ({ path: to }: Tab, query: typeof search) => (
    <Navigate to={to} params={{ busId: typed }} search={query} replace />
  );
  // The bus does not have every tab.
  const isOpen = !info || openTabs(tabs, info).some((one) => one === tab);
  const first = info && firstTab(tabs, info);
  const isElsewhere = tab === tabs[0] && search.part !== 'count' && first && first !== tab;
  if (isElsewhere) return lead(first, search);
  if (isBadDay || !isOpen) {
    // Without a date the tab opens on today.
    return lead(isOpen ? tab : tabs[0], isBadDay || !date ? {} : { date });
  }
  // While today has nothing, a page without a date opens on the latest day that has something.
  const latest = (!tab.isOfToday && info?.latest_day) || today;
  if (latest < today && !date) return lead(tab, { ...search, date: latest });
  // The address leaves out no other day: it would lead to the latest one, with a page anew that misses the next keys.
  const undated = latest === today ? today : undefined;
  const address: AddressKeys = { ...pageAddress, ...tab.address };
  const goToDay = (day: string) => {
    if (day > today) return;
    // Another day clears the selections in this one (spec section 4).
    const cleared = Object.keys(address).filter((key) => address[key] !== 'anyDay');
    go({
      ...Object.fromEntries(cleared.map((key) => [key, undefined])),
      date: day === undated ? undefined : day,
    });
  };
  const day = date ?? today;
  const isToday = day === today;
  return (
    <div className={styles.page} data-wide={isWide || undefined}>
      {isWide && (
        <SideList
          sections={sections}
          isFailed={buses.isError}
          onRetry={() => void buses.refetch()}
          busId={busId}
          date={date}
          tabs={tabs}
          tab={tab}
        />
      )}
      <div className={styles.main}>
        {info ? (
          <BusPageContext value={{ info, config, date: day, today, isToday, goToDay }}>
            <AddressDayContext value={{ address, date: day, undated }}>
              <DayHeader
                info={info}
                around={around}
                today={today}
                date={date}
                tabs={tabs}
                tab={tab}
                tools={tools}
                isWithoutDay={isWithoutDay}
                onDay={goToDay}
              />
              {isWithoutDay ? (
                <Waiting answer={answer} bodyPx={428} />
              ) : (
                <Outlet key={`${busId}:${day}`} />
              )}
              {isPhone && <DeviceId info={info} />}
            </AddressDayContext>
          </BusPageContext>
        ) : (
          <Waiting answer={answer} headPx={96} bodyPx={428} isPage />
        )}
      </div>
    </div>
  );
}

/** The key `/` focuses the search of the tab, else of the list beside the page. A page without a search stays as it is. */
function useSearchKey(isWide: boolean): void {
  useDayKeys((event) => {
    if (event.code !== 'Slash' || event.shiftKey) return false;
    const inTab = document.querySelector<HTMLInputElement>('[data-search]');
    if (inTab) {
      inTab.focus();
    } else if (isWide) {
      collapsed.set(false);
      focusSearch();
    } else {
      return false;
    }
    return true;
  });
}

// The input may not be rendered yet.
function focusSearch(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLInputElement>('[data-bus-search]')?.focus();
  });
}
