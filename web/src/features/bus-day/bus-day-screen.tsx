import { findBusInfo } from '@ridewatch/contract/buses';
import { dayOf } from '@ridewatch/contract/day';
import { Navigate, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useEndpoint } from '../../api.ts';
import { ApiError } from '../../api-error.ts';
import { busesAround } from '../../buses/order.ts';
import { useBuses } from '../../buses/use-buses.ts';
import { useText } from '../../i18n/language.ts';
import { useIsWide } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './bus-day-screen.module.css';
import { CountTab } from './count-tab.tsx';
import { DayHeader } from './day-header.tsx';
import { SideList } from './side-list.tsx';
import { useAddress } from './use-address.ts';
import { useDayText } from './use-day-text.ts';

const REFRESH_MS = 15_000;

/** One bus, one local day. */
export function BusDayScreen() {
  const { busId: typed = '' } = useParams({ strict: false });
  const text = useDayText();
  const common = useText();
  const isWide = useIsWide();
  const { search, go } = useAddress();
  const busId = /^[1-9]\d{0,15}$/.test(typed) ? Number(typed) : undefined;
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
  const isUnknown = error instanceof ApiError && error.status === 404;
  if (busId === undefined || isUnknown) return <Navigate to="/buses" replace />;
  // A day that does not exist is no day at all: the page opens on today.
  const isBadDay = !isDay || (error instanceof ApiError && error.status === 400);
  if (isBadDay) {
    return <Navigate to="/bus/$busId" params={{ busId: typed }} search={{}} replace />;
  }
  const today = info ? dayOf(Date.now(), info.timezone) : '';
  const goToDay = (day: string) => {
    if (day > today) return;
    // Another day clears the fragment (spec section 4).
    go({ date: day === today ? undefined : day, fragment: undefined, t: undefined });
  };
  const content = () => {
    if (info) {
      return (
        <>
          <DayHeader info={info} around={around} today={today} date={date} onDay={goToDay} />
          <CountTab
            key={`${busId}:${date ?? today}`}
            info={info}
            date={date ?? info.date}
            isToday={(date ?? today) === today}
            onDay={goToDay}
          />
        </>
      );
    }
    if (error) {
      return (
        <EmptyState title={text.failedTitle} text={text.failedText}>
          <Button kind="primary" isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
            {common.common.retry}
          </Button>
        </EmptyState>
      );
    }
    return (
      <div className={styles.skeleton} aria-busy="true">
        <i />
        <i />
        <i />
      </div>
    );
  };
  return (
    <div className={styles.page} data-wide={isWide || undefined}>
      {isWide && (
        <SideList
          sections={sections}
          isFailed={buses.isError}
          onRetry={() => void buses.refetch()}
          busId={busId}
          date={date}
          ungrouped={common.busList.ungrouped}
        />
      )}
      <div className={styles.main}>{content()}</div>
    </div>
  );
}
