import { addDays } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { useMemo, useRef } from 'react';
import { Columns } from '../../bus-page/columns.tsx';
import { useAddress } from '../../bus-page/use-address.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { Waiting } from '../../bus-page/waiting.tsx';
import { camerasInOrder } from '../../buses/order.ts';
import { PanelCounts } from '../../counting/manual-inputs.tsx';
import { useReviewerLoop } from '../../counting/use-reviewer-loop.tsx';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { useDaySegments } from '../../fragment/use-day-segments.ts';
import { useWatching } from '../../fragment/use-watching.ts';
import { later } from '../../later.tsx';
import { useSession } from '../../session.ts';
import type { TimelineHandle } from '../../timeline/timeline.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { CountAddress } from './address.ts';
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
const FragmentMap = later(
  async () => (await import('../../map/fragment-map.tsx')).FragmentMap,
  () => <div aria-busy="true" />,
);

/** Who got on and off, and the video that shows it. */
export function CountScreen() {
  const { info, date, isToday, goToDay } = useBusPage();
  const text = useDayText();
  const isPhone = useIsPhone();
  const user = useSession()?.user;
  const { search, note } = useAddress<CountAddress>();
  const answer = useDaySegments(info.id, date, isToday);
  const { data: day } = answer;
  const { playing, selectedId, aimedId, open: openFragment, close } = useWatching();
  const { playhead, player, autoplay } = playing;
  const timeline = useRef<TimelineHandle>(null);

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
  const selected = day?.segments.find((segment) => segment.id === selectedId);

  const isStep = useRef(false);
  const open = (segment: Fragment, seconds = 0, isPlaying = false, byKey = false) => {
    isStep.current = byKey;
    openFragment(segment, seconds, isPlaying);
  };
  const mayEdit = user?.can_edit === true;
  const loop = useReviewerLoop({
    fragments: shown,
    currentId: aimedId,
    fragmentOf: (id) => shown.find((segment) => segment.id === id),
    mayEdit,
    player,
    onOpen: (id, isPlaying) => {
      const segment = shown.find((one) => one.id === id);
      if (segment) open(segment, 0, isPlaying, true);
    },
    onPastLast: close,
    onDay: (by) => goToDay(addDays(date, by)),
  });

  if (!day) {
    return (
      <Waiting answer={answer} headPx={96} bodyPx={320}>
        <DayTotals info={info} day={undefined} />
      </Waiting>
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
        selected && <PanelCounts segment={selected} onConfirm={() => loop.confirm(selected)} />
      }
      map={
        info.gps_trackable &&
        selected && (
          <FragmentMap
            busId={info.id}
            date={date}
            zone={day.timezone}
            startMs={Date.parse(selected.start_time)}
            endMs={Date.parse(selected.end_time)}
            playhead={playhead}
          />
        )
      }
      zone={day.timezone}
      {...playing}
      onStep={(by) => loop.step(by)}
      onEnded={() => autoplay && loop.step(1, { playing: true })}
      onClose={close}
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
        // What was pressed stays under the pointer.
        movesPage={() => isStep.current}
        onSelect={(segment) => open(segment)}
        onEdit={(segment) => segment.id !== aimedId() && open(segment)}
      />
    );
  return (
    <>
      <DayTotals info={info} day={day} />
      {hasNothing ? (
        <EmptyState title={text.emptyTitle} text={text.emptyText} />
      ) : (
        <Columns
          look={hasVideo ? styles.content : styles.alone}
          aside={hasVideo && !isPhone && panel}
        >
          {hasVideo && isPhone && selector}
          <DayChart
            day={day}
            busName={info.name}
            playhead={playhead}
            onPick={({ startMs }) => timeline.current?.show({ startMs, endMs: startMs + HOUR_MS })}
          />
          {hasVideo || <EmptyState title={text.noDoorsTitle} text={text.noDoorsText} />}
          {hasVideo && (
            <DayTimeline
              info={info}
              isToday={isToday}
              day={day}
              cameras={cameras}
              chosen={chosen}
              selector={!isPhone && selector}
              selectedId={selectedId}
              playhead={playhead}
              // A press on the timeline plays from there.
              onPick={(segment, seconds) => open(segment, seconds, true)}
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
          {hasVideo && isPhone && <FragmentSheet count={shown.length}>{list}</FragmentSheet>}
          {isPhone && selected && (
            <VideoModal label={byId.get(selected.cameraId)?.name ?? ''} onClose={close}>
              {panel}
            </VideoModal>
          )}
        </Columns>
      )}
      {loop.help}
    </>
  );
}
