import { UNGROUPED } from '@ridewatch/contract/bus-routes';
import type { Bus } from '@ridewatch/contract/buses';
import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useBuses } from '../../buses/use-buses.ts';
import { formatNumber } from '../../i18n/format.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { useAddress } from '../../page/use-address.ts';
import { Waiting } from '../../page/waiting.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { statsAddress } from './address.ts';
import { behindTick } from './behind.ts';
import { busLimit, type FilterProblem, type Filters, problemOf } from './filters.ts';
import { type Look, Report } from './report.tsx';
import styles from './stats-screen.module.css';
import { orderOf } from './table-order.ts';
import type { StatsTexts } from './texts-ru.ts';
import { useReport } from './use-report.ts';
import { useStatsText } from './use-stats-text.ts';

interface ReportPartProps {
  filters: Filters;
  today: string;
  onFilters: (filters: Filters) => void;
  /** The place of the exports on a phone. */
  tools: Element | null;
}

/** The report of filters, or why there is none. */
export function ReportPart({ filters, today, onFilters, tools }: ReportPartProps) {
  const text = useStatsText();
  const navigate = useNavigate();
  const { search, note } = useAddress<typeof statsAddress>();
  const { answer, before, compared, shown, isCurrent } = useReport(filters, today);
  const buses = useBuses({ isPaused: true }).data?.items;
  const { off, sort, view } = search;
  const look = useMemo(
    (): Look => ({
      off: new Set(off?.split('.')),
      order: orderOf(sort),
      isTableOnly: view === 'table',
      isByTick: view === 'ticks',
    }),
    [off, sort, view],
  );
  const { by } = filters;
  const places = useMemo(() => coloursOf(buses ?? [], by), [buses, by]);
  const problem = problemOf(filters);
  if (problem !== undefined) {
    return <EmptyState title={text.noReport} text={problemText(filters, problem, text)} />;
  }
  if (answer.error?.status === 404) {
    return <EmptyState title={text.noReport} text={text.foreign} />;
  }
  if (!shown) return <Waiting answer={answer} failed={text.failed} headPx={64} bodyPx={330} />;
  if (isCurrent && shown.traffic.items.length === 0) {
    return <EmptyState title={text.emptyTitle} text={text.emptyText} />;
  }
  const openTick = (span: DaySpan, seriesId: string | undefined) => {
    const behind = behindTick(filters, span, seriesId, (routeId) =>
      (buses ?? [])
        .filter((bus) => String(bus.group?.id ?? UNGROUPED) === routeId)
        .map(({ id }) => id),
    );
    if (behind.kind === 'report') onFilters(behind.filters);
    else {
      const { busId, day } = behind;
      void navigate({ to: '/bus/$busId', params: { busId }, search: { date: day } });
    }
  };
  const chosen = shown.filters.buses;
  return (
    <div className={styles.report} aria-busy={!isCurrent || undefined}>
      <FailedRead answer={before} what={text.comparison} />
      <Report
        {...{ ...shown, compared, today, places, look, tools }}
        busCount={chosen === 'all' ? (buses?.length ?? 0) : chosen.length}
        onLook={note}
        onTick={openTick}
      />
    </div>
  );
}

// By id: one that is added comes after the others, and changes no colour.
function coloursOf(buses: readonly Bus[], by: Filters['by']): ReadonlyMap<string, number> {
  const ids = buses.flatMap(({ id, group }) => (by === 'bus' ? id : (group?.id ?? [])));
  const ordered = [...new Set(ids)].sort((a, b) => a - b);
  return new Map(ordered.map((id, place) => [String(id), place]));
}

function problemText({ by, buses }: Filters, problem: FilterProblem, text: StatsTexts): string {
  if (problem !== 'tooManyBuses') return text.problems[problem];
  const chosen = text.busCount(buses === 'all' ? 0 : buses.length);
  return `${chosen}. ${text.problems.tooManyBuses(formatNumber(busLimit(by)))}`;
}
