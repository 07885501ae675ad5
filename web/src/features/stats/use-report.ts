import { addDays } from '@ridewatch/contract/day';
import { comparedSpan, type DaySpan } from '@ridewatch/contract/stat-ticks';
import { findPassengerTraffic } from '@ridewatch/contract/stats';
import { useMemo, useState } from 'react';
import { useEndpoint } from '../../calls/api.ts';
import { countsUntilNow, type Filters, problemOf, queryOfFilters } from './filters.ts';
import { passedPart, type Traffic } from './series.ts';

/** While days are not in the figures yet, ms. */
const PENDING_REFRESH_MS = 10_000;
/** While today is in the range, ms. */
const RUNNING_REFRESH_MS = 60_000;

const refreshMs = (traffic: Traffic | undefined): number | false =>
  !!traffic && (traffic.pending > 0 || traffic.arriving !== null) && PENDING_REFRESH_MS;

/** An answer, and the filters that it is of. */
interface Shown {
  readonly filters: Filters;
  readonly traffic: Traffic;
}

/**
 * The statistic of filters and that of the compared range; none of filters with a problem. While the next one loads,
 * the last one stays shown.
 */
export function useReport(filters: Filters, today: string) {
  const isPossible = problemOf(filters) === undefined;
  const { span } = filters;
  const isRunning = span.dateFrom <= today && today <= span.dateTo;
  const answer = useEndpoint(
    findPassengerTraffic,
    { query: queryOfFilters(filters, today) },
    {
      enabled: isPossible,
      // The user may have edited a day before coming back to this page.
      refetchOnMount: 'always',
      refetchInterval: ({ state }) => {
        return refreshMs(state.data) || (isRunning && RUNNING_REFRESH_MS);
      },
    },
  );
  const other = useMemo(() => otherSpan(filters, today), [filters, today]);
  const before = useEndpoint(
    findPassengerTraffic,
    { query: queryOfFilters(filters, today, other) },
    {
      enabled: isPossible && other !== undefined,
      refetchInterval: ({ state }) => {
        return refreshMs(state.data) || (isRunning && RUNNING_REFRESH_MS);
      },
    },
  );
  const [last, setLast] = useState<Shown>();
  const { data } = answer;
  if (data && (last?.traffic !== data || last.filters !== filters)) {
    setLast({ filters, traffic: data });
  }
  const isCurrent = last?.filters === filters;
  const compared = useMemo(
    () => (isCurrent && other && before.data ? { span: other, traffic: before.data } : undefined),
    [isCurrent, other, before.data],
  );
  // A report that failed is not hidden behind an older one.
  const shown = data || !answer.isError ? last : undefined;
  return { answer, before, compared, shown, isCurrent };
}

function otherSpan(filters: Filters, today: string): DaySpan | undefined {
  const { compared, period, span } = filters;
  const found = compared && comparedSpan(span, compared, period);
  const last = countsUntilNow(filters, today) ? today : addDays(today, -1);
  return found && passedPart(found, span, last);
}
