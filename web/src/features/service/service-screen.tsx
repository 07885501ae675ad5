import { addDays } from '@ridewatch/contract/day';
import { type Fragment, listPeriods } from '@ridewatch/contract/fragments';
import { mediaAt } from '@ridewatch/contract/time-map';
import { useMemo, useRef, useState } from 'react';
import { useEndpoint } from '../../api.ts';
import { Columns } from '../../bus-page/columns.tsx';
import { Panel } from '../../bus-page/panel.tsx';
import { useAddress } from '../../bus-page/use-address.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { Waiting } from '../../bus-page/waiting.tsx';
import { camerasInOrder } from '../../buses/order.ts';
import { useReviewerLoop } from '../../counting/use-reviewer-loop.tsx';
import { fragmentBeside } from '../../fragment/beside.ts';
import { CameraChips } from '../../fragment/camera-chips.tsx';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { refreshInterval } from '../../fragment/refresh-interval.ts';
import { useWatching } from '../../fragment/use-watching.ts';
import { PreviewPicture } from '../../player/preview-picture.tsx';
import { LapNote } from '../../timeline/lap-note.tsx';
import { STOPS_SPAN_MS } from '../../timeline/laps-line.ts';
import { Timeline, type TimelineHandle } from '../../timeline/timeline.tsx';
import { TimelineLegend } from '../../timeline/timeline-legend.tsx';
import { useLapsLine } from '../../timeline/use-laps-line.ts';
import { useTimelineText } from '../../timeline/use-timeline-text.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Choice } from '../../ui/choice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { ServiceAddress } from './address.ts';
import { CameraStatus } from './camera-status.tsx';
import { LiveView } from './live-view.tsx';
import { mergedRow, segmentAt } from './merged-row.ts';
import { PreloadBar } from './preload-bar.tsx';
import { RangeLayer } from './range-layer.tsx';
import { ServiceList } from './service-list.tsx';
import styles from './service-screen.module.css';
import { refusalOf } from './span.ts';
import { isOpen, useBusStatus } from './use-bus-status.ts';
import { useServiceText } from './use-service-text.ts';
import { useSpan } from './use-span.ts';

/** How near to a short recording one has to press, px. */
const SLACK_PX = 5;

/** The cabin: what its cameras recorded, what the registrar still has, and what they show now. */
export function ServiceScreen() {
  const { info, date, isToday, goToDay } = useBusPage();
  const text = useServiceText();
  const looks = useTimelineText();
  const isPhone = useIsPhone();
  const { search, note } = useAddress<ServiceAddress>();
  const { playing, selectedId, aimedId, open: openFragment, close } = useWatching();
  const { playhead, player, autoplay } = playing;
  const timeline = useRef<TimelineHandle>(null);
  const cameras = useMemo(() => camerasInOrder(info).filter(({ live }) => live), [info]);
  const known = useBusStatus(info.id).data;
  const chosen = cameras.find(({ id }) => String(id) === search.camera) ?? cameras[0];
  // What the bus has just said is newer than the page's head.
  const said = known?.cameras.find(({ camera_id }) => camera_id === chosen?.id);
  const camera =
    chosen && said ? { ...chosen, status: said.status, enabled: said.enabled } : chosen;
  const isLive = search.part === 'live';
  const hasOpenRequest = known?.requests.some(isOpen) ?? false;
  const answer = useEndpoint(
    listPeriods,
    { params: { cameraId: camera?.id ?? 0 }, query: { startdate: date, enddate: date } },
    {
      enabled: camera !== undefined,
      handled: true,
      refetchInterval: ({ state }) => refreshInterval(state.data?.items, isToday, hasOpenRequest),
    },
  );
  const bounds = useMemo(
    () => ({ startMs: Date.parse(info.day_start), endMs: Date.parse(info.day_end) }),
    [info.day_start, info.day_end],
  );
  const [span, setSpan] = useSpan(bounds);
  const [isClose, setClose] = useState(false);
  const line = useLapsLine({
    busId: info.id,
    date,
    isToday,
    hasTrack: info.gps_trackable,
    isClose,
  });
  const segments = answer.data?.items;
  const selected = segments?.find(({ id }) => id === selectedId);
  const rows = useMemo(
    () => (camera && segments ? [mergedRow(camera, segments, selectedId)] : []),
    [camera, segments, selectedId],
  );
  const open = (
    segment: Fragment,
    momentMs = Date.parse(segment.start_time),
    isPlaying = false,
  ) => {
    const startMs = Date.parse(segment.start_time);
    // A press beside it means its beginning.
    const isWithin = momentMs > startMs && momentMs < Date.parse(segment.end_time);
    const offsetS = isWithin ? (momentMs - startMs) / 1000 : 0;
    // What was recorded takes the place of what is shown now.
    openFragment(segment, offsetS, isPlaying, { part: undefined });
  };
  // As on the count tab, without counting.
  const loop = useReviewerLoop({
    fragments: segments ?? [],
    currentId: aimedId,
    fragmentOf: (id) => segments?.find((segment) => segment.id === id),
    mayEdit: false,
    player,
    onOpen: (id, isPlaying) => {
      const segment = segments?.find((one) => one.id === id);
      if (segment) open(segment, undefined, isPlaying);
    },
    onPastLast: close,
    onDay: (by) => goToDay(addDays(date, by)),
  });

  if (!camera) return <EmptyState title={text.emptyDay} text="" />;
  if (!segments) {
    return <Waiting answer={answer} failed={text.failedTitle} headPx={168} bodyPx={320} />;
  }
  const hasRegistrar = info.type === 'VMS';
  const change = (next: Parameters<typeof note>[0]) =>
    note({ fragment: undefined, t: undefined, ...next });
  const watched = isLive ? (
    <LiveView key={camera.id} camera={camera} zone={info.timezone} />
  ) : (
    (!isPhone || selected) && (
      <FragmentPanel
        segment={selected}
        next={fragmentBeside(segments, selectedId, 1)}
        camera={camera}
        zone={info.timezone}
        {...playing}
        onStep={(by) => loop.step(by)}
        onEnded={() => autoplay && loop.step(1, { playing: true })}
        onClose={close}
      />
    )
  );
  return (
    <>
      <div className={styles.choices}>
        {cameras.length > 1 && (
          <CameraChips
            label={text.cameras}
            cameras={cameras}
            isChosen={({ id }) => id === camera.id}
            onPress={({ id }) => change({ camera: id === cameras[0]?.id ? undefined : String(id) })}
          />
        )}
        <Choice
          label={text.show}
          value={isLive ? 'live' : 'records'}
          options={[
            { value: 'records', label: text.records },
            { value: 'live', label: text.live },
          ]}
          onChange={(value) => change({ part: value === 'live' ? 'live' : undefined })}
        />
      </div>
      {camera.status === 'offline' && (
        <CameraStatus busId={info.id} camera={camera} status={known} zone={info.timezone} />
      )}
      <Columns look={isLive ? styles.live : styles.recorded} aside={watched}>
        <Panel title={text.timeline} tools={<TimelineLegend rows={rows} timeline={timeline} />}>
          <Timeline
            ref={timeline}
            rows={rows}
            bounds={bounds}
            zone={info.timezone}
            playhead={playhead}
            line={line}
            onSpan={(spanMs) => setClose(spanMs <= STOPS_SPAN_MS)}
            selected={rows[0]?.blocks.find(({ id }) => id === selectedId)}
            onPick={(_block, momentMs) => {
              const segment = segmentAt(segments, momentMs, 0);
              if (segment) open(segment, momentMs, true);
            }}
            describe={({ block, momentMs, lap, stop }) => {
              if (lap || stop) return <LapNote lap={lap} stop={stop} zone={info.timezone} />;
              const segment = block && segmentAt(segments, momentMs, 0);
              const video = segment?.video;
              return (
                block && (
                  <>
                    {video?.preview && (
                      <PreviewPicture
                        preview={video.preview}
                        mediaMs={mediaAt(
                          video.time_map,
                          momentMs - Date.parse(segment?.start_time ?? ''),
                        )}
                      />
                    )}
                    <span>{looks.kinds[block.kind]}</span>
                  </>
                )
              );
            }}
          >
            {(view, widthPx) => (
              <RangeLayer
                view={view}
                widthPx={widthPx}
                span={span}
                isRefused={refusalOf(span, [camera]) === 'tooLarge'}
                onSpan={setSpan}
                onTap={(momentMs) => {
                  const slackMs = (SLACK_PX / widthPx) * (view.endMs - view.startMs);
                  const segment = segmentAt(segments, momentMs, slackMs);
                  if (segment) open(segment, momentMs, true);
                }}
              />
            )}
          </Timeline>
          {hasRegistrar && (
            <PreloadBar
              busId={info.id}
              camera={camera}
              cameras={info.cameras}
              status={known}
              span={span}
              onSpan={setSpan}
              date={date}
              bounds={bounds}
              zone={info.timezone}
            />
          )}
        </Panel>
        {segments.length > 0 ? (
          <ServiceList
            segments={segments}
            camera={camera}
            zone={info.timezone}
            selectedId={selectedId}
            from={span}
            onSelect={(segment) => open(segment)}
          />
        ) : (
          <p className={styles.quiet}>
            {text.emptyDay} {hasRegistrar && text.emptyDayHint}
          </p>
        )}
      </Columns>
      {loop.help}
    </>
  );
}
