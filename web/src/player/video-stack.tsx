import type { RefObject } from 'react';
import styles from './player.module.css';

interface Clip {
  /** A video keeps its element, and what that has read, while its key stays. */
  key: string;
  address: string;
}

interface VideoStackProps {
  /** Becomes the element of the chosen video. */
  video: RefObject<HTMLVideoElement | null>;
  chosen: Clip;
  /** Read ahead, not shown; becomes the chosen one without being read again. */
  ahead: Clip | undefined;
  isMuted: boolean;
  onLoaded: () => void;
  onPlay: () => void;
  onPause: () => void;
  onSeeked: () => void;
  onEnded: () => void;
  onError: () => void;
  onClick: () => void;
}

/** The chosen video, and behind it the one that is likely chosen next. */
export function VideoStack(props: VideoStackProps) {
  const { video, chosen, ahead } = props;
  return (
    <>
      {[chosen, ...(ahead ? [ahead] : [])].map((clip) =>
        clip === chosen ? (
          <video
            key={clip.key}
            ref={video}
            className={styles.video}
            src={clip.address}
            preload="auto"
            playsInline
            muted={props.isMuted}
            onLoadedMetadata={props.onLoaded}
            onPlay={props.onPlay}
            onPause={props.onPause}
            onSeeked={props.onSeeked}
            onEnded={props.onEnded}
            onError={props.onError}
            onClick={props.onClick}
          >
            {/* Door cameras record no speech; the list beside says what happens. */}
            <track kind="captions" />
          </video>
        ) : (
          <video
            key={clip.key}
            className={styles.ahead}
            src={clip.address}
            preload="auto"
            playsInline
            muted
            aria-hidden="true"
          >
            <track kind="captions" />
          </video>
        ),
      )}
    </>
  );
}
