import type { DaySpan } from '@ridewatch/contract/stat-ticks';
import { type PointerEvent, type RefObject, useMemo, useRef, useState } from 'react';
import { useWidth } from '../../timeline/use-width.ts';
import styles from './chart.module.css';
import { ChartNote, NOTE_PX } from './chart-note.tsx';
import { ChartPlot, type Frame, frameOf, HEIGHT_PX, Line, xOf, yOf } from './chart-plot.tsx';
import type { Chart, Series } from './series.ts';

/** With more series no dots follow the pointer. */
const MOST_DOTS = 30;
/** Space between the pointer's tick and the tooltip, px. */
const GAP_PX = 14;

export interface TrafficChartProps {
  svg: RefObject<SVGSVGElement | null>;
  chart: Chart;
  shown: readonly Series[];
  /** The series under the pointer in the legend. */
  lit: string | undefined;
  /** Called with the tick that is pressed, and with the series if there is only one tick. */
  onTick: (span: DaySpan, seriesId: string | undefined) => void;
}

/** The chart; the table below has the same figures, and the same ways on for the keyboard. */
export function TrafficChart({ svg, chart, shown, lit, onTick }: TrafficChartProps) {
  const area = useRef<HTMLDivElement>(null);
  const width = useWidth(area);
  const [hovered, setHovered] = useState<number>();
  /** The tick on which a press began; a finger first shows the tooltip, and opens the tick at the next press. */
  const pressed = useRef<number>(undefined);
  const { ticks } = chart;
  const frame = useMemo(() => frameOf(width, ticks.length, shown), [width, ticks, shown]);
  const silence = useMemo(
    () => ticks.map((_, at) => shown.reduce((sum, one) => sum + (one.silence[at] ?? 0), 0)),
    [ticks, shown],
  );
  const tickAt = (event: PointerEvent) => {
    const at = Math.floor((pointOf(event, area.current) - frame.leftPx) / frame.stepPx);
    return at >= 0 && at < ticks.length ? at : undefined;
  };
  const litSeries = shown.find(({ id }) => id === lit);
  return (
    <div
      ref={area}
      className={styles.chart}
      data-chart={`${ticks.length} × ${shown.length}`}
      onPointerMove={(event) => setHovered(tickAt(event))}
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
      onPointerLeave={(event) => event.pointerType !== 'touch' && setHovered(undefined)}
    >
      {width > 0 && (
        <>
          <ChartPlot svg={svg} chart={chart} shown={shown} silence={silence} frame={frame} />
          <svg className={styles.over} width={width} height={HEIGHT_PX} aria-hidden="true">
            {litSeries && ticks.length > 1 && (
              <Line series={litSeries} open={chart.open} frame={frame} isLit />
            )}
            {hovered !== undefined && <Cursor at={hovered} shown={shown} frame={frame} />}
          </svg>
          {hovered !== undefined && (
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

function seriesAt(
  xPx: number,
  { leftPx, widthPx }: Frame,
  { ticks }: Chart,
  shown: readonly Series[],
): string | undefined {
  if (ticks.length !== 1) return undefined;
  return shown[Math.floor(((xPx - leftPx) / widthPx) * shown.length)]?.id;
}

/** The left edge of the tooltip, px: beside the tick, on the side that has room. */
function noteLeft(x: number, width: number): number {
  const left = x + GAP_PX + NOTE_PX > width ? x - GAP_PX - NOTE_PX : x + GAP_PX;
  return Math.max(0, left);
}

function pointOf(event: PointerEvent, area: HTMLElement | null): number {
  return event.clientX - (area?.getBoundingClientRect().left ?? 0);
}
