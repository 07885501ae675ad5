import { memo, type RefObject } from 'react';
import { valueLines } from '../../charts/value-lines.ts';
import { formatNumber } from '../../i18n/format.ts';
import { BarName, LETTER_PX } from './bar-name.tsx';
import styles from './chart.module.css';
import { type Frame, HEIGHT_PX, isLone, pathOf, RIGHT_PX, STEPS, xOf, yOf } from './chart-frame.ts';
import type { Chart, Series } from './series.ts';
import { silentRuns, tickLabel } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

/** Width of a label of the axis by tick, px. */
const LABEL_PX = { day: 24, month: 40, year: 40 } as const;
const WIDEST_BAR_PX = 48;
/** Narrower bars have no names below them, px. */
const NAMED_BAR_PX = 56;
/** How far the mark of the compared range stands out of a bar, px. */
const MARK_PX = 5;
/** A value without a neighbour has no line, only a dot, px. */
const LONE_PX = 5;
/** With more series the compared range has no lines; hundreds of them would hide the others. */
const MOST_COMPARED = 30;

/** The looks that lines share. As attributes, so that a saved picture has them. */
export const LINES = { fill: 'none', strokeWidth: 1.75, strokeLinejoin: 'round' } as const;

const UNFINISHED_BAR = { fillOpacity: 0.35, strokeDasharray: '3 4' } as const;

interface ChartPlotProps {
  svg: RefObject<SVGSVGElement | null>;
  chart: Chart;
  shown: readonly Series[];
  /** Hours by tick, of the shown series. */
  silence: readonly number[];
  frame: Frame;
}

/** The drawing without what follows the pointer, so that hundreds of lines are drawn once. */
export const ChartPlot = memo(function ChartPlot(props: ChartPlotProps) {
  const { svg, chart, shown, frame } = props;
  return (
    <svg
      ref={svg}
      className={styles.plot}
      width={frame.leftPx + frame.widthPx + RIGHT_PX}
      height={HEIGHT_PX}
      aria-hidden="true"
    >
      <defs>
        <pattern id="silence" width="6" height="6" patternUnits="userSpaceOnUse">
          <path className={styles.hatch} d="M-1 7L7 -1" />
        </pattern>
      </defs>
      <Bands chart={chart} frame={frame} />
      <Scale frame={frame} />
      <Silence {...props} />
      <Axis {...props} />
      {chart.ticks.length === 1 ? (
        shown.map((one, place) => (
          <Bar key={one.id} series={one} place={place} of={shown.length} frame={frame} />
        ))
      ) : (
        <g {...LINES}>
          {shown.map((one) => (
            <Line
              key={one.id}
              series={one}
              frame={frame}
              isCompared={shown.length <= MOST_COMPARED}
            />
          ))}
        </g>
      )}
    </svg>
  );
});

function Bands({ chart: { ticks, tick }, frame }: Pick<ChartPlotProps, 'chart' | 'frame'>) {
  const text = useStatsText();
  if (ticks.length === 1) return null;
  return ticks.map((span, at) =>
    tickLabel(span, tick, text).isWeekend ? (
      <rect
        key={span.dateFrom}
        className={styles.weekend}
        // Without it neighbours have a seam.
        shapeRendering="crispEdges"
        x={xOf(frame, at) - frame.stepPx / 2}
        y={frame.topPx}
        width={frame.stepPx}
        height={frame.heightPx}
      />
    ) : null,
  );
}

function Scale({ frame }: { frame: Frame }) {
  const { leftPx, widthPx, top } = frame;
  return valueLines(top, STEPS).map((value) => (
    <g key={value}>
      <line
        className={value === 0 ? styles.base : styles.grid}
        x1={leftPx}
        x2={leftPx + widthPx}
        y1={Math.round(yOf(frame, value)) + 0.5}
        y2={Math.round(yOf(frame, value)) + 0.5}
      />
      <text className={styles.label} x={leftPx - 8} y={yOf(frame, value) + 4} textAnchor="end">
        {formatNumber(value)}
      </text>
    </g>
  ));
}

// Silent hours are hatched, and the longest run says whose they are.
function Silence({ silence, shown, frame }: ChartPlotProps) {
  const text = useStatsText();
  const runs = silentRuns(silence);
  const longest = runs.toSorted((a, b) => b.hours - a.hours)[0];
  const inLongest = ({ silence: hours }: Pick<Series, 'silence'>) =>
    longest ? hours.slice(longest.first, longest.last + 1).reduce((sum, one) => sum + one, 0) : 0;
  const silent = shown
    .map(({ name, ...one }) => ({ name, hours: one.silentHours && inLongest(one) }))
    .filter(({ hours }) => hours > 0)
    .sort((a, b) => b.hours - a.hours);
  const [first] = silent;
  const note =
    first && longest && text.silentIn(first.name, silent.length - 1, formatNumber(longest.hours));
  const right = frame.leftPx + frame.widthPx;
  const half = ((note?.length ?? 0) * LETTER_PX) / 2;
  const middle = longest ? xOf(frame, (longest.first + longest.last) / 2) : 0;
  return (
    <>
      {runs.map((run) => (
        <rect
          key={run.first}
          fill="url(#silence)"
          data-silent={run.hours}
          x={xOf(frame, run.first) - frame.stepPx / 2}
          y={frame.topPx}
          width={frame.stepPx * (run.last - run.first + 1)}
          height={frame.heightPx}
        />
      ))}
      {note && (
        <text
          className={styles.silentNote}
          // As attributes, so that a saved picture has them.
          paintOrder="stroke"
          strokeWidth="3"
          x={Math.max(frame.leftPx + half, Math.min(middle, right - half))}
          y={frame.topPx + 12}
          textAnchor="middle"
        >
          {note}
        </text>
      )}
    </>
  );
}

function Axis({ chart: { ticks, tick, runsFrom }, shown, frame }: ChartPlotProps) {
  const text = useStatsText();
  // The names of bars are in its place.
  if (ticks.length === 1 && isNamed(frame, shown.length)) return null;
  const every = Math.ceil(LABEL_PX[tick] / frame.stepPx);
  const y = frame.topPx + frame.heightPx;
  return ticks.map((span, at) => {
    if (at % every !== 0 && at !== runsFrom) return null;
    // The tick that is not over has its label; its neighbours make room for it.
    if (at !== runsFrom && Math.abs(at - runsFrom) < every) return null;
    const { main, below, isWeekend } = tickLabel(span, tick, text);
    return (
      <g
        key={span.dateFrom}
        className={styles.label}
        textAnchor="middle"
        data-weekend={isWeekend || undefined}
        data-open={at === runsFrom || undefined}
      >
        <text x={xOf(frame, at)} y={y + 16}>
          {main}
        </text>
        {below && (
          <text x={xOf(frame, at)} y={y + 31}>
            {at === runsFrom ? text.runs : below}
          </text>
        )}
      </g>
    );
  });
}

interface LineProps {
  series: Series;
  frame: Frame;
  /** With a line of the compared range. */
  isCompared: boolean;
  /** Drawn over the others. */
  isLit?: boolean;
}

/** The line of a series, within a group that has `LINES`. Where there are no records it has a gap. */
export const Line = memo(function Line(props: LineProps) {
  const { series, frame, isCompared, isLit = false } = props;
  const { values, before, colour, runsFrom } = series;
  const lone = values.flatMap((value, at) =>
    value !== undefined && isLone(values, at) ? [{ at, value }] : [],
  );
  const over = pathOf(frame, values.slice(0, runsFrom), 0);
  const from = Math.max(runsFrom - 1, 0);
  const running = pathOf(frame, values.slice(from), from);
  // No group for each: of hundreds of series each element costs time whenever the page is painted.
  const stroke = { stroke: colour, strokeWidth: isLit ? 3.5 : undefined };
  return (
    <>
      {isCompared && before.length > 1 && (
        <path
          {...stroke}
          d={pathOf(frame, before, 0) ?? ''}
          strokeWidth="1"
          opacity="0.4"
          data-before
        />
      )}
      {over && <path {...stroke} d={over} />}
      {running && <path {...stroke} d={running} strokeDasharray="3 4" data-unfinished />}
      {lone.map(({ at, value }) => (
        <circle
          key={at}
          cx={xOf(frame, at)}
          cy={yOf(frame, value)}
          r={isLit ? LONE_PX + 2 : LONE_PX}
          fill={colour}
        />
      ))}
    </>
  );
});

interface BarProps {
  series: Series;
  place: number;
  of: number;
  frame: Frame;
}

// One tick has no line: a bar for each series.
function Bar({ series, place, of, frame }: BarProps) {
  const slotPx = frame.widthPx / of;
  const widthPx = Math.min(slotPx * 0.7, WIDEST_BAR_PX);
  const middle = frame.leftPx + (place + 0.5) * slotPx;
  const base = frame.topPx + frame.heightPx;
  const y = yOf(frame, series.values[0] ?? 0);
  const [before] = series.before;
  return (
    <>
      <rect
        fill={series.colour}
        // Dashed, as the line of a day that runs.
        {...(series.runsFrom === 0 && UNFINISHED_BAR)}
        stroke={series.colour}
        x={middle - widthPx / 2}
        y={y}
        width={widthPx}
        height={base - y}
        data-unfinished={series.runsFrom === 0 || undefined}
      />
      {before !== undefined && (
        <line
          className={styles.before}
          data-before
          x1={middle - widthPx / 2 - MARK_PX}
          x2={middle + widthPx / 2 + MARK_PX}
          y1={yOf(frame, before)}
          y2={yOf(frame, before)}
          strokeWidth="2"
        />
      )}
      {isNamed(frame, of) && (
        <BarName name={series.name} xPx={middle} basePx={base} slotPx={slotPx} />
      )}
    </>
  );
}

const isNamed = ({ widthPx }: Frame, bars: number): boolean => widthPx / bars >= NAMED_BAR_PX;
