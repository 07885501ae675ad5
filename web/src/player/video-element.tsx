import {
  type ComponentProps,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
} from 'react';
import styles from './player.module.css';
import { isStream, playsStreams } from './streams.ts';

export interface VideoEvents {
  onLoaded: () => void;
  onPlay: () => void;
  onPause: () => void;
  onSeeked: () => void;
  onEnded: () => void;
  onError: () => void;
  onClick: () => void;
}

interface VideoElementProps {
  address: string;
  /** The video that is watched; the other one is only preloaded. */
  isChosen: boolean;
  /** Holds the element while it is chosen. */
  video: RefObject<HTMLVideoElement | null>;
  isMuted: boolean;
  events: VideoEvents;
}

/** A video element: plays a file by its address, HLS by the browser or by the library. */
export function VideoElement({ address, isChosen, video, isMuted, events }: VideoElementProps) {
  const element = useRef<HTMLVideoElement>(null);
  const hasFailed = useRef(false);
  const needsHelp = isStream(address) && !playsStreams();
  const fail = useEffectEvent(() => {
    hasFailed.current = true;
    if (isChosen) events.onError();
  });
  // Report a failure of preloading only when the video is chosen.
  const reportLate = useEffectEvent(() => {
    if (hasFailed.current) events.onError();
  });
  // A video that was left stays as the preloaded one: it stands at its start, unseen and unheard.
  useLayoutEffect(() => {
    const left = element.current;
    if (isChosen) reportLate();
    else if (left) {
      left.pause();
      if (left.currentTime > 0) left.currentTime = 0;
    }
  }, [isChosen]);
  useEffect(() => {
    if (!needsHelp) return;
    let isWanted = true;
    let detach: (() => void) | undefined;
    import('./hls.ts').then(
      ({ attachStream }) => {
        if (isWanted && element.current) detach = attachStream(element.current, address, fail);
      },
      (error: unknown) => {
        reportError(error);
        if (isWanted) fail();
      },
    );
    return () => {
      isWanted = false;
      detach?.();
    };
  }, [needsHelp, address]);
  const { onLoaded, ...others } = events;
  const handlers: ComponentProps<'video'> = isChosen
    ? { ...others, onLoadedMetadata: onLoaded }
    : // The browser may have refused sound at first: the second try without sound begins after the video was left.
      { onPlay: (event) => event.currentTarget.pause() };
  return (
    <video
      ref={(node) => {
        element.current = node;
        if (isChosen) video.current = node;
      }}
      className={isChosen ? styles.video : styles.ahead}
      src={needsHelp ? undefined : address}
      preload="auto"
      playsInline
      muted={!isChosen || isMuted}
      aria-hidden={!isChosen || undefined}
      {...handlers}
    >
      {/* Door cameras record no speech; the list beside the video describes the events. */}
      <track kind="captions" />
    </video>
  );
}
