import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { type RefObject, useRef, useState } from 'react';
import { niceCeiling } from '../../charts/hour-bars.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { useWidth } from '../../timeline/use-width.ts';
import styles from './report.module.css';
import type { Chart, Series } from './series.ts';
import { useStatsText } from './use-stats-text.ts';

/** Height with the axis, px (the drawings). */
const HEIGHT_PX = 330;
const LEFT_PX = 56;
const TOP_PX = 12;
const AXIS_PX = 28;
/** Width of a label of the axis, px. */
const LABEL_PX = 44;
const NOTE_PX = 230;
/** Most series of the tooltip; the rest is in the table. */
const NOTED = 12;
const fixed = new Intl.NumberFormat('ru-RU', {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

interface TrafficChartProps {
  svg: RefObject<SVGSVGElement | null>;
  chart: Chart;
  shown: readonly Series[];
  today: string;
}

/** The lines of the series; the table below has the same figures. */
export function TrafficChart({ svg, chart, shown, today }: TrafficChartProps) {
  const text = useStatsText();
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const [hovered, setHovered] = useState<number>();
  const { ticks } = chart;
  const plotPx = Math.max(width - LEFT_PX - 16, 1);
  const heightPx = HEIGHT_PX - TOP_PX - AXIS_PX;
  const stepPx = plotPx / ticks.length;
  const greatest = shown.reduce(
    (most, { values }) => values.reduce<number>((top, value) => Math.max(top, value ?? 0), most),
    0,
  );
  const top = niceCeiling(greatest);
  const xOf = (at: number) => LEFT_PX + (at + 0.5) * stepPx;
  const yOf = (value: number) => TOP_PX + heightPx * (1 - value / top);
  const silent = ticks.map((_, at) => shown.reduce((sum, one) => sum + (one.silence[at] ?? 0), 0));
  // The tick that is not over.
  const open = ticks.findIndex(({ dateFrom, dateTo }) => dateFrom <= today && today <= dateTo);
  const every = Math.ceil(LABEL_PX / stepPx);
  return (
    <div
      ref={area}
      className={styles.chart}
      onPointerMove={(event) => {
        const { left } = event.currentTarget.getBoundingClientRect();
        const at = Math.floor((event.clientX - left - LEFT_PX) / stepPx);
        setHovered(at >= 0 && at < ticks.length ? at : undefined);
      }}
      onPointerLeave={() => setHovered(undefined)}
    >
      <svg ref={svg} width={width} height={HEIGHT_PX} aria-hidden="true">
        <defs>
          <pattern id="silence" width="6" height="6" patternUnits="userSpaceOnUse">
            <path className={styles.hatch} d="M0 6L6 0" />
          </pattern>
        </defs>
        {silent.map((hours, at) =>
          hours > 0 ? (
            <rect
              key={ticks[at]?.dateFrom}
              fill="url(#silence)"
              x={xOf(at) - stepPx / 2}
              y={TOP_PX}
              width={stepPx}
              height={heightPx}
            />
          ) : null,
        )}
        {[0, 1, 2, 3, 4].map((line) => (
          <g key={line}>
            <line
              className={styles.grid}
              x1={LEFT_PX}
              x2={LEFT_PX + plotPx}
              y1={yOf((top * line) / 4)}
              y2={yOf((top * line) / 4)}
            />
            <text
              className={styles.label}
              x={LEFT_PX - 8}
              y={yOf((top * line) / 4) + 4}
              textAnchor="end"
            >
              {formatNumber((top * line) / 4)}
            </text>
          </g>
        ))}
        {ticks.map((tick, at) =>
          at % every === 0 ? (
            <text
              key={tick.dateFrom}
              className={styles.label}
              x={xOf(at)}
              y={HEIGHT_PX - 8}
              textAnchor="middle"
            >
              {tickName(tick)}
            </text>
          ) : null,
        )}
        {hovered !== undefined && (
          <line
            className={styles.cursor}
            x1={xOf(hovered)}
            x2={xOf(hovered)}
            y1={TOP_PX}
            y2={TOP_PX + heightPx}
          />
        )}
        {shown.map((one) => (
          <Line key={one.id} series={one} open={open} xOf={xOf} yOf={yOf} />
        ))}
      </svg>
      {hovered !== undefined && (
        <Note
          title={ticks[hovered] ? tickName(ticks[hovered]) : ''}
          at={hovered}
          shown={shown}
          silence={silent[hovered] ? text.silent(formatNumber(silent[hovered])) : undefined}
          left={
            xOf(hovered) + 12 + NOTE_PX > width ? xOf(hovered) - 12 - NOTE_PX : xOf(hovered) + 12
          }
        />
      )}
    </div>
  );
}

interface LineProps {
  series: Series;
  open: number;
  xOf: (at: number) => number;
  yOf: (value: number) => number;
}

function Line({ series: { values, colour }, open, xOf, yOf }: LineProps) {
  const points = values.flatMap((value, at) =>
    value === undefined ? [] : [{ at, text: `${xOf(at).toFixed(1)},${yOf(value).toFixed(1)}` }],
  );
  const line = (kept: typeof points) => kept.map(({ text }) => text).join(' ');
  const closed = open < 0 ? points : points.filter(({ at }) => at < open);
  const rest = open < 0 ? [] : points.filter(({ at }) => at >= open - 1 && at <= open);
  const last = points.at(-1);
  const [x, y] = last?.text.split(',') ?? [];
  return (
    <g fill="none" stroke={colour} strokeWidth="1.75">
      <polyline points={line(closed)} />
      {rest.length > 1 && <polyline points={line(rest)} strokeDasharray="3 3" />}
      {points.length === 1 && <circle cx={x} cy={y} r="3" fill={colour} />}
    </g>
  );
}

interface NoteProps {
  title: string;
  at: number;
  shown: readonly Series[];
  silence: string | undefined;
  left: number;
}

function Note({ title, at, shown, silence, left }: NoteProps) {
  const text = useStatsText();
  const sorted = shown.toSorted((a, b) => (b.values[at] ?? 0) - (a.values[at] ?? 0));
  const sum = shown.reduce((all, { values }) => all + (values[at] ?? 0), 0);
  return (
    <div className={styles.note} style={{ left: Math.max(0, left), width: NOTE_PX }}>
      <strong>{title}</strong>
      {sorted.slice(0, NOTED).map((one) => (
        <span key={one.id}>
          <i style={{ background: one.colour }} /> {one.name}{' '}
          <b>{fixed.format(one.values[at] ?? 0)}</b>
        </span>
      ))}
      <span>
        {text.shownSum} <b>{fixed.format(sum)}</b>
      </span>
      {silence && <span data-silent>{silence}</span>}
    </div>
  );
}

/** The name of a tick: a day `20.11`, a month `11.2026`, or a range. */
export function tickName({ dateFrom, dateTo }: DaySpan): string {
  if (dateFrom === dateTo) return formatDay(dateFrom).slice(0, 5);
  if (dateFrom.slice(0, 7) === dateTo.slice(0, 7)) return formatDay(dateFrom).slice(3);
  return dateFrom.slice(0, 4);
}
