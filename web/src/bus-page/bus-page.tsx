import { type BusInfo, findBusInfo } from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import { Navigate, Outlet, useMatches, useNavigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEndpoint } from '../api.ts';
import { ApiError } from '../api-error.ts';
import { busesAround } from '../buses/order.ts';
import { useBuses } from '../buses/use-buses.ts';
import { nowMs } from '../clock.ts';
import { useText } from '../i18n/language.ts';
import { useIsWide } from '../ui/breakpoints.ts';
import { useTitle } from '../ui/use-title.ts';
import styles from './bus-page.module.css';
import { DayHeader } from './day-header.tsx';
import { collapsed, SideList } from './side-list.tsx';
import { firstTab, openTabs, tabs } from './tabs.ts';
import { useAddress } from './use-address.ts';
import { BusPageContext, type BusPageState } from './use-bus-page.ts';
import { useDayKeys } from './use-day-keys.ts';
import { Waiting } from './waiting.tsx';

const REFRESH_MS = 15_000;

/** One bus, one local day: what stands around its tabs. */
export function BusPage() {
  const { busId: typed = '' } = useParams({ strict: false });
  const shell = useText().shell;
  const isWide = useIsWide();
  const { search, go } = useAddress();
  const path = useMatches({ select: (matches) => matches.at(-1)?.fullPath });
  const tab = tabs.find(({ to }) => to === path?.replace(/\/$/, '')) ?? tabs[0];
  const busId = /^[1-9]\d{0,15}$/.test(typed) ? Number(typed) : undefined;
  const navigate = useNavigate();
  useDayKeys((event) => {
    if (event.code !== 'Slash' || event.shiftKey) return false;
    if (isWide) {
      collapsed.set(false);
      focusSearch();
    } else {
      void navigate({ to: '/buses' }).then(focusSearch);
    }
    return true;
  });
  const buses = useBuses();
  const { sections } = buses;
  const around = useMemo(
    () => (sections && busId ? busesAround(sections, busId) : []),
    [sections, busId],
  );
  const { date } = search;
  const isDay = date === undefined || /^\d{4}-\d\d-\d\d$/.test(date);
  const answer = useEndpoint(
    findBusInfo,
    { params: { busId: busId ?? 0 }, query: date === undefined ? {} : { date } },
    {
      enabled: busId !== undefined && isDay,
      handled: true,
      refetchInterval: REFRESH_MS,
      // The header stays while another day of the same bus is asked for.
      placeholderData: (before) => (before?.id === busId ? before : undefined),
    },
  );
  const { data: info, error } = answer;
  useTitle(info?.name);
  const isUnknown = error instanceof ApiError && error.status === 404;
  if (busId === undefined || isUnknown) return <Navigate to="/buses" replace />;
  // A day that does not exist, or not yet, is no day at all: the tab opens on today.
  const isAhead = info !== undefined && date !== undefined && date > dayOf(nowMs(), info.timezone);
  const isBadDay = !isDay || isAhead || (error instanceof ApiError && error.status === 400);
  // A tab that this bus does not have is no place to be.
  const isOpen = !info || openTabs(info).some((one) => one === tab);
  const first = info && firstTab(info);
  const isElsewhere = tab === tabs[0] && search.part !== 'count' && first && first !== tab;
  if (isElsewhere) {
    return <Navigate to={first.to} params={{ busId: typed }} search={search} replace />;
  }
  if (isBadDay || !isOpen) {
    const kept = isBadDay || date === undefined ? {} : { date };
    const to = isOpen && tab ? tab.to : '/bus/$busId';
    return <Navigate to={to} params={{ busId: typed }} search={kept} replace />;
  }
  const today = info ? dayOf(nowMs(), info.timezone) : '';
  const goToDay = (day: string) => {
    if (day > today) return;
    // Another day clears what was chosen of this one (spec section 4).
    go({
      date: day === today ? undefined : day,
      lap: undefined,
      pin: undefined,
      stop: undefined,
      fragment: undefined,
      t: undefined,
      from: undefined,
      span: undefined,
    });
  };
  const content = (shown: BusInfo) => {
    const day = date ?? today;
    const state: BusPageState = {
      info: shown,
      date: day,
      today,
      isToday: day === today,
      goToDay,
    };
    return (
      <BusPageContext value={state}>
        <DayHeader
          info={shown}
          around={around}
          today={today}
          date={date}
          tab={tab?.to ?? '/bus/$busId'}
          onDay={goToDay}
        />
        <Outlet key={`${busId}:${day}`} />
      </BusPageContext>
    );
  };
  const waiting = <Waiting answer={answer} headPx={96} bodyPx={428} />;
  return (
    <div className={styles.page} data-wide={isWide || undefined}>
      {isWide && (
        <SideList
          sections={sections}
          isFailed={buses.isError}
          onRetry={() => void buses.refetch()}
          busId={busId}
          date={date}
          tab={tab?.to ?? '/bus/$busId'}
          ungrouped={shell.ungrouped}
        />
      )}
      <div className={styles.main}>{info ? content(info) : waiting}</div>
    </div>
  );
}

// The field may have yet to appear.
function focusSearch(): void {
  requestAnimationFrame(() => {
    document.querySelector<HTMLInputElement>('[data-bus-search]')?.focus();
  });
}
