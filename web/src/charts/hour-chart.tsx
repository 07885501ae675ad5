import { hourName } from '@ridewatch/contract/hours';
import { Fragment, type RefObject, useRef, useState } from 'react';
import type { Playhead } from '../player/playhead.ts';
import { axisLabels } from '../timeline/axis-labels.ts';
import { PlayheadLine } from '../timeline/playhead-line.tsx';
import { xOf } from '../timeline/time-view.ts';
import { useGestures } from '../timeline/use-gestures.ts';
import type { TimeAxis } from '../timeline/use-timeline-view.ts';
import { useWidth } from '../timeline/use-width.ts';
import { tickSlider } from '../ui/tick-slider.ts';
import {
  type BarFrame,
  barBoxes,
  type HourBar,
  hourAt,
  midpointPx,
  type Side,
  STEPS,
} from './hour-bars.ts';
import styles from './hour-chart.module.css';
import { topOfLines, valueLines } from './value-lines.ts';

/** Height of the chart with its labels, px (spec section 9). */
export const CHART_HEIGHT_PX = 120;
const AXIS_PX = 18;
const TOP_PX = 6;
/** Width of the scale, left of the plot, px. */
const SCALE_PX = 36;
/** Width of a label of the axis on a phone, whose text is the largest, px. */
const LABEL_PX = 38;

interface HourChartProps {
  hours: readonly HourBar[];
  /** The visible period, shared with a timeline below. */
  axis: TimeAxis;
  /** The timeline below has the labels of the axis; a saved picture has them all the same. */
  hasAxisBelow?: boolean;
  zone: string;
  hidden: ReadonlySet<Side>;
  playhead: Playhead;
  names: Record<Side | 'hour' | 'title', string>;
  svg: RefObject<SVGSVGElement | null>;
  formatNumber: (value: number) => string;
  /** Called with the selected hour. */
  onPick: (hour: HourBar) => void;
}

/**
 * A bar chart of entered and exited by hour, two bars for each, which zooms and moves like a timeline; arrow keys point at
 * an hour, Enter picks it. A table has the same figures for screen readers.
 */
export function HourChart(props: HourChartProps) {
  const { hours, axis, hasAxisBelow = false } = props;
  const { view, bounds } = axis;
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const [hover, setHover] = useState<HourBar>();
  const frame = { ...view, widthPx: width, heightPx: CHART_HEIGHT_PX - AXIS_PX - TOP_PX };
  const gestures = useGestures({
    element: area,
    view,
    bounds,
    onView: axis.setView,
    onTap: ({ xPx }) => {
      const hour = hourAt(xPx, hours, frame);
      setHover(hour);
      if (hour) props.onPick(hour);
    },
  });
  const inView = hours.filter(({ startMs, endMs }) => endMs > view.startMs && startMs < view.endMs);
  const at = hover && inView.findIndex(({ startMs }) => startMs === hover.startMs);
  const slider = tickSlider({
    ...{ label: props.names.title, count: inView.length, at: at === -1 ? undefined : at },
    said: hover && saidOf(hover, props),
    onAt: (next) => setHover(next === undefined ? undefined : inView[next]),
    onOpen: () => hover && props.onPick(hover),
  });
  return (
    <>
      <div
        className={styles.chart}
        ref={area}
        data-axis={hasAxisBelow ? 'below' : undefined}
        data-chart={`${Math.round(view.startMs)}-${Math.round(view.endMs)}`}
        {...slider}
        {...gestures}
        onPointerMove={(event) => {
          gestures.onPointerMove(event);
          const { left } = event.currentTarget.getBoundingClientRect();
          setHover(hourAt(event.clientX - left, hours, frame));
        }}
        onPointerLeave={(event) => event.pointerType !== 'touch' && setHover(undefined)}
      >
        <svg
          ref={props.svg}
          width={width + SCALE_PX}
          height={CHART_HEIGHT_PX}
          className={styles.plot}
          aria-hidden="true"
        >
          {width > 0 && <Plot {...props} frame={frame} hover={hover} />}
        </svg>
        <PlayheadLine
          playhead={props.playhead}
          view={view}
          widthPx={width}
          heightPx={CHART_HEIGHT_PX - AXIS_PX}
        />
        {hover && width > 0 && <Note {...props} frame={frame} hover={hover} />}
      </div>
      <Table {...props} />
    </>
  );
}

interface InFrame extends HourChartProps {
  frame: BarFrame;
  /** The hour under the pointer. */
  hover: HourBar | undefined;
}

function Plot({ hours, axis, hidden, zone, formatNumber, frame, hover }: InFrame) {
  const { widthPx, heightPx } = frame;
  const greatest = Math.max(
    0,
    ...hours.map((hour) =>
      Math.max(hidden.has('entered') ? 0 : hour.entered, hidden.has('exited') ? 0 : hour.exited),
    ),
  );
  const steps = valueLines(greatest, STEPS);
  const top = topOfLines(greatest, STEPS);
  const yOf = (people: number) => Math.round(heightPx * (1 - people / top)) + 0.5;
  return (
    <g transform={`translate(${SCALE_PX} ${TOP_PX})`}>
      {steps.map((people) => (
        <Fragment key={people}>
          <text className={styles.scale} x={-8} y={yOf(people) + 3.5} textAnchor="end">
            {formatNumber(people)}
          </text>
          <line
            className={people === 0 ? styles.base : styles.grid}
            x1={0}
            x2={widthPx}
            y1={yOf(people)}
            y2={yOf(people)}
          />
        </Fragment>
      ))}
      {/* A nested drawing cuts off the bars of hours that the view shows in part. */}
      <svg width={widthPx} height={heightPx} aria-hidden="true">
        {hover && (
          <rect
            className={styles.band}
            x={xOf(hover.startMs, frame, widthPx)}
            y={0}
            width={xOf(hover.endMs, frame, widthPx) - xOf(hover.startMs, frame, widthPx)}
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
      </svg>
      {axisLabels(axis.view, axis.bounds, widthPx, zone).map(({ momentMs, label }) => (
        <text
          key={momentMs}
          className={styles.label}
          x={Math.min(
            Math.max(xOf(momentMs, frame, widthPx), LABEL_PX / 2),
            widthPx - LABEL_PX / 2,
          )}
          y={heightPx + 14}
          textAnchor="middle"
        >
          {label}
        </text>
      ))}
    </g>
  );
}

function Note({ names, zone, formatNumber, frame, hover }: InFrame) {
  if (!hover) return null;
  const left = Math.min(Math.max(midpointPx(hover, frame), 76), frame.widthPx - 76);
  return (
    <div className={styles.note} style={{ left }}>
      <strong>{hourName(hover.startMs, zone)}</strong>
      <span>
        <i className={styles.dotEntered} /> {names.entered} <b>{formatNumber(hover.entered)}</b>
      </span>
      <span>
        <i className={styles.dotExited} /> {names.exited} <b>{formatNumber(hover.exited)}</b>
      </span>
    </div>
  );
}

function saidOf(
  { startMs, entered, exited }: HourBar,
  { names, zone, formatNumber }: HourChartProps,
): string {
  const figures = [
    [names.entered, entered],
    [names.exited, exited],
  ] as const;
  const said = figures.map(([name, people]) => `${name} ${formatNumber(people)}`);
  return `${hourName(startMs, zone)}: ${said.join(', ')}`;
}

function Table({ hours, zone, names }: HourChartProps) {
  return (
    <table className="visually-hidden">
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
            <th scope="row">{hourName(hour.startMs, zone)}</th>
            <td>{hour.entered}</td>
            <td>{hour.exited}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
