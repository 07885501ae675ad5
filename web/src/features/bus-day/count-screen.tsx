import { addDays } from '@ridewatch/contract/day';
import { markReviewed } from '@ridewatch/contract/review';
import type { Segment } from '@ridewatch/contract/segments';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useAction } from '../../api.ts';
import { useAddress } from '../../bus-page/use-address.ts';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { useDayKeys } from '../../bus-page/use-day-keys.ts';
import { usePageText } from '../../bus-page/use-page-text.ts';
import { camerasInOrder } from '../../buses/order.ts';
import { setAutoplay, useAutoplay } from '../../fragment/autoplay.ts';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import { useSpeed } from '../../fragment/speed.ts';
import { useDaySegments } from '../../fragment/use-day-segments.ts';
import { useText } from '../../i18n/language.ts';
import type { PlayerHandle } from '../../player/player.tsx';
import { playerAction } from '../../player/player-keys.ts';
import { createPlayhead } from '../../player/playhead.ts';
import { useSession } from '../../session.ts';
import type { TimelineHandle } from '../../timeline/timeline.tsx';
import { useIsPhone } from '../../ui/breakpoints.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { focusCounts, focusedFragment } from './count-focus.ts';
import styles from './count-screen.module.css';
import { DayChart } from './day-chart.tsx';
import { DayTimeline } from './day-timeline.tsx';
import { DayTotals } from './day-totals.tsx';
import { FragmentList } from './fragment-list.tsx';
import { recordedCameras } from './fragments.ts';
import { KeysHelp } from './keys-help.tsx';
import { PanelCounts } from './manual-inputs.tsx';
import { useDayText } from './use-day-text.ts';
import { keepSegment, manualEdits } from './use-manual-edits.ts';

const HOUR_MS = 3_600_000;

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
  const [isHelpOpen, setHelpOpen] = useState(false);
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
  const currentId = () => focusedFragment() ?? selectedId;
  const step = (by: 1 | -1, { playing = false, field = 'same' as 'same' | 'first' } = {}) => {
    const beside = fragmentBeside(shown, currentId(), by);
    if (!beside) return;
    const isTyping = focusedFragment() !== undefined;
    open(beside, 0, playing);
    // Who types goes on typing there.
    if (isTyping) focusCounts(beside.id, field);
  };
  const mayEdit = user?.can_edit === true;
  const reviewing = useAction(markReviewed, { onSuccess: keepSegment });
  const review = (segment: Segment) => {
    if (manualEdits.drafts().has(segment.id)) manualEdits.flush(segment.id);
    else if (segment.reviewed_at === null) reviewing.mutate({ params: { segmentId: segment.id } });
  };
  useDayKeys((event) => {
    if (event.code === 'Slash' && event.shiftKey) {
      setHelpOpen(true);
      return true;
    }
    if (mayEdit && selected && isFreeForCounts(event)) {
      if (event.code === 'Enter' || event.code === 'NumpadEnter') {
        const here = shown.find(({ id }) => id === currentId()) ?? selected;
        review(here);
        step(1, { field: 'first' });
        return true;
      }
      // The digit itself is typed where the focus has gone to.
      if (/^(Digit|Numpad)\d$/.test(event.code) && !event.shiftKey) {
        if (focusedFragment() === undefined) focusCounts(selected.id, 'first');
        return false;
      }
    }
    if (event.code === 'ArrowDown' || event.code === 'ArrowUp') {
      step(event.code === 'ArrowDown' ? 1 : -1);
      return true;
    }
    if (event.code === 'BracketLeft' || event.code === 'BracketRight') {
      goToDay(addDays(date, event.code === 'BracketLeft' ? -1 : 1));
      return true;
    }
    const action = playerAction(event);
    if (!action) return false;
    // Without a video the keys do nothing: the space bar least of all scrolls what one works in.
    player.current?.perform(action);
    return player.current !== null || action.kind === 'toggle';
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
        selected && <PanelCounts segment={selected} onReviewed={() => review(selected)} />
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
      onStep={(by) => step(by)}
      onEnded={() => autoplay && step(1, { playing: true })}
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
              onPick={({ startMs }) =>
                timeline.current?.show({ startMs, endMs: startMs + HOUR_MS })
              }
            />
            {hasVideo || <EmptyState title={text.noDoorsTitle} text={text.noDoorsText} />}
            {hasVideo && (
              <>
                <DayTimeline
                  day={day}
                  cameras={cameras}
                  chosen={chosen}
                  onChosen={(next) =>
                    note({
                      camera:
                        next.size === cameras.length ? undefined : [...next].join(',') || 'none',
                    })
                  }
                  selectedId={selectedId}
                  playhead={playhead}
                  onPick={open}
                  timeline={timeline}
                />
                {chosen.size === 0 ? (
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

// A control elsewhere on the page keeps Enter and digits for itself.
function isFreeForCounts({ target }: KeyboardEvent): boolean {
  if (!(target instanceof Element) || target === document.body) return true;
  return target.closest('[data-fragments]') !== null;
}
