import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import { canFetch } from '@ridewatch/contract/fragment-states';
import {
  effectiveCount,
  type Fragment,
  fetchFragment,
  findFragment,
  listDayFragments,
  listPeriods,
} from '@ridewatch/contract/fragments';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, type RefObject, useState } from 'react';
import { tellFailure, useAction } from '../api.ts';
import { useText } from '../i18n/language.ts';
import { later } from '../later.tsx';
import { Player, type PlayerHandle } from '../player/player.tsx';
import type { Playhead } from '../player/playhead.ts';
import { useIsPhone } from '../ui/breakpoints.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { BackIcon, CloseIcon, DownloadIcon, ForwardIcon } from '../ui/icons.tsx';
import { deletedHint, isDeleted } from './deleted-hint.ts';
import styles from './fragment-panel.module.css';
import { Passages } from './passages.tsx';
import { StateTag } from './state-tag.tsx';
import { isCancelled, stateHint, stateText } from './state-text.ts';
import { useFragmentText } from './use-fragment-text.ts';

const KeepButton = later(async () => (await import('./keep-button.tsx')).KeepButton);

interface FragmentPanelProps {
  segment: Fragment | undefined;
  next: Fragment | undefined;
  camera?: Camera | undefined;
  /** What it is called where the camera's name alone does not say it. */
  name?: string;
  /** Where the bus was then; absent where nobody knows, or where a map stands beside. */
  map?: ReactNode;
  /** How its counts are typed, where they do not stand in a list beside it. */
  counts?: ReactNode;
  zone: string;
  player: RefObject<PlayerHandle | null>;
  playhead: Playhead;
  fromSeconds: number;
  playAtOnce: boolean;
  /** Kept from fragment to fragment, also across one without video. */
  speed: number;
  onSpeed: (speed: number) => void;
  autoplay: boolean;
  onAutoplay: (on: boolean) => void;
  onStep: (step: 1 | -1) => void;
  onEnded: () => void;
  onRest: (seconds: number) => void;
  /** Puts the fragment away; phones only, where it lies over the page. */
  onClose?: () => void;
}

/** The chosen fragment: its video, or where the video is and how to get it. */
export function FragmentPanel(props: FragmentPanelProps) {
  const { segment, next, camera, zone, name = camera?.name } = props;
  const text = useFragmentText();
  const common = useText().common;
  const isPhone = useIsPhone();
  const queries = useQueryClient();
  const [wanted, setWanted] = useState<{ id: number; view: 'video' | 'map' }>();
  const refresh = () =>
    Promise.all(
      [listDayFragments, listPeriods, findFragment].map(({ path }) =>
        queries.invalidateQueries({ queryKey: [path] }),
      ),
    );
  if (!segment) {
    return (
      <aside className={styles.panel}>
        <div className={styles.none}>
          <strong>{text.choose}</strong>
          <p>{text.chooseHint}</p>
        </div>
      </aside>
    );
  }
  const startMs = Date.parse(segment.start_time);
  const entered = effectiveCount(segment.entered, segment.entered_manual);
  const exited = effectiveCount(segment.exited, segment.exited_manual);
  const hasVideo = segment.playback_uri !== null;
  // On a phone the fields below say what was counted; the line above them is short.
  const isTyped = isPhone && Boolean(props.counts);
  // The view follows the fragment; a person's choice holds for this one.
  const byItself = hasVideo || !props.map ? 'video' : 'map';
  const view = props.map && wanted?.id === segment.id ? wanted.view : byItself;
  return (
    <aside className={styles.panel} aria-label={name} data-view={view}>
      {view === 'map' && <div className={styles.map}>{props.map}</div>}
      {!hasVideo && (
        <Missing
          segment={segment}
          camera={camera}
          isBrief={view === 'map'}
          onChanged={() => void refresh()}
        />
      )}
      {view === 'video' && segment.playback_uri !== null && (
        <Player
          ref={props.player}
          id={segment.id}
          address={segment.playback_uri}
          next={next?.playback_uri ? { id: next.id, address: next.playback_uri } : undefined}
          startMs={startMs}
          timeMap={segment.video?.time_map ?? null}
          preview={segment.video?.preview ?? null}
          zone={zone}
          marks={(segment.events ?? []).map(({ offset_ms, entered, exited }) => ({
            offsetMs: offset_ms,
            entered,
            exited,
          }))}
          fromSeconds={props.fromSeconds}
          playAtOnce={props.playAtOnce}
          isMuted={isPhone}
          speed={props.speed}
          onSpeed={props.onSpeed}
          playhead={props.playhead}
          names={{ ...text, failed: text.videoFailed, retry: common.retry }}
          onEnded={props.onEnded}
          onStale={refresh}
          onRest={props.onRest}
        />
      )}
      <div className={styles.about}>
        <strong className={styles.time}>{formatMoment(startMs, zone, 'HH:mm:ss')}</strong>
        <span className={styles.camera}>{name}</span>
        {camera?.live || isTyped || (
          <>
            <span data-side="entered">+{entered.adult + entered.kids}</span>
            <span data-side="exited">−{exited.adult + exited.kids}</span>
          </>
        )}
        {(!isTyped || !hasVideo) && (
          <StateTag segment={segment} isCameraOffline={camera?.status === 'offline'} />
        )}
        {segment.video && <KeepButton segment={segment} />}
      </div>
      {view === 'video' && hasVideo && (
        <Passages
          segment={segment}
          zone={zone}
          onPick={(offsetS) => props.player.current?.seek(offsetS)}
        />
      )}
      {props.counts}
      <div className={styles.actions}>
        <IconButton label={text.previousFragment} onClick={() => props.onStep(-1)}>
          <BackIcon />
        </IconButton>
        <IconButton label={text.nextFragment} onClick={() => props.onStep(1)}>
          <ForwardIcon />
        </IconButton>
        <label className={styles.autoplay}>
          <input
            type="checkbox"
            checked={props.autoplay}
            onChange={(event) => props.onAutoplay(event.target.checked)}
          />
          {isPhone ? text.autoplayShort : text.autoplay}
        </label>
        {props.map && (
          <Button
            kind="quiet"
            onClick={() => setWanted({ id: segment.id, view: view === 'map' ? 'video' : 'map' })}
          >
            {view === 'map' ? text.showVideo : text.showMap}
          </Button>
        )}
        <span className={styles.downloads}>
          <Download
            href={segment.download_playable}
            name={text.downloadPlayable}
            short={text.playableShort}
          />
          <Download href={segment.download} name={text.download} short={text.sourceShort} />
        </span>
        {isPhone && props.onClose && (
          <IconButton label={common.close} className={styles.close} onClick={props.onClose}>
            <CloseIcon />
          </IconButton>
        )}
      </div>
    </aside>
  );
}

function Download({ href, name, short }: { href: string | null; name: string; short: string }) {
  if (href === null) return null;
  return (
    <a className={styles.download} href={href} download title={name}>
      <DownloadIcon />
      <small>{short}</small>
    </a>
  );
}

interface MissingProps {
  segment: Fragment;
  /** Where it is not known, the server says whether it can send. */
  camera: Camera | undefined;
  /** Below something else: only the state and what to do. */
  isBrief: boolean;
  onChanged: () => void;
}

function Missing({ segment, camera, isBrief, onChanged }: MissingProps) {
  const text = useFragmentText();
  const fetching = useAction(fetchFragment, {
    handled: true,
    onSettled: onChanged,
    onError: (error) => error.status === 409 || tellFailure(error),
  });
  const { status, fail_reason } = segment;
  const deleted = deletedHint(segment, text);
  const isOffline = camera !== undefined && !(camera.enabled && camera.status === 'online');
  // What can be fetched by its state is refused for its camera alone.
  const isRefused =
    fetching.error?.status === 409 && fetching.variables?.params.segmentId === segment.id;
  return (
    <div className={styles.missing} data-brief={isBrief || undefined} role="status">
      <strong>{isDeleted(segment) ? text.deleted : stateText(segment, text)}</strong>
      <p>{deleted ?? stateHint(segment, text)}</p>
      {fail_reason && !isCancelled(segment) && <p className={styles.reason}>{fail_reason}</p>}
      {canFetch(status) && (
        <Button
          kind="primary"
          isBusy={fetching.isPending}
          disabled={isOffline}
          onClick={() => fetching.mutate({ params: { segmentId: segment.id } })}
        >
          {status === 'DOWNLOAD_FAIL' ? text.fetchAgain : text.fetch}
        </Button>
      )}
      {canFetch(status) && (isOffline || isRefused) && (
        <p className={styles.reason}>{text.cameraOffline}</p>
      )}
    </div>
  );
}
