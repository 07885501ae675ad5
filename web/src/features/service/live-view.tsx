import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import { useRef } from 'react';
import { useReasonText } from '../../fragment/use-reason-text.ts';
import { useText } from '../../i18n/language.ts';
import { canFillScreen, toggleFullScreen } from '../../player/full-screen.ts';
import { FullscreenIcon } from '../../player/player-icons.tsx';
import { startPlaying } from '../../player/start-playing.ts';
import { VideoElement } from '../../player/video-element.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { useLock } from '../../ui/use-lock.ts';
import { useVisible } from '../../ui/use-visible.ts';
import styles from './live-view.module.css';
import { useLiveStream } from './use-live-stream.ts';
import { useServiceText } from './use-service-text.ts';

interface LiveViewProps {
  camera: Camera;
  zone: string;
}

/** Live video of a camera; the stream runs while this is mounted and the page is visible. */
export function LiveView({ camera, zone }: LiveViewProps) {
  const text = useServiceText();
  const isVisible = useVisible();
  const locked = useLock();
  const isOffline = camera.liveurl !== null && camera.status === 'offline';
  const missing = camera.liveurl === null ? text.liveNone : undefined;
  // A stream is started for its viewer, so a view as another user has none.
  const why = missing ?? (isOffline ? text.liveOffline : locked);
  if (why !== undefined) {
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
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const live = useLiveStream(camera);
  const { begun, isOver, isPlaying } = live;
  return (
    <aside className={styles.panel} aria-label={text.liveVideo(camera.name)}>
      <div ref={frame} className={styles.screen}>
        {begun && live.canPlay && (
          <VideoElement
            key={begun.uri}
            address={begun.uri}
            isChosen
            video={video}
            isMuted
            events={{
              onLoaded: () => {
                if (!video.current) return;
                live.onLoaded();
                void startPlaying(video.current);
              },
              onPlay: live.onPlay,
              onPause: nothing,
              onSeeked: nothing,
              onEnded: live.onBreak,
              onError: live.onBreak,
              onClick: nothing,
            }}
          />
        )}
        {isPlaying && !isOver && (
          <span className={styles.mark} data-stalled={live.state === 'stalled' || undefined}>
            <i /> {text.liveNow}
          </span>
        )}
        <Word live={live} />
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

/** Says why nothing plays, and what to do. */
function Word({ live }: { live: ReturnType<typeof useLiveStream> }) {
  const text = useServiceText();
  const common = useText().common;
  const failure = useReasonText(live.reason, live.detail);
  const { state, problem, isLost, isOver, isPlaying } = live;
  const word = () => {
    if (isLost) return common.connectionLost;
    if (problem) return problem.message;
    if (state === 'failed') return failure ?? text.liveFailed;
    if (live.isUnplayable) return text.liveH265;
    if (isOver) return text.liveEnded;
    if (state === 'stalled') return text.liveStalled;
    return isPlaying ? undefined : text.liveStarting;
  };
  const said = word();
  if (said === undefined) return null;
  return (
    <div className={styles.word} role="status">
      {isOver && <strong>{isPlaying ? text.liveEnded : text.liveFailed}</strong>}
      {(!isOver || said !== text.liveEnded || !isPlaying) && <p>{said}</p>}
      {isOver && (
        <Button kind="primary" isBusy={live.isStarting} onClick={live.startAgain}>
          {problem ? common.retry : text.startAgain}
        </Button>
      )}
    </div>
  );
}

const nothing = () => undefined;
