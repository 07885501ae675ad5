import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { memo, useCallback, useLayoutEffect, useMemo, useRef } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { SortHead } from '../../ui/sort-head.tsx';
import { useRows } from '../../ui/virtual-list.tsx';
import { changeText, completenessText, figureText, meanText } from './figures.ts';
import type { CountKey, Filters } from './filters.ts';
import { type Chart, changeOf, overSumOf, type Series, sumOf } from './series.ts';
import { Swatch } from './swatch.tsx';
import styles from './table.module.css';
import { pressedOrder, type SortKey, sorted, type TableOrder } from './table-order.ts';
import { shortTickName, tickLabel, tickTitle } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

const ROW_PX = 32;

/** The table of a desktop and that of a phone need these. */
export interface TableProps {
  chart: Chart;
  countKey: CountKey;
  by: Filters['by'];
  /** Of all series, a share; undefined if nothing was due. */
  completeness: number | undefined;
  off: ReadonlySet<string>;
  order: TableOrder;
  /** Called with the new value of the address. */
  onOrder: (order: string | undefined) => void;
  /** Opens what is behind a tick, or behind a series at a tick. */
  onTick: (span: DaySpan, seriesId: string | undefined) => void;
}

/** The figures of the chart: a row for each series, a column for each tick. Only visible rows are rendered. */
export function ReportTable(props: TableProps) {
  const { chart, countKey, off, order, onTick } = props;
  const text = useStatsText();
  const newestTick = useRef(onTick);
  useLayoutEffect(() => {
    newestTick.current = onTick;
  });
  // Always the same function, so that a row is rendered only when its figures change.
  const open = useCallback<typeof onTick>((span, id) => newestTick.current(span, id), []);
  const rows = useMemo(() => sorted(chart.series, order), [chart, order]);
  const { frame, items, abovePx, belowPx } = useRows<HTMLElement>({
    count: rows.length,
    rowPx: ROW_PX,
  });
  return (
    <section ref={frame} className={styles.frame} aria-label={text.table}>
      <table className={styles.table} aria-rowcount={rows.length + 2}>
        <Head {...props} />
        <tbody>
          <SumRow {...props} />
          {abovePx > 0 && <tr aria-hidden="true" style={{ height: abovePx }} />}
          {items.map(({ index }) => {
            const one = rows[index];
            return (
              one && (
                <SeriesRow
                  key={one.id}
                  {...{ chart, countKey }}
                  onTick={open}
                  series={one}
                  place={index + 3}
                  isOff={off.has(one.id)}
                />
              )
            );
          })}
          {belowPx > 0 && <tr aria-hidden="true" style={{ height: belowPx }} />}
        </tbody>
      </table>
    </section>
  );
}

const isCompared = ({ series }: Chart): boolean =>
  series.some(({ beforeTotal }) => beforeTotal !== undefined);

function Head(props: TableProps) {
  const { chart, by, onTick } = props;
  const text = useStatsText();
  return (
    <thead>
      <tr>
        <OrderHead {...props} column="name" label={text.names[by]} />
        <OrderHead {...props} column="total" label={text.total} />
        {isCompared(chart) && <OrderHead {...props} column="change" label={text.change} />}
        <th scope="col">{text.perDay}</th>
        <OrderHead {...props} column="silence" label={text.silence} />
        <OrderHead {...props} column="completeness" label={text.completeness} />
        {chart.ticks.map((span, at) => (
          <th
            key={span.dateFrom}
            scope="col"
            data-weekend={tickLabel(span, chart.tick, text).isWeekend || undefined}
            data-open={at >= chart.runsFrom || undefined}
          >
            <button
              type="button"
              aria-label={chart.tick === 'day' ? tickTitle(span, 'day', text) : undefined}
              title={text.openTick(tickTitle(span, chart.tick, text))}
              onClick={() => onTick(span, undefined)}
            >
              {shortTickName(span, chart.tick, at)}
            </button>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The head of a column that sorts the table. */
export function OrderHead({
  order,
  onOrder,
  column,
  label,
}: Pick<TableProps, 'order' | 'onOrder'> & { column: SortKey; label: string }) {
  const direction = (column === 'name') === order.isReversed ? 'descending' : 'ascending';
  return (
    <SortHead
      direction={order.key === column ? direction : undefined}
      onSort={() => onOrder(pressedOrder(order, column))}
    >
      {label}
    </SortHead>
  );
}

function SumRow({ chart, countKey, completeness }: TableProps) {
  const text = useStatsText();
  const total = sumOf(chart.series);
  const silent = chart.series.reduce((sum, one) => sum + one.silentHours, 0);
  const before = chart.series.reduce(
    (sum, one) => sum + Math.round((one.beforeTotal ?? 0) * 100),
    0,
  );
  return (
    <tr className={styles.sum}>
      <th scope="row">{text.sum}</th>
      <td>{figureText(countKey, total)}</td>
      {isCompared(chart) && (
        <td data-partial={chart.isBeforePartial || undefined}>
          {changeCell(changeOf(before / 100, total))}
        </td>
      )}
      <td>{meanText(countKey, overSumOf(chart.series), chart.knownDays)}</td>
      <td>{hoursText(silent, text.hours)}</td>
      <td>{completenessText(completeness)}</td>
      {chart.sums.map((value, at) => (
        <td key={chart.ticks[at]?.dateFrom} data-running={at >= chart.runsFrom || undefined}>
          {value === undefined ? noFigure(chart, at) : figureText(countKey, value)}
        </td>
      ))}
    </tr>
  );
}

interface SeriesRowProps extends Pick<TableProps, 'chart' | 'countKey' | 'onTick'> {
  series: Series;
  /** The row's number in the whole table, from 1. */
  place: number;
  isOff: boolean;
}

/** Rendered anew only if it changes: a series that is switched off changes one of hundreds of rows. */
const SeriesRow = memo(function SeriesRow(props: SeriesRowProps) {
  const { series, place, chart, countKey, isOff, onTick } = props;
  const text = useStatsText();
  return (
    <tr aria-rowindex={place} data-off={isOff || undefined}>
      <th scope="row">
        <Swatch colour={series.colour} isOff={isOff} /> {series.name}
      </th>
      <td className={styles.total}>{figureText(countKey, series.total)}</td>
      {isCompared(chart) && (
        <td data-partial={chart.isBeforePartial || undefined}>
          {changeCell(changeOf(series.beforeTotal, series.total))}
        </td>
      )}
      <td>{meanText(countKey, series.overTotal, series.days)}</td>
      <td>{hoursText(series.silentHours, text.hours)}</td>
      <td>{completenessText(series.completeness)}</td>
      {chart.ticks.map((span, at) => {
        const value = series.values[at];
        const silent = series.silence[at] ?? 0;
        return (
          <td
            key={span.dateFrom}
            data-silent={silent > 0 || undefined}
            data-running={at >= series.runsFrom || undefined}
            title={silent > 0 ? text.silent(formatNumber(silent)) : undefined}
          >
            {value === undefined ? (
              noFigure(chart, at)
            ) : (
              <button type="button" onClick={() => onTick(span, series.id)}>
                {figureText(countKey, value)}
              </button>
            )}
          </td>
        );
      })}
    </tr>
  );
});

// Without records; a day that has not begun is empty.
const noFigure = ({ ticks, today }: Chart, at: number): string =>
  (ticks[at]?.dateFrom ?? '') <= today ? '—' : '';
const hoursText = (hours: number, text: (hours: string) => string): string =>
  hours === 0 ? '—' : text(formatNumber(hours));
const changeCell = (change: number | undefined): string =>
  change === undefined ? '—' : changeText(change);
