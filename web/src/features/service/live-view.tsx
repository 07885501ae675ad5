import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import { findLive, startLive } from '@ridewatch/contract/live';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useAction, useEndpoint } from '../../api.ts';
import { useText } from '../../i18n/language.ts';
import { Film } from '../../player/film.tsx';
import { canFillScreen, toggleFullScreen } from '../../player/full-screen.ts';
import { FullscreenIcon } from '../../player/player-icons.tsx';
import { startPlaying } from '../../player/start-playing.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import styles from './live-view.module.css';
import { useServiceText } from './use-service-text.ts';
import { useVisible } from './use-visible.ts';

const STARTING_MS = 1_000;
const RUNNING_MS = 3_000;
/** A stream that broke off is begun again by itself so often, until it plays. */
const MOST_TRIES = 3;

interface LiveViewProps {
  camera: Camera;
  zone: string;
}

/** What a camera shows now. It is watched as long as this stands on a page that somebody sees. */
export function LiveView({ camera, zone }: LiveViewProps) {
  const text = useServiceText();
  const isVisible = useVisible();
  if (camera.liveurl === null || camera.status === 'offline') {
    const why = camera.liveurl === null ? text.liveNone : text.liveOffline;
    return (
      <aside className={styles.panel} aria-label={text.liveVideo(camera.name)}>
        <div className={styles.screen}>
          <p className={styles.word}>{why}</p>
        </div>
      </aside>
    );
  }
  return isVisible ? (
    <Watching camera={camera} zone={zone} />
  ) : (
    <aside className={styles.panel}>
      <div className={styles.screen} />
    </aside>
  );
}

function Watching({ camera, zone }: LiveViewProps) {
  const text = useServiceText();
  const common = useText().common;
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const tries = useRef(0);
  const [isPlaying, setPlaying] = useState(false);
  const params = { cameraId: camera.id };
  const starting = useAction(startLive, {
    handled: true,
    // Without a connection it is begun when that is back.
    retry: (_failures, { status }) => status === 0,
    retryDelay: RUNNING_MS,
  });
  const begun = starting.data;
  const stream = useEndpoint(
    findLive,
    { params },
    {
      enabled: begun !== undefined,
      handled: true,
      // Of an earlier visit it says nothing.
      staleTime: 0,
      gcTime: 0,
      refetchInterval: ({ state }) => (state.data?.state === 'starting' ? STARTING_MS : RUNNING_MS),
    },
  );
  const start = () => {
    setPlaying(false);
    starting.mutate({ params });
  };
  const startOnce = useEffectEvent(start);
  useEffect(() => startOnce(), []);
  const state = stream.data?.state ?? begun?.state ?? 'starting';
  const hasEnded = state === 'ended' || state === 'failed';
  const breakOff = () => {
    tries.current += 1;
    if (tries.current <= MOST_TRIES) start();
  };
  const hasGivenUp = tries.current > MOST_TRIES && !isPlaying && !starting.isPending;
  const problem = starting.error ?? stream.error;
  const isLost = problem?.status === 0 || starting.failureReason?.status === 0;
  const isOver = hasEnded || hasGivenUp || (problem !== null && !isLost);
  const canPlay = begun !== undefined && (state === 'running' || state === 'stalled');
  const play = () => {
    if (!video.current) return;
    tries.current = 0;
    setPlaying(true);
    void startPlaying(video.current);
  };
  const word = () => {
    if (isLost) return common.connectionLost;
    if (problem) return problem.message;
    if (state === 'failed') return reasonText(stream.data?.reason ?? begun?.reason ?? null);
    if (isOver) return text.liveEnded;
    if (state === 'stalled') return text.liveStalled;
    return isPlaying ? undefined : text.liveStarting;
  };
  const reasonText = (reason: string | null) =>
    reason === 'The unit did not answer.' ? text.reasons.silent : (reason ?? text.liveFailed);
  const said = word();
  return (
    <aside className={styles.panel} aria-label={text.liveVideo(camera.name)}>
      <div ref={frame} className={styles.screen}>
        {canPlay && !isOver && (
          <Film
            key={begun.uri}
            address={begun.uri}
            isChosen
            video={video}
            isMuted
            events={{
              onLoaded: play,
              onPlay: () => setPlaying(true),
              onPause: () => undefined,
              onSeeked: () => undefined,
              onEnded: breakOff,
              onError: breakOff,
              onClick: () => undefined,
            }}
          />
        )}
        {isPlaying && !isOver && (
          <span className={styles.mark} data-stalled={state === 'stalled' || undefined}>
            <i /> {text.liveNow}
          </span>
        )}
        {said !== undefined && (
          <div className={styles.word} role="status">
            {isOver && <strong>{isPlaying ? text.liveEnded : text.liveFailed}</strong>}
            {(!isOver || said !== text.liveEnded || !isPlaying) && <p>{said}</p>}
            {isOver && (
              <Button
                kind="primary"
                isBusy={starting.isPending}
                onClick={() => {
                  tries.current = 0;
                  start();
                  void stream.refetch();
                }}
              >
                {problem ? common.retry : text.startAgain}
              </Button>
            )}
          </div>
        )}
      </div>
      <div className={styles.about}>
        <strong>{camera.name}</strong>
        {begun?.started_at && !isOver && (
          <span>
            {text.liveSince(formatMoment(Date.parse(begun.started_at), zone, 'HH:mm:ss'))}
          </span>
        )}
        {canFillScreen() && (
          <IconButton
            label={text.fullscreen}
            onClick={() => {
              if (frame.current && video.current) {
                void toggleFullScreen(frame.current, video.current);
              }
            }}
          >
            <FullscreenIcon />
          </IconButton>
        )}
      </div>
      <p className={styles.hint}>{text.liveHint}</p>
    </aside>
  );
}
