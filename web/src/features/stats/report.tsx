import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { Link } from '@tanstack/react-router';
import { useMemo, useRef } from 'react';
import { csvOf, pngOf, saveFile } from '../../charts/save-chart.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { Button } from '../../ui/button.tsx';
import type { Filters } from './filters.ts';
import { Legend } from './legend.tsx';
import styles from './report.module.css';
import { type Chart, changeOf, chartOf, type Traffic } from './series.ts';
import { TrafficChart, tickName } from './traffic-chart.tsx';
import { useStatsText } from './use-stats-text.ts';

const money = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

interface ReportProps {
  traffic: Traffic;
  /** The totals of the compared range. */
  before: Traffic['totals'] | undefined;
  filters: Filters;
  today: string;
  /** The series that are switched off. */
  off: ReadonlySet<string>;
  onOff: (ids: readonly string[]) => void;
  onTick: (seriesId: string, span: DaySpan) => void;
}

/** A report: totals, chart, legend and table. */
export function Report({ traffic, before, filters, today, off, onOff, onTick }: ReportProps) {
  const text = useStatsText();
  const { key, span, by } = filters;
  const svg = useRef<SVGSVGElement>(null);
  const chart = useMemo(
    () => chartOf(traffic, span, { key, today, nameless: text.ungrouped }),
    [traffic, span, key, today, text],
  );
  const shown = chart.series.filter(({ id }) => !off.has(id));
  const name = `${text.keys[key]} ${span.dateFrom}–${span.dateTo}`;
  const savePicture = async () => {
    if (!svg.current) return;
    const ground = getComputedStyle(document.documentElement).getPropertyValue('--rw-surface');
    saveFile(await pngOf(svg.current, ground), `${name}.png`);
  };
  const saveTable = () => {
    const head = [text.name, text.total, text.silence, ...chart.ticks.map(tickName)];
    const rows = chart.series.map((one) => [
      one.name,
      plain(one.total),
      one.silentHours,
      ...one.values.map((value) => (value === undefined ? '' : plain(value))),
    ]);
    saveFile(new Blob([csvOf([head, ...rows])], { type: 'text/csv;charset=utf-8' }), `${name}.csv`);
  };
  const toggle = (id: string) =>
    onOff(off.has(id) ? [...off].filter((one) => one !== id) : [...off, id]);
  return (
    <>
      <header className={styles.head}>
        <h1>
          {text.keys[key]} · {text.bys[by]}
        </h1>
        <span>
          {formatDay(span.dateFrom)} – {formatDay(span.dateTo)}
        </span>
        <Button onClick={() => void savePicture()}>PNG</Button>
        <Button onClick={saveTable}>CSV</Button>
      </header>
      <Totals totals={traffic.totals} before={before} />
      {traffic.pending > 0 && <p role="status">{text.pending(formatNumber(traffic.pending))}</p>}
      <div className={styles.chartCard}>
        <TrafficChart svg={svg} chart={chart} shown={shown} today={today} />
        <Legend series={chart.series} off={off} onToggle={toggle} onAll={() => onOff([])} />
      </div>
      <Table chart={chart} by={by} onTick={onTick} />
    </>
  );
}

function Totals({ totals, before }: Pick<ReportProps, 'before'> & { totals: Traffic['totals'] }) {
  const text = useStatsText();
  const heard = totals.heard_hours + totals.silent_hours;
  return (
    <dl className={styles.totals}>
      {(['entered', 'exited', 'fare'] as const).map((key) => {
        const change = changeOf(before && Number(before[key]), Number(totals[key]));
        return (
          <div key={key}>
            <dt>{text.keys[key]}</dt>
            <dd data-total={key}>
              {key === 'fare'
                ? `${money.format(Number(totals.fare))} ₽`
                : formatNumber(totals[key])}
              {change !== undefined && (
                <small>
                  {change < 0 ? '▼' : '▲'} {formatNumber(Math.round(Math.abs(change) * 10) / 10)} %
                </small>
              )}
            </dd>
          </div>
        );
      })}
      <div>
        <dt>{text.perDay}</dt>
        <dd>
          {heard === 0
            ? '—'
            : `${formatNumber(Math.floor((totals.heard_hours / heard) * 1000) / 10)} %`}
          {totals.silent_hours > 0 && (
            <small data-silent>{text.silent(formatNumber(totals.silent_hours))}</small>
          )}
        </dd>
      </div>
    </dl>
  );
}

interface TableProps {
  chart: Chart;
  by: Filters['by'];
  onTick: (seriesId: string, span: DaySpan) => void;
}

function Table({ chart, by, onTick }: TableProps) {
  const text = useStatsText();
  return (
    <section className={styles.table} aria-label={text.table}>
      <table>
        <thead>
          <tr>
            <th scope="col">{text.name}</th>
            <th scope="col">{text.total}</th>
            <th scope="col">{text.silence}</th>
            {chart.ticks.map((tick) => (
              <th key={tick.dateFrom} scope="col">
                {tickName(tick)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {chart.series.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <i style={{ background: one.colour }} /> {one.name}
              </th>
              <td>{formatNumber(one.total)}</td>
              <td>{one.silentHours || '—'}</td>
              {chart.ticks.map((tick, at) => (
                <td key={tick.dateFrom} data-silent={one.silence[at] ? true : undefined}>
                  <Cell value={one.values[at]} {...{ by, id: one.id, tick, onTick }} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CellProps extends Omit<TableProps, 'chart'> {
  value: number | undefined;
  id: string;
  tick: DaySpan;
}

// A figure of one bus and day leads to that day, a figure of a route to the report of its buses.
function Cell({ value, by, id, tick, onTick }: CellProps) {
  if (value === undefined) return null;
  if (by === 'route') {
    return (
      <button type="button" onClick={() => onTick(id, tick)}>
        {formatNumber(value)}
      </button>
    );
  }
  if (tick.dateFrom !== tick.dateTo) return formatNumber(value);
  return (
    <Link to="/bus/$busId" params={{ busId: id }} search={{ date: tick.dateFrom }}>
      {formatNumber(value)}
    </Link>
  );
}

/** A number for spreadsheets with Russian settings. */
const plain = (value: number): string => String(value).replace('.', ',');
