import { addDays } from '@ridewatch/contract/day';
import type { Segment } from '@ridewatch/contract/segments';
import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useAddress } from '../../bus-page/use-address.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { usePageText } from '../../bus-page/use-page-text.ts';
import { camerasInOrder } from '../../buses/order.ts';
import { PanelCounts } from '../../counting/manual-inputs.tsx';
import { useReviewerLoop } from '../../counting/use-reviewer-loop.tsx';
import { setAutoplay, useAutoplay } from '../../fragment/autoplay.ts';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { useSpeed } from '../../fragment/speed.ts';
import { useDaySegments } from '../../fragment/use-day-segments.ts';
import { useText } from '../../i18n/language.ts';
import type { PlayerHandle } from '../../player/player.tsx';
import { createPlayhead } from '../../player/playhead.ts';
import { useSession } from '../../session.ts';
import type { TimelineHandle } from '../../timeline/timeline.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { CameraSelector } from './camera-selector.tsx';
import styles from './count-screen.module.css';
import { DayChart } from './day-chart.tsx';
import { DayTimeline } from './day-timeline.tsx';
import { DayTotals } from './day-totals.tsx';
import { FragmentList } from './fragment-list.tsx';
import { FragmentSheet } from './fragment-sheet.tsx';
import { recordedCameras } from './fragments.ts';
import { useDayText } from './use-day-text.ts';
import { VideoModal } from './video-modal.tsx';

const HOUR_MS = 3_600_000;
const FragmentMap = lazy(() =>
  import('../../map/fragment-map.tsx').then(({ FragmentMap: map }) => ({ default: map })),
);

/** Who got on and off, and the video that shows it. */
export function CountScreen() {
  const { info, date, isToday, goToDay } = useBusPage();
  const text = useDayText();
  const page = usePageText();
  const common = useText().common;
  const isPhone = useIsPhone();
  const user = useSession()?.user;
  const { search, go, note } = useAddress();
  const answer = useDaySegments(info.id, date, isToday);
  const { data: day } = answer;
  const [playhead] = useState(createPlayhead);
  const timeline = useRef<TimelineHandle>(null);
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const [speed, setSpeed] = useSpeed();
  const player = useRef<PlayerHandle>(null);
  const autoplay = useAutoplay();

  const cameras = useMemo(() => recordedCameras(camerasInOrder(info)), [info]);
  const byId = useMemo(() => new Map(cameras.map((camera) => [camera.id, camera])), [cameras]);
  const chosen = useMemo(() => {
    if (search.camera === undefined) return new Set(cameras.map(({ id }) => id));
    const wanted = new Set(search.camera.split(',').map(Number));
    return new Set(cameras.flatMap(({ id }) => (wanted.has(id) ? [id] : [])));
  }, [search.camera, cameras]);
  const shown = useMemo(
    () => (day?.segments ?? []).filter((segment) => chosen.has(segment.cameraId)),
    [day?.segments, chosen],
  );
  const selectedId = search.fragment === undefined ? undefined : Number(search.fragment);
  const selected = day?.segments.find((segment) => segment.id === selectedId);
  // The fragment that is being gone to; the address follows.
  const aimed = useRef(selectedId);
  useEffect(() => {
    aimed.current = selectedId;
  }, [selectedId]);

  const open = (segment: Segment, seconds = 0, playing = false) => {
    aimed.current = segment.id;
    setPlayAtOnce(playing);
    if (segment.id === selectedId) player.current?.seek(seconds);
    const t = seconds > 0 ? seconds.toFixed(1) : undefined;
    // Back leads out of the fragments, not through all that were watched.
    (selectedId === undefined ? go : note)({ fragment: String(segment.id), t });
  };
  const close = () => note({ fragment: undefined, t: undefined });
  const mayEdit = user?.can_edit === true;
  const loop = useReviewerLoop({
    fragments: shown,
    selectedId,
    selected,
    fragmentOf: (id) => shown.find((segment) => segment.id === id),
    mayEdit,
    player,
    onOpen: (id, playing) => {
      const segment = shown.find((one) => one.id === id);
      if (segment) open(segment, 0, playing);
    },
    onPastLast: close,
    onKey: ({ code }) => {
      if (code !== 'BracketLeft' && code !== 'BracketRight') return false;
      goToDay(addDays(date, code === 'BracketLeft' ? -1 : 1));
      return true;
    },
  });

  if (!day) {
    return answer.error ? (
      <EmptyState title={page.failedTitle} text={page.failedText}>
        <Button kind="primary" isBusy={answer.isFetching} onClick={() => void answer.refetch()}>
          {common.retry}
        </Button>
      </EmptyState>
    ) : (
      <div className={styles.skeleton} aria-busy="true">
        <DayTotals info={info} day={undefined} />
        <i />
        <i />
      </div>
    );
  }
  const hasNothing = day.segments.length === 0 && day.totalEntered + day.totalExited === 0;
  const panel = (
    <FragmentPanel
      segment={selected}
      next={fragmentBeside(shown, selectedId, 1)}
      camera={selected && byId.get(selected.cameraId)}
      counts={
        isPhone &&
        mayEdit &&
        selected && <PanelCounts segment={selected} onReviewed={() => loop.review(selected)} />
      }
      map={
        info.gps_trackable &&
        selected && (
          <Suspense fallback={<div aria-busy="true" />}>
            <FragmentMap
              busId={info.id}
              date={date}
              zone={day.timezone}
              startMs={Date.parse(selected.start_time)}
              endMs={Date.parse(selected.end_time)}
              playhead={playhead}
            />
          </Suspense>
        )
      }
      zone={day.timezone}
      player={player}
      playhead={playhead}
      fromSeconds={Number(search.t ?? 0) || 0}
      playAtOnce={playAtOnce}
      speed={speed}
      onSpeed={setSpeed}
      autoplay={autoplay}
      onAutoplay={setAutoplay}
      onStep={(by) => loop.step(by)}
      onEnded={() => autoplay && loop.step(1, { playing: true })}
      onClose={close}
      onRest={(seconds) => note({ t: seconds > 0.05 ? seconds.toFixed(1) : undefined })}
    />
  );
  const hasVideo = cameras.length > 0;
  const selector = (
    <CameraSelector
      cameras={cameras}
      chosen={chosen}
      onChange={(next) =>
        note({
          camera: next.size === cameras.length ? undefined : [...next].join(',') || 'none',
        })
      }
    />
  );
  const list =
    chosen.size === 0 ? (
      <EmptyState title={text.noCamerasTitle} text={text.noCamerasText} />
    ) : (
      <FragmentList
        segments={shown}
        cameras={byId}
        zone={day.timezone}
        selectedId={selectedId}
        mayEdit={mayEdit}
        onSelect={(segment) => open(segment)}
        onEdit={(segment) => segment.id !== aimed.current && open(segment)}
      />
    );
  return (
    <>
      <DayTotals info={info} day={day} />
      {hasNothing ? (
        <EmptyState title={text.emptyTitle} text={text.emptyText} />
      ) : (
        <div className={hasVideo ? styles.content : undefined}>
          <div className={styles.column}>
            {hasVideo && isPhone && selector}
            <DayChart
              day={day}
              busName={info.name}
              playhead={playhead}
              onPick={({ startMs }) =>
                timeline.current?.show({ startMs, endMs: startMs + HOUR_MS })
              }
            />
            {hasVideo || <EmptyState title={text.noDoorsTitle} text={text.noDoorsText} />}
            {hasVideo && (
              <DayTimeline
                day={day}
                cameras={cameras}
                chosen={chosen}
                selector={!isPhone && selector}
                selectedId={selectedId}
                playhead={playhead}
                onPick={open}
                timeline={timeline}
              />
            )}
            {hasVideo && !isPhone && (
              <>
                {list}
                <button type="button" className={styles.keys} onClick={loop.openHelp}>
                  {text.keysHint}
                </button>
              </>
            )}
          </div>
          {hasVideo && !isPhone && <div className={styles.aside}>{panel}</div>}
          {hasVideo && isPhone && <FragmentSheet count={shown.length}>{list}</FragmentSheet>}
          {isPhone && selected && (
            <VideoModal label={byId.get(selected.cameraId)?.name ?? ''} onClose={close}>
              {panel}
            </VideoModal>
          )}
        </div>
      )}
      {loop.help}
    </>
  );
}
