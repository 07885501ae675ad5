import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { useDeferredValue, useMemo, useRef } from 'react';
import { createPortal } from 'react-dom';
import { formatDay } from '../../i18n/format.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Choice } from '../../ui/choice.tsx';
import { ChartCard } from './chart-card.tsx';
import { ExportMenu } from './export-menu.tsx';
import { ALL_WEEKDAYS, countsUntilNow, type Filters } from './filters.ts';
import { PhoneTable } from './phone-table.tsx';
import styles from './report.module.css';
import { ReportTable, type TableProps } from './report-table.tsx';
import { PhoneTotal, ReportTotals } from './report-totals.tsx';
import { chartOf, type Traffic } from './series.ts';
import type { TableOrder } from './table-order.ts';
import type { StatsTexts } from './texts-ru.ts';
import { daysText } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

/** How a report is looked at; the address holds it. */
export interface Look {
  /** The series that are switched off. */
  readonly off: ReadonlySet<string>;
  readonly order: TableOrder;
  readonly isTableOnly: boolean;
  /** The rows of a phone's table are ticks. */
  readonly isByTick: boolean;
}

interface ReportProps {
  traffic: Traffic;
  /** The compared range and its answer. */
  compared: { readonly span: DaySpan; readonly traffic: Traffic } | undefined;
  filters: Filters;
  /** The number of buses that are chosen. */
  busCount: number;
  today: string;
  /** The places of all routes or buses, by which they have their colours. */
  places: ReadonlyMap<string, number>;
  look: Look;
  /** Called with keys of the address. */
  onLook: (keys: { [Key in 'off' | 'sort' | 'view']?: string | undefined }) => void;
  onTick: (span: DaySpan, seriesId: string | undefined) => void;
  /** The place of the exports on a phone. */
  tools: Element | null;
}

/** A report: totals, chart, legend and table. */
export function Report(props: ReportProps) {
  const { traffic, compared, filters, today, places, look, onLook, onTick, tools } = props;
  const text = useStatsText();
  const isPhone = useIsPhone();
  const svg = useRef<SVGSVGElement>(null);
  const { key, span, by, weekdays } = filters;
  const chart = useMemo(
    () =>
      chartOf(traffic, span, {
        ...{ key, today, weekdays, nameless: text.ungrouped, compared, places },
        isUntilNow: countsUntilNow(filters, today),
      }),
    [traffic, span, key, today, weekdays, text, compared, places, filters],
  );
  // The legend answers a press at once; hundreds of lines and cells follow in slices.
  const off = useDeferredValue(look.off);
  const shown = useMemo(() => chart.series.filter(({ id }) => !off.has(id)), [chart, off]);
  const title = `${text.keys[key]} ${text.bysInTitle[by]}`;
  const about = aboutText(props, text);
  const menu = (
    <ExportMenu {...{ filters, chart, shown, svg, about }} name={`${title} ${daysText(span)}`} />
  );
  const table: TableProps = {
    ...{ chart, countKey: key, by, off, order: look.order, onTick },
    completeness: completenessOf(traffic.totals),
    onOrder: (sort) => onLook({ sort }),
  };
  const before = compared && {
    value: Number(compared.traffic.totals[key]),
    ...{ from: compared.span.dateFrom, to: compared.span.dateTo },
  };
  return (
    <>
      <header className={styles.head}>
        <h2>{title}</h2>
        <p>
          {about.split(' · ').map((part, at, { length }) => (
            <span key={part}>{at < length - 1 ? `${part} · ` : part}</span>
          ))}
        </p>
        {tools ? (
          createPortal(menu, tools)
        ) : (
          <div className={styles.tools}>
            <Choice
              label={text.view}
              value={look.isTableOnly ? 'table' : 'chart'}
              options={(['chart', 'table'] as const).map((value) => ({
                value,
                label: text.views[value],
              }))}
              onChange={(next) => onLook({ view: next === 'table' ? next : undefined })}
            />
            {menu}
          </div>
        )}
      </header>
      {isPhone ? (
        <PhoneTotal {...{ totals: traffic.totals, before, chart, countKey: key }} />
      ) : (
        <ReportTotals
          {...{ totals: traffic.totals, before: compared?.traffic.totals, chart, countKey: key }}
          completeness={table.completeness}
        />
      )}
      {traffic.pending > 0 && (
        <p role="status" className={styles.pending}>
          {text.pending(traffic.pending)}
        </p>
      )}
      {traffic.arriving && (
        <p role="status" className={styles.pending}>
          {text.arriving(formatDay(traffic.arriving.from), traffic.arriving.buses)}
          {chart.isBeforePartial && ` ${text.partialBefore}`}
        </p>
      )}
      {!look.isTableOnly && (
        <ChartCard
          {...{ svg, chart, shown, countKey: key, by, off: look.off, onTick }}
          onOff={(ids) => onLook({ off: ids.join('.') || undefined })}
        />
      )}
      {isPhone ? (
        <PhoneTable
          {...table}
          span={span}
          isByTick={look.isByTick}
          onByTick={(isByTick) => onLook({ view: isByTick ? 'ticks' : undefined })}
        />
      ) : (
        <ReportTable {...table} />
      )}
    </>
  );
}

function completenessOf({
  heard_hours: heard,
  silent_hours: silent,
  missing_hours: missing,
}: Traffic['totals']): number | undefined {
  const due = heard + silent + missing;
  return due > 0 ? heard / due : undefined;
}

function aboutText({ filters, busCount, compared, today }: ReportProps, text: StatsTexts): string {
  const { span, weekdays } = filters;
  const days =
    weekdays.length === ALL_WEEKDAYS.length
      ? text.allDays
      : weekdays.map((day) => text.weekday[day - 1]).join(', ');
  const parts = [daysText(span), text.busCount(busCount), days];
  if (compared) parts.push(text.comparedTo(daysText(compared.span)));
  if (span.dateTo >= today) {
    parts.push(countsUntilNow(filters, today) ? text.untilNow : text.todayRuns);
  }
  return parts.join(' · ');
}
