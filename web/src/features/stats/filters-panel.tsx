import { STAT_PERIODS, spanOf } from '@ridewatch/contract/stat-ticks';
import { useState } from 'react';
import { Waiting } from '../../bus-page/waiting.tsx';
import { useBuses } from '../../buses/use-buses.ts';
import { DayField } from '../../forms/day-field.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { BusTree } from './bus-tree.tsx';
import styles from './filters.module.css';
import { ALL_WEEKDAYS, busLimit, COUNT_KEYS, customSpan, type Filters } from './filters.ts';
import { useStatsText } from './use-stats-text.ts';

interface FiltersPanelProps {
  filters: Filters;
  today: string;
  onReport: (filters: Filters) => void;
  onReset: () => void;
}

/** The fields of the filters; a report is built only with the button. */
export function FiltersPanel({ filters, today, onReport, onReset }: FiltersPanelProps) {
  const text = useStatsText();
  const answer = useBuses({ isPaused: true });
  const [draft, setDraft] = useState(filters);
  const change = (next: Partial<Filters>) => setDraft((before) => ({ ...before, ...next }));
  const { period, span, weekdays, by, buses } = draft;
  const limit = busLimit(by);
  const isTooMany = buses !== 'all' && buses.length > limit;
  const total = answer.data?.items.length ?? 0;
  const chosen = buses === 'all' ? total : buses.length;
  return (
    <aside className={styles.filters} aria-label={text.filters}>
      <div className={styles.fields}>
        <Choice
          label={text.period}
          value={period}
          options={STAT_PERIODS.map((value) => ({ value, label: text.periods[value] }))}
          onChange={(next) =>
            change({
              period: next,
              ...(next !== 'custom' && { span: spanOf(next, span.dateFrom) }),
            })
          }
        />
        <DayField
          label={text.from}
          day={span.dateFrom}
          today={today}
          onDay={(day) =>
            change({
              span: period === 'custom' ? customSpan(day, span.dateTo, today) : spanOf(period, day),
            })
          }
        />
        {period === 'custom' && (
          <DayField
            label={text.to}
            day={span.dateTo}
            today={today}
            onDay={(day) => change({ span: customSpan(span.dateFrom, day, today) })}
          />
        )}
        <Choice
          label={text.key}
          value={draft.key}
          options={COUNT_KEYS.map((value) => ({ value, label: text.keys[value] }))}
          onChange={(key) => change({ key })}
        />
        <Choice
          label={text.by}
          value={by}
          options={(['bus', 'route'] as const).map((value) => ({ value, label: text.bys[value] }))}
          onChange={(next) => change({ by: next })}
        />
        <fieldset className={styles.weekdays}>
          <legend>{text.weekdays}</legend>
          {ALL_WEEKDAYS.map((day) => (
            <button
              key={day}
              type="button"
              aria-pressed={weekdays.includes(day)}
              onClick={() => {
                const next = ALL_WEEKDAYS.filter((one) => weekdays.includes(one) !== (one === day));
                // Without any weekday there is nothing to report.
                if (next.length > 0) change({ weekdays: next });
              }}
            >
              {text.weekday[day - 1]}
            </button>
          ))}
        </fieldset>
        <Choice
          label={text.compare}
          value={draft.compared ?? 'none'}
          options={(['none', 'before', 'year'] as const).map((value) => ({
            value,
            label: text.compares[value],
          }))}
          onChange={(next) => change({ compared: next === 'none' ? undefined : next })}
        />
        <p className={styles.chosen}>
          {text.buses} <span>{text.chosen(formatNumber(chosen), formatNumber(total))}</span>
        </p>
      </div>
      {answer.sections ? (
        <BusTree
          sections={answer.sections}
          chosen={buses}
          onChosen={(next) => change({ buses: next })}
        />
      ) : (
        <Waiting answer={answer} bodyPx={200} />
      )}
      <footer className={styles.buttons}>
        {isTooMany && <p role="alert">{text.tooMany(formatNumber(limit))}</p>}
        <Button kind="primary" disabled={chosen === 0 || isTooMany} onClick={() => onReport(draft)}>
          {text.report}
        </Button>
        <Button onClick={onReset}>{text.reset}</Button>
      </footer>
    </aside>
  );
}
