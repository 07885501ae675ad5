import { useNavigate } from '@tanstack/react-router';
import { type Ref, useMemo, useState } from 'react';
import { useToday } from '../../buses/use-today.ts';
import { Modal } from '../../forms/modal.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { useAddress } from '../../page/use-address.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { drawn } from '../../ui/icons.tsx';
import { useTitle } from '../../ui/use-title.ts';
import type { statsAddress } from './address.ts';
import { DemoBanner } from './demo-banner.tsx';
import {
  ALL_WEEKDAYS,
  addressOfFilters,
  type Filters,
  firstFilters,
  readFilters,
} from './filters.ts';
import { FiltersPanel } from './filters-panel.tsx';
import { periodText } from './period-field.tsx';
import { ReportPart } from './report-part.tsx';
import styles from './stats-screen.module.css';
import { useStatsText } from './use-stats-text.ts';

type StatsAddress = typeof statsAddress;

const FilterIcon = drawn('M4 7h16M7 12h10M10 17h4');

/** The statistics: filters, and the report that the address names. */
export function StatsScreen() {
  const text = useStatsText();
  useTitle(text.title);
  const { search, go } = useAddress<StatsAddress>();
  const navigate = useNavigate();
  const isPhone = useIsPhone();
  const [isOpen, setOpen] = useState(false);
  const [tools, setTools] = useState<HTMLElement | null>(null);
  const today = useToday();
  const isWanted = search.period !== undefined;
  const { period, from, to, key, by, days, buses, with: compared, until } = search;
  const filters = useMemo(() => {
    const named = { period, from, to, key, by, days, buses, with: compared, until };
    return isWanted ? readFilters(named, today) : firstFilters(today);
  }, [period, from, to, key, by, days, buses, compared, until, isWanted, today]);
  const open = (next: Filters) =>
    go({
      // The new filters replace these values of the last report, also where they have none.
      ...{ to: undefined, days: undefined, with: undefined, until: undefined },
      // Hidden series are of one grouping.
      ...(next.by !== filters.by && { off: undefined }),
      ...addressOfFilters(next),
    });
  const panel = (
    <FiltersPanel
      filters={filters}
      today={today}
      isBeside={isWanted && !isPhone}
      onReport={(next) => {
        setOpen(false);
        open(next);
      }}
      onReset={() => void navigate({ to: '/stats' })}
    />
  );
  return (
    <div className={styles.page}>
      {isPhone ? (
        <PhoneBar
          filters={isWanted ? filters : undefined}
          tools={setTools}
          onOpen={() => setOpen(true)}
        />
      ) : (
        panel
      )}
      {isPhone && isOpen && (
        <Modal title={text.filters} onClose={() => setOpen(false)}>
          {panel}
        </Modal>
      )}
      <div className={styles.content}>
        {/* The menu and the phone's bar show it. */}
        <h1 className="visually-hidden">{text.title}</h1>
        <DemoBanner />
        {isWanted ? (
          <ReportPart {...{ filters, today, tools }} onFilters={open} />
        ) : (
          <EmptyState title={text.firstTitle} text={text.firstText}>
            {isPhone && (
              <Button kind="primary" onClick={() => setOpen(true)}>
                {text.filters}
              </Button>
            )}
          </EmptyState>
        )}
      </div>
    </div>
  );
}

interface PhoneBarProps {
  /** Absent before the first report. */
  filters: Filters | undefined;
  /** Gets the place of the exports. */
  tools: Ref<HTMLDivElement>;
  onOpen: () => void;
}

function PhoneBar({ filters, tools, onOpen }: PhoneBarProps) {
  const text = useStatsText();
  const chips = filters
    ? [
        periodText(filters, text),
        text.keys[filters.key],
        text.bys[filters.by],
        ...(filters.weekdays.length < ALL_WEEKDAYS.length
          ? [filters.weekdays.map((day) => text.weekday[day - 1]).join(', ')]
          : []),
        filters.buses === 'all' ? text.allBuses : text.busCount(filters.buses.length),
      ]
    : [];
  return (
    <div className={styles.bar}>
      <div className={styles.barButtons}>
        <Button className={styles.open} onClick={onOpen}>
          <FilterIcon /> {text.filters}
          {chips.length > 0 && <b>{formatNumber(chips.length)}</b>}
        </Button>
        <div ref={tools} />
      </div>
      <p className={styles.chips}>
        {chips.map((chip) => (
          <span key={chip}>{chip}</span>
        ))}
      </p>
    </div>
  );
}
