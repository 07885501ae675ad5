import { listBuses } from '@ridewatch/contract/buses';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { comparedSpan, periodOf } from '@ridewatch/contract/stat-ticks';
import { findPassengerTraffic } from '@ridewatch/contract/stats';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useEndpoint } from '../../api.ts';
import { FailedRead } from '../../bus-page/failed-read.tsx';
import { Waiting } from '../../bus-page/waiting.tsx';
import { nowMs } from '../../clock.ts';
import { Modal } from '../../forms/modal.tsx';
import { useSession } from '../../session.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import { useTitle } from '../../ui/use-title.ts';
import { addressOfFilters, type Filters, queryOfFilters, readFilters } from './filters.ts';
import { FiltersPanel } from './filters-panel.tsx';
import { Report } from './report.tsx';
import styles from './stats-screen.module.css';
import { useStatsText } from './use-stats-text.ts';

/** The statistics: filters, and the report that the address names. */
export function StatsScreen() {
  const text = useStatsText();
  useTitle(text.title);
  const search: Readonly<Record<string, string>> = useSearch({ strict: false });
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const today = formatMoment(nowMs(), FALLBACK_ZONE, 'YYYY-MM-DD');
  const filters = readFilters(search, today);
  const go = (to: Readonly<Record<string, string | undefined>>, replace = false) =>
    void navigate({ to: '/stats', search: to, replace, resetScroll: false });
  const panel = (
    <FiltersPanel
      // Back and a pasted link fill the fields anew.
      key={JSON.stringify(addressOfFilters(filters))}
      filters={search.period ? filters : { ...filters, buses: 'all' }}
      today={today}
      onReport={(next) => {
        setOpen(false);
        go(addressOfFilters(next));
      }}
      onReset={() => go({})}
    />
  );
  const off = search.off?.split('.') ?? [];
  return (
    <div className={styles.page}>
      {isPhone ? (
        <div className={styles.bar}>
          <Button onClick={() => setOpen(true)}>{text.filters}</Button>
        </div>
      ) : (
        panel
      )}
      {isPhone && isOpen && (
        <Modal title={text.filters} onClose={() => setOpen(false)}>
          {panel}
        </Modal>
      )}
      <div className={styles.content}>
        <DemoBanner />
        {search.period === undefined || filters.buses.length === 0 ? (
          <EmptyState title={text.firstTitle} text={text.firstText} />
        ) : (
          <Answer
            filters={filters}
            today={today}
            off={off}
            onOff={(ids) => go({ ...search, off: ids.join('.') || undefined }, true)}
            onOpen={(next) => go(addressOfFilters(next))}
          />
        )}
      </div>
    </div>
  );
}

function DemoBanner() {
  const text = useStatsText();
  const [isClosed, setClosed] = useState(false);
  const email = useSession()?.user.company.support_email ?? '';
  if (isClosed) return null;
  return (
    <div className={styles.banner}>
      <span>
        {text.demo} <a href={`mailto:${email}`}>{text.feedback}</a>
      </span>
      <IconButton label={text.close} onClick={() => setClosed(true)}>
        <CloseIcon />
      </IconButton>
    </div>
  );
}

interface AnswerProps {
  filters: Filters;
  today: string;
  off: readonly string[];
  onOff: (ids: readonly string[]) => void;
  onOpen: (filters: Filters) => void;
}

function Answer({ filters, today, off, onOff, onOpen }: AnswerProps) {
  const text = useStatsText();
  const answer = useEndpoint(findPassengerTraffic, { query: queryOfFilters(filters) });
  const other = filters.compared && comparedSpan(filters.span, filters.compared, filters.period);
  const before = useEndpoint(
    findPassengerTraffic,
    { query: queryOfFilters(filters, other) },
    { enabled: other !== undefined },
  );
  const buses = useEndpoint(listBuses, {});
  // The route of each bus, to open the buses behind a tick.
  const ofRoute = useMemo(
    () => (id: string) =>
      (buses.data?.items ?? []).filter((bus) => String(bus.group?.id ?? 'ungrouped') === id),
    [buses.data],
  );
  if (!answer.data)
    return <Waiting answer={answer} failed={text.failed} headPx={64} bodyPx={330} />;
  if (answer.data.items.length === 0) {
    return <EmptyState title={text.emptyTitle} text={text.emptyText} />;
  }
  return (
    <>
      <FailedRead answer={before} what={text.compare} />
      <Report
        traffic={answer.data}
        before={other && before.data?.totals}
        filters={filters}
        today={today}
        off={new Set(off)}
        onOff={onOff}
        onTick={(id, span) => {
          const chosen = filters.buses === 'all' ? undefined : new Set(filters.buses);
          const ids = ofRoute(id).map((bus) => bus.id);
          const behind = chosen ? ids.filter((one) => chosen.has(one)) : ids;
          if (behind.length > 0)
            onOpen({ ...filters, by: 'bus', buses: behind, period: periodOf(span), span });
        }}
      />
    </>
  );
}
