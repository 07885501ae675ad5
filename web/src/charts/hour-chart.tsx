import { formatMoment } from '@ridewatch/contract/day';
import { type RefObject, useRef, useState } from 'react';
import type { Playhead } from '../player/playhead.ts';
import { PlayheadLine } from '../timeline/playhead-line.tsx';
import { useWidth } from '../timeline/use-width.ts';
import {
  type BarFrame,
  barBoxes,
  type HourBar,
  hourAt,
  midpointPx,
  niceCeiling,
  type Side,
} from './hour-bars.ts';
import styles from './hour-chart.module.css';

/** Height of the chart with its labels, px (spec section 9). */
export const CHART_HEIGHT_PX = 120;
const AXIS_PX = 18;
const TOP_PX = 6;
const LABEL_GAP_PX = 44;

interface HourChartProps {
  hours: readonly HourBar[];
  bounds: { startMs: number; endMs: number };
  zone: string;
  hidden: ReadonlySet<Side>;
  playhead: Playhead;
  names: Record<Side | 'hour' | 'title', string>;
  svg: RefObject<SVGSVGElement | null>;
  formatNumber: (value: number) => string;
  /** Called with the selected hour. */
  onPick: (hour: HourBar) => void;
}

/** A bar chart of entered and exited by hour, two bars for each; a table has the same figures for screen readers. */
export function HourChart(props: HourChartProps) {
  const { hours, bounds } = props;
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const [hover, setHover] = useState<HourBar>();
  const frame = { ...bounds, widthPx: width, heightPx: CHART_HEIGHT_PX - AXIS_PX - TOP_PX };
  const read = (clientX: number, element: Element) => {
    const box = element.getBoundingClientRect();
    const hour = hourAt(clientX - box.left, hours, frame);
    setHover(hour);
    return hour;
  };
  return (
    <div className={styles.chart} ref={area}>
      <svg
        ref={props.svg}
        width={width}
        height={CHART_HEIGHT_PX}
        className={styles.plot}
        aria-hidden="true"
        onPointerMove={(event) => read(event.clientX, event.currentTarget)}
        onPointerLeave={(event) => event.pointerType !== 'touch' && setHover(undefined)}
        onClick={(event) => {
          const hour = read(event.clientX, event.currentTarget);
          if (hour) props.onPick(hour);
        }}
      >
        {width > 0 && <Plot {...props} frame={frame} hover={hover} />}
      </svg>
      <PlayheadLine
        playhead={props.playhead}
        view={bounds}
        widthPx={width}
        heightPx={CHART_HEIGHT_PX - AXIS_PX}
      />
      {hover && width > 0 && <Note {...props} frame={frame} hover={hover} />}
      <Table {...props} />
    </div>
  );
}

interface InFrame extends HourChartProps {
  frame: BarFrame;
  /** The hour under the pointer. */
  hover: HourBar | undefined;
}

function Plot({ hours, hidden, zone, formatNumber, frame, hover }: InFrame) {
  const { widthPx, heightPx } = frame;
  const every = Math.max(1, Math.ceil((LABEL_GAP_PX * hours.length) / Math.max(widthPx, 1)));
  const hourPx = widthPx / Math.max(hours.length, 1);
  const top = niceCeiling(
    Math.max(
      0,
      ...hours.map((hour) =>
        Math.max(hidden.has('entered') ? 0 : hour.entered, hidden.has('exited') ? 0 : hour.exited),
      ),
    ),
  );
  return (
    <g transform={`translate(0 ${TOP_PX})`}>
      <line className={styles.grid} x1={0} x2={widthPx} y1={0.5} y2={0.5} />
      <line className={styles.grid} x1={0} x2={widthPx} y1={heightPx / 2} y2={heightPx / 2} />
      {hover && (
        <rect
          className={styles.band}
          x={midpointPx(hover.startMs, frame) - hourPx / 2}
          y={0}
          width={hourPx}
          height={heightPx}
        />
      )}
      {barBoxes(hours, frame, hidden).map((box) => (
        <rect
          key={`${box.hour.startMs}${box.side}`}
          className={styles[box.side]}
          x={box.xPx}
          y={box.yPx}
          width={box.widthPx}
          height={box.heightPx}
          rx={Math.min(2, box.widthPx / 4)}
        />
      ))}
      <line className={styles.base} x1={0} x2={widthPx} y1={heightPx} y2={heightPx} />
      <text className={styles.scale} x={widthPx} y={10} textAnchor="end">
        {formatNumber(top)}
      </text>
      {hours.map(
        (hour, index) =>
          index % every === 0 && (
            <text
              key={hour.startMs}
              className={styles.label}
              x={Math.max(midpointPx(hour.startMs, frame) - hourPx / 2, 0)}
              y={heightPx + 14}
            >
              {formatMoment(hour.startMs, zone, 'HH')}
            </text>
          ),
      )}
    </g>
  );
}

function Note({ names, zone, formatNumber, frame, hover }: InFrame) {
  if (!hover) return null;
  const left = Math.min(Math.max(midpointPx(hover.startMs, frame), 76), frame.widthPx - 76);
  return (
    <div className={styles.note} style={{ left }}>
      <strong>{hourLabel(hover, zone)}</strong>
      <span>
        <i className={styles.dotEntered} /> {names.entered} <b>{formatNumber(hover.entered)}</b>
      </span>
      <span>
        <i className={styles.dotExited} /> {names.exited} <b>{formatNumber(hover.exited)}</b>
      </span>
    </div>
  );
}

function Table({ hours, zone, names }: HourChartProps) {
  return (
    <table className={styles.table}>
      <caption>{names.title}</caption>
      <thead>
        <tr>
          <th scope="col">{names.hour}</th>
          <th scope="col">{names.entered}</th>
          <th scope="col">{names.exited}</th>
        </tr>
      </thead>
      <tbody>
        {hours.map((hour) => (
          <tr key={hour.startMs}>
            <th scope="row">{hourLabel(hour, zone)}</th>
            <td>{hour.entered}</td>
            <td>{hour.exited}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const hourLabel = ({ startMs }: HourBar, zone: string) =>
  `${formatMoment(startMs, zone, 'HH:mm')}–${formatMoment(startMs + 3_600_000, zone, 'HH:mm')}`;
