import type { BusInfo } from '@ridewatch/contract/buses';
import { addDays } from '@ridewatch/contract/day';
import { listDaySegments, type Segment } from '@ridewatch/contract/segments';
import { useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useEndpoint } from '../../api.ts';
import { camerasInOrder } from '../../buses/order.ts';
import { useText } from '../../i18n/language.ts';
import type { PlayerHandle } from '../../player/player.tsx';
import { playerAction } from '../../player/player-keys.ts';
import { createPlayhead } from '../../player/playhead.ts';
import { useSession } from '../../session.ts';
import { stored } from '../../stored.ts';
import type { TimeView } from '../../timeline/time-view.ts';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import styles from './bus-day-screen.module.css';
import { DayChart } from './day-chart.tsx';
import { DayTimeline } from './day-timeline.tsx';
import { DayTotals } from './day-totals.tsx';
import { FragmentList } from './fragment-list.tsx';
import { FragmentPanel } from './fragment-panel.tsx';
import { fragmentBeside, isMoving, recordedCameras } from './fragments.ts';
import { KeysHelp } from './keys-help.tsx';
import { useAddress } from './use-address.ts';
import { useDayKeys } from './use-day-keys.ts';
import { useDayText } from './use-day-text.ts';

const TODAY_MS = 5_000;
const MOVING_MS = 1_500;
const HOUR_MS = 3_600_000;

const autoplayKept = stored<boolean>('ridewatch.autoplay', (raw) => raw === true);

interface CountTabProps {
  info: BusInfo;
  date: string;
  isToday: boolean;
  onDay: (day: string) => void;
}

/** Who got on and off, and the video that shows it. */
export function CountTab({ info, date, isToday, onDay }: CountTabProps) {
  const text = useDayText();
  const common = useText().common;
  const isPhone = useIsPhone();
  const user = useSession()?.user;
  const { search, go, note } = useAddress();
  const answer = useEndpoint(
    listDaySegments,
    { query: { workplaceId: info.id, date } },
    {
      handled: true,
      refetchInterval: ({ state }) => {
        if (state.data && isMoving(state.data.segments)) return MOVING_MS;
        return isToday ? TODAY_MS : false;
      },
    },
  );
  const { data: day } = answer;
  const [playhead] = useState(createPlayhead);
  const [view, setView] = useState<TimeView | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [playAtOnce, setPlayAtOnce] = useState(false);
  const [speed, setSpeed] = useState(1);
  const player = useRef<PlayerHandle>(null);
  const autoplay = useSyncExternalStore(autoplayKept.subscribe, autoplayKept.get);

  const cameras = useMemo(() => recordedCameras(camerasInOrder(info)), [info]);
  const byId = useMemo(() => new Map(cameras.map((camera) => [camera.id, camera])), [cameras]);
  const chosen = useMemo(() => {
    if (search.camera === undefined) return new Set(cameras.map(({ id }) => id));
    return new Set(search.camera.split(',').map(Number));
  }, [search.camera, cameras]);
  const shown = useMemo(
    () => (day?.segments ?? []).filter((segment) => chosen.has(segment.cameraId)),
    [day?.segments, chosen],
  );
  const selectedId = search.fragment === undefined ? undefined : Number(search.fragment);
  const selected = day?.segments.find((segment) => segment.id === selectedId);

  const open = (segment: Segment, seconds = 0, playing = false) => {
    setPlayAtOnce(playing);
    if (segment.id === selectedId) player.current?.seek(seconds);
    const t = seconds > 0 ? seconds.toFixed(1) : undefined;
    // Back leads out of the fragments, not through all that were watched.
    (selectedId === undefined ? go : note)({ fragment: String(segment.id), t });
  };
  const step = (by: 1 | -1, playing = false) => {
    const beside = fragmentBeside(shown, selectedId, by);
    if (beside) open(beside, 0, playing);
  };
  useDayKeys((event) => {
    if (event.code === 'Slash') {
      if (event.shiftKey) setHelpOpen(true);
      else document.querySelector<HTMLInputElement>('[data-bus-search]')?.focus();
      return true;
    }
    if (event.code === 'ArrowDown' || event.code === 'ArrowUp') {
      step(event.code === 'ArrowDown' ? 1 : -1);
      return true;
    }
    if (event.code === 'BracketLeft' || event.code === 'BracketRight') {
      onDay(addDays(date, event.code === 'BracketLeft' ? -1 : 1));
      return true;
    }
    const action = playerAction(event);
    if (!action || !player.current) return false;
    player.current.perform(action);
    return true;
  });

  if (!day) {
    return answer.error ? (
      <EmptyState title={text.failedTitle} text={text.failedText}>
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
      zone={day.timezone}
      player={player}
      playhead={playhead}
      fromSeconds={Number(search.t ?? 0) || 0}
      playAtOnce={playAtOnce}
      speed={speed}
      onSpeed={setSpeed}
      autoplay={autoplay}
      onAutoplay={autoplayKept.set}
      onStep={step}
      onEnded={() => autoplay && step(1, true)}
      onClose={() => note({ fragment: undefined, t: undefined })}
      onRest={(seconds) => note({ t: seconds > 0.05 ? seconds.toFixed(1) : undefined })}
    />
  );
  const hasVideo = cameras.length > 0;
  return (
    <>
      <DayTotals info={info} day={day} />
      {hasNothing ? (
        <EmptyState title={text.emptyTitle} text={text.emptyText} />
      ) : (
        <div className={hasVideo ? styles.content : undefined}>
          <div className={styles.column}>
            <DayChart
              day={day}
              busName={info.name}
              playhead={playhead}
              onPick={({ startMs }) => setView({ startMs, endMs: startMs + HOUR_MS })}
            />
            {hasVideo && (
              <>
                <DayTimeline
                  day={day}
                  cameras={cameras}
                  chosen={chosen}
                  onChosen={(next) =>
                    note({
                      camera: next.size === cameras.length ? undefined : [...next].join(','),
                    })
                  }
                  selectedId={selectedId}
                  playhead={playhead}
                  onPick={open}
                  view={view}
                  onView={setView}
                />
                {chosen.size === 0 ? (
                  <EmptyState title={text.noCamerasTitle} text={text.noCamerasText} />
                ) : (
                  <FragmentList
                    segments={shown}
                    cameras={byId}
                    zone={day.timezone}
                    selectedId={selectedId}
                    mayEdit={user?.can_edit === true}
                    onSelect={(segment) => open(segment)}
                  />
                )}
                <button type="button" className={styles.keys} onClick={() => setHelpOpen(true)}>
                  {text.keysHint}
                </button>
              </>
            )}
          </div>
          {hasVideo && (!isPhone || selected) && <div className={styles.aside}>{panel}</div>}
        </div>
      )}
      {isHelpOpen && <KeysHelp onClose={() => setHelpOpen(false)} />}
    </>
  );
}
