import { findStopStat, type HaltStat } from '@ridewatch/contract/laps';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { keyOf } from '../../calls/api.ts';
import { call } from '../../calls/request.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { useText } from '../../i18n/language.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { monthsBefore, statTable } from './stat-table.ts';
import styles from './stop-stats.module.css';
import { useGpsText } from './use-gps-text.ts';

const MONTHS = 3;
const STALE_MS = 10 * 60_000;
/** Strongest background of a cell, percent; the figure stays readable on it. */
const STRONGEST_PERCENT = 30;
const SUM = 'Σ';
const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'] as const;

interface StopStatsProps {
  classifierId: number;
  routeId: number | undefined;
  /** The last day of the statistics. */
  date: string;
}

/** Statistics of a stop: passengers by hour and weekday over the last three months. */
export function StopStats({ classifierId, routeId, date }: StopStatsProps) {
  const text = useGpsText();
  const common = useText().common;
  const [side, setSide] = useState<'entered' | 'exited'>('entered');
  const dateFrom = monthsBefore(date, MONTHS);
  const answers = useQueries({
    queries: WEEKDAYS.map((dayOfWeek) => {
      const query = {
        dateFrom,
        dateTo: date,
        busStopClassifierId: classifierId,
        dayOfWeek,
        groupMinutes: '60' as const,
        ...(routeId === undefined ? {} : { groupId: routeId }),
      };
      return {
        queryKey: keyOf(findStopStat, { query }),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(findStopStat, { query, signal }),
        staleTime: STALE_MS,
      };
    }),
  });
  const isFailed = answers.some(({ isError }) => isError);
  const days = answers.map(({ data }): readonly HaltStat[] | undefined => data?.items);
  const known = days.filter((day) => day !== undefined);
  return (
    <section className={styles.stats} aria-label={text.statsTitle}>
      <header className={styles.head}>
        <h3>{text.statsTitle}</h3>
        <Choice
          label={text.statsTitle}
          value={side}
          options={[
            { value: 'entered', label: text.entered },
            { value: 'exited', label: text.exited },
          ]}
          onChange={setSide}
        />
      </header>
      {isFailed && (
        <p role="alert" className={styles.note}>
          {text.statsFailed}
          <Button
            onClick={() => {
              for (const answer of answers) if (answer.isError) void answer.refetch();
            }}
          >
            {common.retry}
          </Button>
        </p>
      )}
      {!isFailed && known.length < WEEKDAYS.length && (
        <div className={styles.skeleton} aria-busy="true" />
      )}
      {!isFailed && known.length === WEEKDAYS.length && <Table days={known} side={side} />}
      <p className={styles.span}>{text.statsSpan(formatDay(dateFrom), formatDay(date))}</p>
    </section>
  );
}

interface TableProps {
  days: readonly (readonly HaltStat[])[];
  side: 'entered' | 'exited';
}

/** Weekdays are rows on a desktop and columns on a phone, so that nothing scrolls. */
function Table({ days, side }: TableProps) {
  const text = useGpsText();
  const isPhone = useIsPhone();
  const { hours, rows, greatest } = statTable(days, side);
  if (hours.length === 0) return <p className={styles.note}>{text.statsNone}</p>;
  const dayNames = [...text.weekdays, text.all];
  const hourNames = [...hours.map((hour) => hour.slice(0, 2)), SUM];
  const [columns, lines] = isPhone ? [dayNames, hourNames] : [hourNames, dayNames];
  const countAt = (column: number, line: number) => {
    const [hour, day] = isPhone ? [line, column] : [column, line];
    return {
      count: rows[day]?.cells[hour] ?? 0,
      isSum: hour === hours.length || day === days.length,
    };
  };
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{isPhone ? text.hour : text.weekday}</th>
          {columns.map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map((name, line) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {columns.map((column, at) => {
              const { count, isSum } = countAt(at, line);
              const share = Math.round((count / greatest) * STRONGEST_PERCENT);
              const colour = `color-mix(in srgb, var(--rw-${side}) ${share}%, transparent)`;
              return (
                <td
                  key={column}
                  data-sum={isSum || undefined}
                  data-zero={count === 0 || undefined}
                  style={isSum ? undefined : { backgroundColor: colour }}
                >
                  {count === 0 ? '·' : formatNumber(count)}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
