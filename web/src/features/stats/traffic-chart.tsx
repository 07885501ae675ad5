import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { type PointerEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { useWidth } from '../../timeline/use-width.ts';
import { tickSlider } from '../../ui/tick-slider.ts';
import styles from './chart.module.css';
import { type Frame, frameOf, HEIGHT_PX, topOf, xOf, yOf } from './chart-frame.ts';
import { ChartNote, NOTE_PX } from './chart-note.tsx';
import { ChartPlot, LINES, Line } from './chart-plot.tsx';
import { figureText } from './figures.ts';
import type { CountKey } from './filters.ts';
import { type Chart, type Series, sumAt } from './series.ts';
import { tickTitle } from './ticks.ts';
import { useStatsText } from './use-stats-text.ts';

/** With more series no dots follow the pointer. */
const MOST_DOTS = 30;
/** Space between the pointer's tick and the tooltip, px. */
const GAP_PX = 14;

export interface TrafficChartProps {
  svg: RefObject<SVGSVGElement | null>;
  chart: Chart;
  shown: readonly Series[];
  countKey: CountKey;
  /** The series under the pointer in the legend. */
  lit: string | undefined;
  /** Called with the series whose line is under the pointer. */
  onLit: (id: string | undefined) => void;
  /** Called with the tick that is pressed, and with the series if there is only one tick. */
  onTick: (span: DaySpan, seriesId: string | undefined) => void;
}

/** The chart. Arrow keys move over its ticks and Enter opens one; the table below has the same figures. */
export function TrafficChart(props: TrafficChartProps) {
  const { svg, chart, shown, countKey, lit, onLit, onTick } = props;
  const text = useStatsText();
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const [hovered, setHovered] = useState<number>();
  /** The tick on which a press began; a finger first shows the tooltip, and opens the tick at the next press. */
  const pressed = useRef<number>(undefined);
  const { ticks } = chart;
  const top = useMemo(() => topOf(shown), [shown]);
  // The same frame until its size or scale changes: a series that is switched off redraws no other line.
  const frame = useMemo(() => frameOf(width, ticks.length, top), [width, ticks.length, top]);
  const silence = useMemo(() => {
    const silent = shown.filter(({ silentHours }) => silentHours > 0);
    return ticks.map((_, at) => silent.reduce((sum, one) => sum + (one.silence[at] ?? 0), 0));
  }, [ticks, shown]);
  const tickAt = (event: PointerEvent) => {
    const at = Math.floor((pointOf(event, area.current) - frame.leftPx) / frame.stepPx);
    return at >= 0 && at < ticks.length ? at : undefined;
  };
  const chosen = hovered === undefined ? undefined : ticks[hovered];
  const slider = tickSlider({
    ...{ label: text.views.chart, count: ticks.length, at: hovered, from: chart.runsFrom },
    said:
      chosen &&
      `${tickTitle(chosen, chart.tick, text)}: ${sumText(countKey, sumAt(shown, hovered ?? 0), text.noRecords)}`,
    onAt: setHovered,
    onOpen: (at) => {
      const span = ticks[at];
      if (span) onTick(span, undefined);
    },
  });
  const litSeries = shown.find(({ id }) => id === lit);
  return (
    <div
      ref={area}
      className={styles.chart}
      data-chart={`${ticks.length} × ${shown.length}`}
      {...slider}
      onPointerMove={(event) => {
        const at = tickAt(event);
        setHovered(at);
        const bar = seriesAt(pointOf(event, area.current), frame, chart, shown);
        onLit(
          at === undefined ? undefined : (bar ?? lineAt(event, area.current, at, shown, frame)),
        );
      }}
      onPointerDown={(event) => {
        const at = tickAt(event);
        pressed.current = event.pointerType === 'touch' && at !== hovered ? undefined : at;
        setHovered(at);
      }}
      onPointerUp={(event) => {
        const at = tickAt(event);
        const span = at !== undefined && at === pressed.current ? ticks[at] : undefined;
        pressed.current = undefined;
        if (span) onTick(span, seriesAt(pointOf(event, area.current), frame, chart, shown));
      }}
      onPointerLeave={(event) => {
        onLit(undefined);
        if (event.pointerType !== 'touch') setHovered(undefined);
      }}
    >
      {width > 0 && (
        <>
          <ChartPlot svg={svg} chart={chart} shown={shown} silence={silence} frame={frame} />
          <svg className={styles.over} width={width} height={HEIGHT_PX} aria-hidden="true">
            {litSeries && ticks.length > 1 && (
              <g {...LINES}>
                <Line series={litSeries} frame={frame} isCompared isLit />
              </g>
            )}
            {hovered !== undefined && <Cursor at={hovered} shown={shown} frame={frame} />}
          </svg>
          {shown.length === 0 && <p className={styles.none}>{text.allHidden}</p>}
          {hovered !== undefined && shown.length > 0 && (
            <ChartNote
              at={hovered}
              chart={chart}
              shown={shown}
              silentHours={silence[hovered] ?? 0}
              left={noteLeft(xOf(frame, hovered), width)}
            />
          )}
        </>
      )}
    </div>
  );
}

function Cursor({ at, shown, frame }: { at: number; shown: readonly Series[]; frame: Frame }) {
  const x = xOf(frame, at);
  // The only tick has bars.
  if (frame.stepPx === frame.widthPx) return null;
  return (
    <>
      <line
        className={styles.cursor}
        x1={x}
        x2={x}
        y1={frame.topPx}
        y2={frame.topPx + frame.heightPx}
      />
      {shown.length <= MOST_DOTS &&
        shown.map(({ id, colour, values }) => {
          const value = values[at];
          return (
            value !== undefined && (
              <circle
                key={id}
                className={styles.dot}
                cx={x}
                cy={yOf(frame, value)}
                r="4"
                fill={colour}
              />
            )
          );
        })}
    </>
  );
}

const sumText = (key: CountKey, sum: number | undefined, none: string): string =>
  sum === undefined ? none : figureText(key, sum);

function seriesAt(
  xPx: number,
  { leftPx, widthPx }: Frame,
  { ticks }: Chart,
  shown: readonly Series[],
): string | undefined {
  if (ticks.length !== 1) return undefined;
  return shown[Math.floor(((xPx - leftPx) / widthPx) * shown.length)]?.id;
}

/** A pointer so far from a line is not on it, px. */
const LINE_REACH_PX = 16;

/** The series whose line is nearest to the pointer at a tick; undefined if none is near, or for bars. */
function lineAt(
  event: PointerEvent,
  area: HTMLElement | null,
  at: number,
  shown: readonly Series[],
  frame: Frame,
): string | undefined {
  const y = event.clientY - (area?.getBoundingClientRect().top ?? 0);
  let nearest: { readonly id: string; readonly awayPx: number } | undefined;
  for (const { id, values } of shown) {
    const value = values[at];
    if (value === undefined) continue;
    const awayPx = Math.abs(yOf(frame, value) - y);
    if (awayPx <= LINE_REACH_PX && awayPx < (nearest?.awayPx ?? Number.POSITIVE_INFINITY))
      nearest = { id, awayPx };
  }
  return nearest?.id;
}

/** The left edge of the tooltip, px: beside the tick, on the side that has room. */
function noteLeft(x: number, width: number): number {
  const left = x + GAP_PX + NOTE_PX > width ? x - GAP_PX - NOTE_PX : x + GAP_PX;
  return Math.max(0, left);
}

function pointOf(event: PointerEvent, area: HTMLElement | null): number {
  return event.clientX - (area?.getBoundingClientRect().left ?? 0);
}
