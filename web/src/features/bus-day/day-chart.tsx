import type { BusInfo } from '@ridewatch/contract/buses';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { hourEndOf } from '@ridewatch/contract/hours';
import { useMemo, useRef, useState } from 'react';
import type { HourBar, Side } from '../../charts/hour-bars.ts';
import { HourChart } from '../../charts/hour-chart.tsx';
import { formatNumber } from '../../i18n/format.ts';
import { Panel } from '../../page/panel.tsx';
import type { Playhead } from '../../player/playhead.ts';
import type { TimelineRow } from '../../timeline/blocks.ts';
import type { TimeView } from '../../timeline/time-view.ts';
import { TimelineLegend } from '../../timeline/timeline-legend.tsx';
import { useTimelineView } from '../../timeline/use-timeline-view.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { ChartLegend } from './chart-legend.tsx';
import styles from './day-chart.module.css';
import { DayTimeline } from './day-timeline.tsx';
import { useDayText } from './use-day-text.ts';

interface DayChartProps {
  info: BusInfo;
  day: DayFragments;
  isToday: boolean;
  /** The chosen cameras; undefined for a bus without cameras at its doors. */
  rows: readonly TimelineRow[] | undefined;
  selectedId: number | undefined;
  playhead: Playhead;
  /** Called with a fragment and a second in it. */
  onPick: (fragment: Fragment, seconds: number) => void;
}

const NO_ROWS: readonly TimelineRow[] = [];

/** The day by hour, green for entered and orange for exited, and its recordings below on the same time axis. */
export function DayChart(props: DayChartProps) {
  const { info, day, rows = NO_ROWS, selectedId, playhead } = props;
  const text = useDayText();
  const isPhone = useIsPhone();
  const svg = useRef<SVGSVGElement>(null);
  const [hidden, setHidden] = useState<ReadonlySet<Side>>(new Set());
  const hours = useMemo(() => hoursOf(day), [day]);
  const bounds = useMemo(
    () => ({ startMs: Date.parse(day.start), endMs: Date.parse(day.end) }),
    [day.start, day.end],
  );
  const counted = useMemo(() => countedPeriod(hours), [hours]);
  const selected = useMemo(
    () => rows.flatMap(({ blocks }) => blocks).find(({ id }) => id === selectedId),
    [rows, selectedId],
  );
  const axis = useTimelineView({ rows, bounds, counted, playhead, selected });
  const hasTimeline = props.rows !== undefined;
  const marks = hasTimeline && <TimelineLegend rows={rows} axis={axis} />;
  return (
    <Panel
      title={hasTimeline ? text.dayTitle : text.chartTitle}
      look={styles.panel}
      tools={
        <>
          <ChartLegend
            day={day}
            hours={hours}
            busName={info.name}
            svg={svg}
            hidden={hidden}
            onHidden={setHidden}
          />
          {!isPhone && marks}
        </>
      }
    >
      <div className={styles.axis}>
        <HourChart
          hours={hours}
          axis={axis}
          hasAxisBelow={hasTimeline}
          zone={day.timezone}
          hidden={hidden}
          playhead={playhead}
          names={{
            entered: text.entered,
            exited: text.exited,
            hour: text.hour,
            title: text.chartTitle,
          }}
          svg={svg}
          formatNumber={formatNumber}
          onPick={({ startMs, endMs }) => axis.setView({ startMs, endMs })}
        />
        {hasTimeline && <DayTimeline {...props} rows={rows} axis={axis} selected={selected} />}
      </div>
      {isPhone && marks}
    </Panel>
  );
}

/** The first to the last hour in which somebody passed a door. */
function countedPeriod(hours: readonly HourBar[]): TimeView | undefined {
  const busy = hours.filter(({ entered, exited }) => entered + exited > 0);
  const [first, last] = [busy[0], busy.at(-1)];
  return first && last && { startMs: first.startMs, endMs: last.endMs };
}

// On a day with two units their hours are added; a bus has one unit at a time.
function hoursOf(day: DayFragments): HourBar[] {
  const sums = new Map<string, HourBar>();
  for (const { events } of day.events) {
    for (const { start_time, entered, exited } of events) {
      const sum = sums.get(start_time) ?? {
        startMs: Date.parse(start_time),
        endMs: hourEndOf(Date.parse(start_time), day.timezone),
        entered: 0,
        exited: 0,
      };
      sums.set(start_time, {
        ...sum,
        entered: sum.entered + entered,
        exited: sum.exited + exited,
      });
    }
  }
  return [...sums.values()].sort((a, b) => a.startMs - b.startMs);
}
