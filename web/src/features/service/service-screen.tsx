import { listPeriods, type Segment } from '@ridewatch/contract/segments';
import { mediaAt } from '@ridewatch/contract/time-map';
import { useMemo, useRef, useState } from 'react';
import { useEndpoint } from '../../api.ts';
import { useAddress } from '../../bus-page/use-address.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { camerasInOrder } from '../../buses/order.ts';
import { setAutoplay, useAutoplay } from '../../fragment/autoplay.ts';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { refreshInterval } from '../../fragment/refresh-interval.ts';
import { useSpeed } from '../../fragment/speed.ts';
import { useText } from '../../i18n/language.ts';
import type { PlayerHandle } from '../../player/player.tsx';
import { createPlayhead } from '../../player/playhead.ts';
import { PreviewPicture } from '../../player/preview-picture.tsx';
import { Timeline, type TimelineHandle } from '../../timeline/timeline.tsx';
import { TimelineLegend } from '../../timeline/timeline-legend.tsx';
import { useTimelineText } from '../../timeline/use-timeline-text.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CameraChoice } from './camera-choice.tsx';
import { CameraStatus } from './camera-status.tsx';
import { LiveView } from './live-view.tsx';
import { mergedRow, segmentAt } from './merged-row.ts';
import { PreloadBar } from './preload-bar.tsx';
import { RangeLayer } from './range-layer.tsx';
import { ServiceList } from './service-list.tsx';
import styles from './service-screen.module.css';
import { refusalOf } from './span.ts';
import { isOpen, useBusStatus } from './use-bus-status.ts';
import { useServiceKeys } from './use-service-keys.ts';
import { useServiceText } from './use-service-text.ts';
import { useSpan } from './use-span.ts';

/** How near to a short recording one has to press, px. */
const SLACK_PX = 5;

/** The cabin: what its cameras recorded, what the registrar still has, and what they show now. */
export function ServiceScreen() {
  const { info, date, isToday, goToDay } = useBusPage();
  const text = useServiceText();
  const looks = useTimelineText();
  const common = useText().common;
  const isPhone = useIsPhone();
  const { search, go, note } = useAddress();
  const [playhead] = useState(createPlayhead);
  const timeline = useRef<TimelineHandle>(null);
  const player = useRef<PlayerHandle>(null);
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const [speed, setSpeed] = useSpeed();
  const autoplay = useAutoplay();
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
  const segments = answer.data?.items;
  const selectedId = search.fragment === undefined ? undefined : Number(search.fragment);
  const selected = segments?.find(({ id }) => id === selectedId);
  const rows = useMemo(
    () => (camera && segments ? [mergedRow(camera, segments, selectedId)] : []),
    [camera, segments, selectedId],
  );
  const open = (segment: Segment, momentMs = Date.parse(segment.start_time), playing = false) => {
    const offsetS = Math.max(0, (momentMs - Date.parse(segment.start_time)) / 1000);
    setPlayAtOnce(playing);
    if (segment.id === selectedId) player.current?.seek(offsetS);
    const t = offsetS > 0 ? offsetS.toFixed(1) : undefined;
    // Back leads out of the fragments, not through all that were watched.
    const leave = { fragment: String(segment.id), t, part: undefined };
    (selectedId === undefined ? go : note)(leave);
  };
  const step = (by: 1 | -1, playing = false) => {
    const beside = fragmentBeside(segments ?? [], selectedId, by);
    if (beside) open(beside, undefined, playing);
    else if (playing) note({ fragment: undefined, t: undefined });
  };
  useServiceKeys({ player, date, onStep: step, onDay: goToDay });

  if (!camera) return <EmptyState title={text.emptyDay} text="" />;
  if (!segments) {
    return answer.error ? (
      <EmptyState title={text.failedTitle} text={text.failedText}>
        <Button kind="primary" isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
          {common.retry}
        </Button>
      </EmptyState>
    ) : (
      <div className={styles.skeleton} aria-busy="true">
        <i />
        <i />
      </div>
    );
  }
  const hasRegistrar = info.type === 'VMS';
  const change = (next: Parameters<typeof note>[0]) =>
    note({ fragment: undefined, t: undefined, ...next });
  return (
    <>
      <div className={styles.choices}>
        <CameraChoice
          cameras={cameras}
          chosenId={camera.id}
          onChoose={(id) => change({ camera: id === cameras[0]?.id ? undefined : String(id) })}
        />
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
      <div className={styles.content}>
        <div className={styles.column}>
          <section className={styles.panel} aria-label={text.timeline}>
            <header className={styles.head}>
              <h2>{text.timeline}</h2>
              <TimelineLegend rows={rows} timeline={timeline} />
            </header>
            <Timeline
              ref={timeline}
              rows={rows}
              bounds={bounds}
              zone={info.timezone}
              playhead={playhead}
              selected={rows[0]?.blocks.find(({ id }) => id === selectedId)}
              onPick={(_block, momentMs) => {
                const segment = segmentAt(segments, momentMs, 0);
                if (segment) open(segment, momentMs);
              }}
              describe={({ block, momentMs }) => {
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
                    if (segment) open(segment, momentMs);
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
          </section>
          {segments.length > 0 ? (
            <ServiceList
              segments={segments}
              camera={camera}
              zone={info.timezone}
              selectedId={selectedId}
              fromMs={span?.startMs}
              onSelect={(segment) => open(segment)}
            />
          ) : (
            <p className={styles.quiet}>
              {text.emptyDay} {hasRegistrar && text.emptyDayHint}
            </p>
          )}
        </div>
        {isLive && (
          <div className={`${styles.aside} ${styles.live}`}>
            <LiveView key={camera.id} camera={camera} zone={info.timezone} />
          </div>
        )}
        {!isLive && (!isPhone || selected) && (
          <div className={styles.aside}>
            <FragmentPanel
              segment={selected}
              next={fragmentBeside(segments, selectedId, 1)}
              camera={camera}
              zone={info.timezone}
              player={player}
              playhead={playhead}
              fromSeconds={Number(search.t ?? 0) || 0}
              playAtOnce={playAtOnce}
              speed={speed}
              onSpeed={setSpeed}
              autoplay={autoplay}
              onAutoplay={setAutoplay}
              onStep={(by) => step(by)}
              onEnded={() => autoplay && step(1, true)}
              onClose={() => change({})}
              onRest={(seconds) => note({ t: seconds > 0.05 ? seconds.toFixed(1) : undefined })}
            />
          </div>
        )}
      </div>
    </>
  );
}
