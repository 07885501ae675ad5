import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import {
  effectiveCount,
  type Fragment,
  findFragment,
  listDayFragments,
  listPeriods,
} from '@ridewatch/contract/fragments';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useState } from 'react';
import { lazyComponent } from '../core/lazy-component.tsx';
import { useText } from '../i18n/language.ts';
import { isBeyondEnd } from '../player/beyond-end.ts';
import { Player } from '../player/player.tsx';
import type { PlayerHandle } from '../player/player-props.ts';
import type { Playhead } from '../player/playhead.ts';
import type { SeekMark } from '../player/seek-marks.tsx';
import { useIsPhone } from '../ui/breakpoints.ts';
import styles from './fragment-panel.module.css';
import { PanelActions } from './panel-actions.tsx';
import { Passages } from './passages.tsx';
import { StateTag } from './state-tag.tsx';
import { useFragmentText } from './use-fragment-text.ts';

// Both load on first use: most fragments have their whole video.
const MissingVideo = lazyComponent(
  async () => (await import('./missing-video.tsx')).MissingVideo,
  () => <div className={styles.missing} aria-busy="true" />,
);
const TruncatedNote = lazyComponent(
  async () => (await import('./truncated-note.tsx')).TruncatedNote,
);
const KeepButton = lazyComponent(async () => (await import('./keep-button.tsx')).KeepButton);

interface FragmentPanelProps {
  fragment: Fragment | undefined;
  next: Fragment | undefined;
  camera?: Camera | undefined;
  /** Heading, if the camera's name does not suffice. */
  name?: string | undefined;
  /** Map of where the bus was; absent if that is unknown, or if a map is beside the panel. */
  map?: ReactNode;
  /** Shown while no fragment is selected; unless given, how to select one. */
  none?: ReactNode;
  /** Inputs for its counts, unless a list beside has them. */
  counts?: ReactNode;
  zone: string;
  player: RefObject<PlayerHandle | null>;
  playhead: Playhead;
  fromSeconds: number;
  playAtOnce: boolean;
  /** Playback speed; stays the same for the next fragments, also after one without video. */
  speed: number;
  onSpeed: (speed: number) => void;
  autoplay: boolean;
  onAutoplay: (on: boolean) => void;
  onStep: (step: 1 | -1) => void;
  onEnded: () => void;
  /** Playback paused or was moved: at a second from the start of which fragment. */
  onRest: (seconds: number, fragmentId: number) => void;
  /** Closes the fragment; phones only, where it covers the page. */
  onClose?: () => void;
}

/** The selected fragment: its video, or where the video is and how to get it. */
export function FragmentPanel(props: FragmentPanelProps) {
  const { fragment, camera, name = camera?.name } = props;
  const text = useFragmentText();
  const queries = useQueryClient();
  const isPhone = useIsPhone();
  const [wanted, setWanted] = useState<{ id: number; view: 'video' | 'map' }>();
  const refresh = () =>
    Promise.all(
      [listDayFragments, listPeriods, findFragment].map(({ path }) =>
        queries.invalidateQueries({ queryKey: [path] }),
      ),
    );
  if (!fragment) {
    return (
      <aside className={styles.panel}>
        {props.none || (
          <div className={styles.none}>
            <strong>{text.choose}</strong>
            <p>{text.chooseHint}</p>
          </div>
        )}
      </aside>
    );
  }
  const hasVideo = fragment.playback_uri !== null;
  // A phone has room for one. Each fragment has its default; the user's choice applies to this fragment only.
  const byItself = hasVideo || !props.map ? 'video' : 'map';
  const view = props.map && wanted?.id === fragment.id ? wanted.view : byItself;
  const map = props.map && (view === 'map' || !isPhone) && (
    <div className={styles.map}>{props.map}</div>
  );
  const isVideoShown = view === 'video' || !isPhone;
  return (
    <aside className={styles.panel} aria-label={name} data-view={view}>
      {isPhone && map}
      {!hasVideo && (
        <MissingVideo
          zone={props.zone}
          fragment={fragment}
          camera={camera}
          isBrief={Boolean(map)}
          onChanged={() => void refresh()}
        />
      )}
      {isVideoShown && <Video {...props} fragment={fragment} onStale={refresh} />}
      {fragment.video?.truncated && (
        <TruncatedNote
          fragment={fragment}
          camera={camera}
          isBeyond={isBeyondEnd(props.fromSeconds, fragment.video.truncated.shown_ms / 1000)}
          onChanged={() => void refresh()}
        />
      )}
      <About {...props} fragment={fragment} name={name} />
      {isVideoShown && hasVideo && (
        <Passages
          fragment={fragment}
          zone={props.zone}
          onPick={(offsetS) => props.player.current?.seek(offsetS)}
        />
      )}
      {props.counts}
      <PanelActions
        fragment={fragment}
        view={props.map && isPhone ? view : undefined}
        onView={(next) => setWanted({ id: fragment.id, view: next })}
        autoplay={props.autoplay}
        onAutoplay={props.onAutoplay}
        onStep={props.onStep}
        onClose={props.onClose}
      />
      {isPhone || map}
    </aside>
  );
}

type OfFragment = FragmentPanelProps & { fragment: Fragment };

function Video({
  fragment,
  next,
  onStale,
  ...props
}: OfFragment & { onStale: () => Promise<unknown> }) {
  const text = useFragmentText();
  const common = useText().common;
  const isPhone = useIsPhone();
  if (fragment.playback_uri === null) return null;
  return (
    <Player
      ref={props.player}
      id={fragment.id}
      address={fragment.playback_uri}
      next={next?.playback_uri ? { id: next.id, address: next.playback_uri } : undefined}
      startMs={Date.parse(fragment.start_time)}
      timeMap={fragment.video?.time_map ?? null}
      thumbnails={fragment.video?.preview ?? null}
      zone={props.zone}
      marks={marksOf(fragment)}
      fromSeconds={props.fromSeconds}
      playAtOnce={props.playAtOnce}
      isMuted={isPhone}
      speed={props.speed}
      onSpeed={props.onSpeed}
      playhead={props.playhead}
      names={{ ...text, failed: text.videoFailed, retry: common.retry }}
      onEnded={props.onEnded}
      onStale={onStale}
      onRest={(seconds) => props.onRest(seconds, fragment.id)}
    />
  );
}

// A truncated video has no place for those who were counted after its end.
function marksOf({ events = [], video }: Fragment): SeekMark[] {
  const endMs = video?.truncated?.shown_ms ?? Number.POSITIVE_INFINITY;
  return events
    .filter(({ offset_ms }) => offset_ms < endMs)
    .map(({ offset_ms, entered, exited }) => ({ offsetMs: offset_ms, entered, exited }));
}

function About({ fragment, camera, name, zone, counts }: OfFragment) {
  const isPhone = useIsPhone();
  const place = [fragment.stop, name].filter(Boolean).join(' · ');
  const entered = effectiveCount(fragment.entered, fragment.entered_manual);
  const exited = effectiveCount(fragment.exited, fragment.exited_manual);
  // On a phone the inputs below show the counts, so this line leaves them out.
  const isTyped = isPhone && Boolean(counts);
  return (
    <div className={styles.about}>
      <strong className={styles.time}>
        {formatMoment(Date.parse(fragment.start_time), zone, 'HH:mm:ss')}
      </strong>
      <span className={styles.camera} title={place}>
        {place}
      </span>
      {camera?.live || isTyped || (
        <>
          <span data-side="entered">+{entered.adult + entered.kids}</span>
          <span data-side="exited">−{exited.adult + exited.kids}</span>
        </>
      )}
      <span className={styles.state}>
        {(!isTyped || fragment.playback_uri === null) && (
          <StateTag
            fragment={fragment}
            isCameraOffline={camera?.status === 'offline'}
            isOfCabin={camera?.live}
            zone={zone}
          />
        )}
        {fragment.video && <KeepButton fragment={fragment} />}
      </span>
    </div>
  );
}
