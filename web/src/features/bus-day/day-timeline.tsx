import type { BusInfo } from '@ridewatch/contract/buses';
import type { DayFragments, Fragment } from '@ridewatch/contract/fragments';
import { mediaAt } from '@ridewatch/contract/time-map';
import { useMemo } from 'react';
import { stateText } from '../../fragment/state-text.ts';
import { useFragmentText } from '../../fragment/use-fragment-text.ts';
import type { Playhead } from '../../player/playhead.ts';
import { Thumbnail } from '../../player/thumbnail.tsx';
import type { Block, TimelineRow } from '../../timeline/blocks.ts';
import { LapNote } from '../../timeline/lap-note.tsx';
import { STOPS_SPAN_MS } from '../../timeline/laps-line.ts';
import type { TimeView } from '../../timeline/time-view.ts';
import { Timeline } from '../../timeline/timeline.tsx';
import { useLapsLine } from '../../timeline/use-laps-line.ts';
import type { TimeAxis } from '../../timeline/use-timeline-view.ts';
import styles from './day-chart.module.css';
import { useDayText } from './use-day-text.ts';

const AROUND_MS = 5 * 60_000;

interface DayTimelineProps {
  info: BusInfo;
  day: DayFragments;
  isToday: boolean;
  /** The chosen cameras. */
  rows: readonly TimelineRow[];
  /** Shared with the chart above. */
  axis: TimeAxis;
  selected: Block | undefined;
  playhead: Playhead;
  /** Called with a fragment and a second in it. */
  onPick: (fragment: Fragment, seconds: number) => void;
}

/** The timeline of the day: when each camera recorded. */
export function DayTimeline(props: DayTimelineProps) {
  const { info, day, isToday, rows, axis, selected, playhead, onPick } = props;
  const text = useDayText();
  const states = useFragmentText();
  const line = useLapsLine({
    busId: info.id,
    date: day.date,
    isToday,
    hasTrack: info.gps_trackable,
    isClose: axis.view.endMs - axis.view.startMs <= STOPS_SPAN_MS,
  });
  const byId = useMemo(
    () => new Map(day.segments.map((fragment) => [fragment.id, fragment])),
    [day.segments],
  );
  return (
    <section className={styles.records} aria-label={text.timelineTitle}>
      <Timeline
        rows={rows}
        axis={axis}
        isBelowChart
        zone={day.timezone}
        playhead={playhead}
        selected={selected}
        line={line}
        onPickLap={({ lap, stop }) => {
          const fragment = stop && byId.get(stop.fragments[0] ?? 0);
          if (fragment) onPick(fragment, 0);
          // A stop without a recording is zoomed to.
          else if (stop) axis.setView(around(stop));
          else if (lap) axis.setView(lap);
        }}
        onPick={(block, momentMs) => {
          const fragment = byId.get(block.id);
          if (fragment) onPick(fragment, (momentMs - block.startMs) / 1000);
        }}
        describe={({ block, row, tick, momentMs, lap, stop }) => {
          if (lap || stop) return <LapNote lap={lap} stop={stop} zone={day.timezone} />;
          const fragment = block && byId.get(block.id);
          const video = fragment?.video;
          const counts = tick ?? block;
          return (
            block && (
              <>
                {video?.preview && (
                  <Thumbnail
                    thumbnails={video.preview}
                    mediaMs={mediaAt(video.time_map, momentMs - block.startMs)}
                  />
                )}
                <span>
                  {row?.label} · {fragment && stateText(fragment, states)}
                </span>
                <span>
                  +{counts?.entered} −{counts?.exited}
                </span>
              </>
            )
          );
        }}
      />
    </section>
  );
}

/** The view from some minutes before a stop to some minutes after it. */
const around = ({ startMs, endMs }: TimeView): TimeView => ({
  startMs: startMs - AROUND_MS,
  endMs: endMs + AROUND_MS,
});
