import type { DaySpan, StatTick } from '@ridewatch/contract/stat-ticks';
import { type ReactNode, useMemo } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { Choice } from '../../ui/choice.tsx';
import { useRows } from '../../ui/virtual-list.tsx';
import { changeText, figureText, shareText, shortMeanText } from './figures.ts';
import { OrderHead, type TableProps } from './report-table.tsx';
import { changeOf, sumAt, sumOf } from './series.ts';
import { Swatch } from './swatch.tsx';
import styles from './table.module.css';
import { sorted } from './table-order.ts';
import type { StatsTexts } from './texts-ru.ts';
import { tickTitle } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

const ROW_PX = 48;
/** Width of the space between columns, in figures. */
const GAP_CH = 2.2;

interface PhoneTableProps extends TableProps {
  span: DaySpan;
  /** The rows are ticks instead of series. */
  isByTick: boolean;
  onByTick: (isByTick: boolean) => void;
}

/** The tables of a phone: the series with their totals and shares, or the ticks; a name leads to what is behind it. */
export function PhoneTable(props: PhoneTableProps) {
  const { chart, by, isByTick, onByTick } = props;
  const text = useStatsText();
  return (
    <>
      <Choice
        label={text.rows}
        value={isByTick ? 'tick' : 'series'}
        options={[
          { value: 'series', label: text.bys[by] },
          { value: 'tick', label: text.ticks[chart.tick] },
        ]}
        onChange={(next) => onByTick(next === 'tick')}
      />
      {isByTick ? <TickTable {...props} /> : <SeriesTable {...props} />}
    </>
  );
}

function SeriesTable(props: PhoneTableProps) {
  const { chart, countKey, by, off, order, span, onTick } = props;
  const text = useStatsText();
  const rows = useMemo(() => sorted(chart.series, order), [chart, order]);
  const whole = sumOf(chart.series);
  const figures = rows.map((one) => ({
    total: figureText(countKey, one.total),
    mean: shortMeanText(countKey, one.overTotal, one.days),
    share: shareText(one.total, whole),
  }));
  return (
    <Rows
      count={rows.length}
      widths={{
        total: widest([`${text.keys[countKey]} ↓`, ...figures.map(({ total }) => total)]),
        mean: widest([text.perDay, ...figures.map(({ mean }) => mean)]),
        share: widest([text.share, ...figures.map(({ share }) => share)]),
      }}
      head={
        <>
          <OrderHead {...props} column="name" label={text.names[by]} />
          <OrderHead {...props} column="total" label={text.keys[countKey]} />
          <th scope="col">{text.perDay}</th>
          <th scope="col">{text.share}</th>
        </>
      }
      row={(index) => {
        const one = rows[index];
        const figure = figures[index];
        if (!one || !figure) return null;
        const isOff = off.has(one.id);
        return (
          <tr key={one.id} aria-rowindex={index + 2} data-off={isOff || undefined}>
            <th scope="row">
              <button type="button" onClick={() => onTick(span, one.id)}>
                <Swatch colour={one.colour} isOff={isOff} />
                <span>{one.name}</span>
              </button>
            </th>
            <td className={styles.total}>{figure.total}</td>
            <td>{figure.mean}</td>
            <td>{figure.share}</td>
          </tr>
        );
      }}
    />
  );
}

function TickTable({ chart, countKey, onTick }: PhoneTableProps) {
  const text = useStatsText();
  const { ticks, tick, series, sums, countedSums, runsFrom } = chart;
  const isCompared = series.some(({ beforeTotal }) => beforeTotal !== undefined);
  const rows = ticks.map((_, at) => {
    const sum = sums[at];
    const counted = countedSums[at];
    const change =
      counted === undefined ? undefined : changeOf(sumAt(series, at, 'before'), counted);
    const hours = series.reduce((all, { silence }) => all + (silence[at] ?? 0), 0);
    return {
      total: sum === undefined ? '—' : figureText(countKey, sum),
      change: change === undefined ? '—' : changeText(change),
      silence: hours > 0 ? text.hours(formatNumber(hours)) : '—',
    };
  });
  return (
    <Rows
      count={ticks.length}
      widths={{
        total: widest([text.keys[countKey], ...rows.map(({ total }) => total)]),
        ...(isCompared && { change: widest(rows.map(({ change }) => change)) }),
        silence: widest([text.silence, ...rows.map(({ silence }) => silence)]),
      }}
      head={
        <>
          <th scope="col">{text.tick[tick]}</th>
          <th scope="col">{text.keys[countKey]}</th>
          {isCompared && <th scope="col">{text.change}</th>}
          <th scope="col">{text.silence}</th>
        </>
      }
      row={(index) => {
        const span = ticks[index];
        const figures = rows[index];
        if (!span || !figures) return null;
        return (
          <tr key={span.dateFrom} aria-rowindex={index + 2}>
            <th scope="row">
              <button type="button" onClick={() => onTick(span, undefined)}>
                <span>{shortTitle(span, tick, text)}</span>
              </button>
            </th>
            <td className={styles.total} data-running={index >= runsFrom || undefined}>
              {figures.total}
            </td>
            {isCompared && (
              <td data-partial={chart.isBeforePartial || undefined}>{figures.change}</td>
            )}
            <td data-silent={figures.silence === '—' ? undefined : true}>{figures.silence}</td>
          </tr>
        );
      }}
    />
  );
}

/** `Fr, 20.11`, or the whole name of a month or year. */
function shortTitle(span: DaySpan, tick: StatTick, text: StatsTexts): string {
  const title = tickTitle(span, tick, text);
  return tick === 'day' ? title.slice(0, -'.2026'.length) : title;
}

interface RowsProps {
  count: number;
  /** Of the columns after the name, in figures. */
  widths: Readonly<Record<string, number>>;
  head: ReactNode;
  row: (index: number) => ReactNode;
}

// Columns have the width of all rows, because only the visible ones are rendered.
function Rows({ count, widths, head, row }: RowsProps) {
  const text = useStatsText();
  const { frame, items, abovePx, belowPx } = useRows<HTMLElement>({ count, rowPx: ROW_PX });
  return (
    <section ref={frame} className={styles.phoneFrame} aria-label={text.table}>
      <table className={styles.phoneTable} aria-rowcount={count + 1}>
        <colgroup>
          <col />
          {Object.entries(widths).map(([column, width]) => (
            <col key={column} style={{ width: `${width}ch` }} />
          ))}
        </colgroup>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>
          {abovePx > 0 && <tr aria-hidden="true" style={{ height: abovePx }} />}
          {items.map(({ index }) => row(index))}
          {belowPx > 0 && <tr aria-hidden="true" style={{ height: belowPx }} />}
        </tbody>
      </table>
    </section>
  );
}

// Spaces, commas and points are half as wide as a figure, signs half as wide again.
const widest = (texts: readonly string[]): number =>
  Math.max(
    ...texts.map((one) => {
      const narrow = one.match(/[\s,.]/g)?.length ?? 0;
      const wide = one.match(/[%▲▼↓]/g)?.length ?? 0;
      return one.length + (wide - narrow) / 2;
    }),
  ) + GAP_CH;
