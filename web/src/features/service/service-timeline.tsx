import type { BusInfo, BusStatus, Camera } from '@ridewatch/contract/buses';
import type { Fragment } from '@ridewatch/contract/fragments';
import { mediaAt } from '@ridewatch/contract/time-map';
import { type ReactNode, useMemo } from 'react';
import { nowMs } from '../../core/clock.ts';
import { stateText } from '../../fragment/state-text.ts';
import { useFragmentText } from '../../fragment/use-fragment-text.ts';
import { Panel } from '../../page/panel.tsx';
import type { Playhead } from '../../player/playhead.ts';
import { Thumbnail } from '../../player/thumbnail.tsx';
import { LapNote } from '../../timeline/lap-note.tsx';
import { STOPS_SPAN_MS } from '../../timeline/laps-line.ts';
import type { Hit } from '../../timeline/layout.ts';
import { Timeline } from '../../timeline/timeline.tsx';
import { TimelineLegend } from '../../timeline/timeline-legend.tsx';
import { useLapsLine } from '../../timeline/use-laps-line.ts';
import { useTimelineText } from '../../timeline/use-timeline-text.ts';
import { useTimelineView } from '../../timeline/use-timeline-view.ts';
import { fragmentAt, mergedRow } from './merged-row.ts';
import { RangeLayer } from './range-layer.tsx';
import { refusalOf, type Span } from './span.ts';
import { presentOf } from './use-bus-status.ts';
import { useServiceText } from './use-service-text.ts';

/** How far beside a short recording a press still selects it, px. */
const SLACK_PX = 5;

interface ServiceTimelineProps {
  info: BusInfo;
  date: string;
  isToday: boolean;
  /** Start and end of the shown day. */
  bounds: Span;
  camera: Camera;
  status: BusStatus | undefined;
  fragments: readonly Fragment[];
  selectedId: number | undefined;
  playhead: Playhead;
  span: Span | undefined;
  onSpan: (span: Span) => void;
  /** Called with a fragment and the pressed moment. */
  onPick: (fragment: Fragment, momentMs: number) => void;
  /** Content below the timeline. */
  children: ReactNode;
}

/** The timeline of a service camera's day, on which the user selects a range. */
export function ServiceTimeline(props: ServiceTimelineProps) {
  const { info, date, isToday, bounds, camera, fragments, selectedId, onPick } = props;
  const text = useServiceText();
  const rows = useMemo(
    () => [mergedRow(camera, fragments, selectedId)],
    [camera, fragments, selectedId],
  );
  const { playhead } = props;
  const refusal = refusalOf(props.span, [camera], presentOf(props.status, nowMs()));
  const selected = rows[0]?.blocks.find(({ id }) => id === selectedId);
  const axis = useTimelineView({ rows, bounds, playhead, selected });
  const line = useLapsLine({
    busId: info.id,
    date,
    isToday,
    hasTrack: info.gps_trackable,
    isClose: axis.view.endMs - axis.view.startMs <= STOPS_SPAN_MS,
  });
  const pickAt = (momentMs: number, slackMs: number) => {
    const fragment = fragmentAt(fragments, momentMs, slackMs);
    if (fragment) onPick(fragment, momentMs);
  };
  return (
    <Panel title={text.timeline} tools={<TimelineLegend rows={rows} axis={axis} />}>
      <Timeline
        rows={rows}
        axis={axis}
        zone={info.timezone}
        playhead={playhead}
        line={line}
        selected={selected}
        onPick={(_block, momentMs) => pickAt(momentMs, 0)}
        describe={(hit) => <Note hit={hit} fragments={fragments} zone={info.timezone} />}
      >
        {(view, widthPx) => (
          <RangeLayer
            view={view}
            widthPx={widthPx}
            span={props.span}
            isRefused={refusal !== undefined && refusal !== 'offline'}
            onSpan={props.onSpan}
            onTap={(momentMs) =>
              pickAt(momentMs, (SLACK_PX / widthPx) * (view.endMs - view.startMs))
            }
          />
        )}
      </Timeline>
      {props.children}
    </Panel>
  );
}

interface NoteProps {
  hit: Hit;
  fragments: readonly Fragment[];
  zone: string;
}

/** The note about the moment under the pointer. */
function Note({ hit, fragments, zone }: NoteProps) {
  const looks = useTimelineText();
  const text = useFragmentText();
  const { block, momentMs, lap, stop } = hit;
  if (lap || stop) return <LapNote lap={lap} stop={stop} zone={zone} />;
  if (!block) return null;
  const fragment = fragmentAt(fragments, momentMs, 0);
  const video = fragment?.video;
  return (
    <>
      {video?.preview && (
        <Thumbnail
          thumbnails={video.preview}
          mediaMs={mediaAt(video.time_map, momentMs - Date.parse(fragment?.start_time ?? ''))}
        />
      )}
      <span>{fragment ? stateText(fragment, text, true) : looks.kinds[block.kind]}</span>
    </>
  );
}
