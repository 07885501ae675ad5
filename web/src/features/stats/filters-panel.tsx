import { periodOf, STAT_PERIODS, spanOf } from '@ridewatch/contract/stat-ticks';
import { type ReactNode, useState } from 'react';
import { useBuses } from '../../buses/use-buses.ts';
import { DayPresets } from '../../forms/day-presets.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Waiting } from '../../page/waiting.tsx';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { BusTree } from './bus-tree.tsx';
import styles from './filters.module.css';
import {
  ALL_WEEKDAYS,
  addressOfFilters,
  busLimit,
  COUNT_KEYS,
  countsUntilNow,
  type Filters,
  problemOf,
  WORKDAYS,
} from './filters.ts';
import { PeriodField } from './period-field.tsx';
import { useStatsText } from './use-stats-text.ts';

interface FiltersPanelProps {
  filters: Filters;
  today: string;
  /** A report is beside the filters: the count key and the arrows of the period apply at once. */
  isBeside: boolean;
  onReport: (filters: Filters) => void;
  onReset: () => void;
}

/** The fields of the filters. The button makes a report of them. */
export function FiltersPanel({ filters, today, isBeside, onReport, onReset }: FiltersPanelProps) {
  const text = useStatsText();
  const answer = useBuses({ isPaused: true });
  const [draft, setDraft] = useState(filters);
  // Back, and a pasted link, fill the fields anew.
  const address = JSON.stringify(addressOfFilters(filters));
  const [filledBy, setFilledBy] = useState(address);
  if (filledBy !== address) {
    setFilledBy(address);
    setDraft(filters);
  }
  const change = (next: Partial<Filters>) => setDraft((before) => ({ ...before, ...next }));
  const apply = (next: Partial<Filters>) => {
    change(next);
    const whole = { ...draft, ...next };
    if (isBeside && problemOf(whole) === undefined) onReport(whole);
  };
  const { period, weekdays, by, buses } = draft;
  const problem = problemOf(draft);
  const total = answer.data?.items.length ?? 0;
  const chosen = buses === 'all' ? total : buses.length;
  return (
    <aside className={styles.filters} aria-label={text.filters}>
      <div className={styles.fields}>
        <Field label={text.period} isGrid>
          <Choice
            label={text.period}
            value={period}
            options={STAT_PERIODS.map((value) => ({ value, label: text.periods[value] }))}
            onChange={(next) =>
              change({
                period: next,
                ...(next !== 'custom' && { span: spanOf(next, dayWithin(draft, today)) }),
              })
            }
          />
        </Field>
        <DayPresets today={today} onSpan={(span) => apply({ span, period: periodOf(span) })} />
        <PeriodField
          filters={draft}
          today={today}
          onMove={(next) => apply({ span: next })}
          onSpan={(next) => change({ span: next })}
        />
        {problem === 'tooManyDays' && <p role="alert">{text.problems.tooManyDays}</p>}
        <Field label={text.key}>
          <Choice
            label={text.key}
            value={draft.key}
            options={COUNT_KEYS.map((value) => ({ value, label: text.keys[value] }))}
            onChange={(key) => apply({ key })}
          />
        </Field>
        <Field label={text.by}>
          <Choice
            label={text.by}
            value={by}
            options={(['bus', 'route'] as const).map((value) => ({
              value,
              label: text.bys[value],
            }))}
            onChange={(next) => change({ by: next })}
          />
        </Field>
        <Weekdays weekdays={weekdays} onWeekdays={(next) => change({ weekdays: next })} />
        <Field label={text.compare}>
          <Choice
            label={text.compare}
            value={draft.compared ?? 'none'}
            options={(['none', 'before', 'year'] as const).map((value) => ({
              value,
              label: text.compares[value],
            }))}
            onChange={(next) => apply({ compared: next === 'none' ? undefined : next })}
          />
        </Field>
        <Field label={text.runningDay}>
          <Choice
            label={text.runningDay}
            value={countsUntilNow(draft, today) ? 'now' : 'none'}
            options={(['none', 'now'] as const).map((value) => ({
              value,
              label: text.runningDays[value],
            }))}
            onChange={(next) => apply({ isUntilNow: next === 'now' })}
          />
        </Field>
        <p className={styles.chosen}>
          {text.buses} <span>{text.chosen(formatNumber(chosen), formatNumber(total))}</span>
        </p>
        {/* The report beside it says why. */}
        <FailedRead answer={answer} what={text.busList} />
      </div>
      {answer.sections ? (
        <BusTree
          sections={answer.sections}
          chosen={buses}
          onChosen={(next) => change({ buses: next })}
        />
      ) : (
        !answer.isError && <Waiting bodyPx={200} />
      )}
      <footer className={styles.buttons}>
        {problem === 'tooManyBuses' && (
          <p role="alert">{text.problems.tooManyBuses(formatNumber(busLimit(by)))}</p>
        )}
        {isBeside && JSON.stringify(addressOfFilters(draft)) !== address && (
          <p role="status">{text.drafted}</p>
        )}
        <Button
          kind="primary"
          // A fleet without buses has nothing to report.
          disabled={chosen === 0 || problem !== undefined}
          onClick={() => onReport(draft)}
        >
          {text.report}
        </Button>
        <Button onClick={onReset}>{text.reset}</Button>
      </footer>
    </aside>
  );
}

interface FieldProps {
  label: string;
  /** In three columns. */
  isGrid?: boolean;
  children: ReactNode;
}

function Field({ label, isGrid = false, children }: FieldProps) {
  return (
    <div className={styles.field} data-grid={isGrid || undefined}>
      {/* The fieldset inside has the same name. */}
      <span aria-hidden="true">{label}</span>
      {children}
    </div>
  );
}

interface WeekdaysProps {
  weekdays: readonly number[];
  onWeekdays: (weekdays: readonly number[]) => void;
}

function Weekdays({ weekdays, onWeekdays }: WeekdaysProps) {
  const text = useStatsText();
  const isAll = weekdays.length === ALL_WEEKDAYS.length;
  return (
    <div className={styles.field}>
      <div className={styles.fieldHead}>
        <span aria-hidden="true">{text.weekdays}</span>
        <button
          type="button"
          className={styles.shortcut}
          onClick={() => onWeekdays(isAll ? WORKDAYS : ALL_WEEKDAYS)}
        >
          {isAll ? text.workdays : text.allDays}
        </button>
      </div>
      <fieldset className={styles.weekdays} aria-label={text.weekdays}>
        {ALL_WEEKDAYS.map((day) => (
          <button
            key={day}
            type="button"
            aria-pressed={weekdays.includes(day)}
            onClick={() => {
              const next = ALL_WEEKDAYS.filter((one) => weekdays.includes(one) !== (one === day));
              // Without any weekday there is nothing to report.
              if (next.length > 0) onWeekdays(next);
            }}
          >
            {text.weekday[day - 1]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

// From a running year to the running month, not to January.
function dayWithin({ span }: Filters, today: string): string {
  return span.dateFrom <= today && today <= span.dateTo ? today : span.dateFrom;
}
