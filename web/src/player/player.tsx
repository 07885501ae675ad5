import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { IconButton } from '../ui/button.tsx';
import { clockText } from './clock-text.ts';
import { ASSUMED_FRAME_S, frameLength, stepFrames } from './frame-step.ts';
import styles from './player.module.css';
import { FullscreenIcon, PauseIcon, PlayIcon } from './player-icons.tsx';
import type { PlayerAction } from './player-keys.ts';
import type { Playhead } from './playhead.ts';
import { speedBy, speeds } from './speeds.ts';

export interface PlayerHandle {
  perform(action: PlayerAction): void;
  seek(seconds: number): void;
}

/** A moment at which people passed, marked on the seek bar. */
export interface SeekMark {
  offsetMs: number;
  entered: number;
  exited: number;
}

interface PlayerProps {
  ref: Ref<PlayerHandle>;
  /** Tells one video from another; the address of one may change while it plays. */
  id: number;
  address: string;
  startMs: number;
  marks: readonly SeekMark[];
  /** Where to begin, s. */
  fromSeconds: number;
  playAtOnce: boolean;
  isMuted: boolean;
  playhead: Playhead;
  names: Record<'play' | 'pause' | 'speed' | 'seek' | 'fullscreen' | 'failed', string>;
  onEnded: () => void;
  /** The address did not answer any more: a new one is wanted. */
  onStale: () => void;
  /** Paused or moved by hand at this second. */
  onRest: (seconds: number) => void;
  /** Further controls at the right end. */
  children?: ReactNode;
}

/** A native video with controls of our own; it moves the page's playhead. */
export function Player(props: PlayerProps) {
  const { ref, id, address, startMs, marks, playhead, names } = props;
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [speed, setSpeed] = useState(1);
  const [position, setPosition] = useState(0);
  const [duration, setDuration] = useState(0);
  const [shown, setShown] = useState({ id, address, renewals: 0 });
  // A new address of the same video is taken only when the old one failed: taking it would start it anew.
  if (shown.id !== id) setShown({ id, address, renewals: 0 });
  const hasFailed = shown.renewals > 1;

  const follow = useEffectEvent(() => {
    const element = video.current;
    if (!element) return;
    setPosition(element.currentTime);
    playhead.set(startMs + element.currentTime * 1000);
  });
  useEffect(() => {
    let request = requestAnimationFrame(function tick() {
      if (!video.current?.paused) follow();
      request = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(request);
  }, []);

  // How long a frame lasts is learnt from the first two that are shown.
  const frameS = useRef(ASSUMED_FRAME_S);
  useEffect(() => {
    const element = video.current;
    if (!element?.requestVideoFrameCallback || !shown.id) return;
    let earlier: VideoFrameCallbackMetadata | undefined;
    let request = element.requestVideoFrameCallback(function learn(_now, frame) {
      if (earlier) frameS.current = frameLength(earlier, frame, frameS.current);
      earlier = frame;
      request = element.requestVideoFrameCallback(learn);
    });
    return () => element.cancelVideoFrameCallback(request);
  }, [shown.id]);

  const toggle = () => {
    const element = video.current;
    if (!element) return;
    if (element.paused) void element.play().catch(() => setPlaying(false));
    else element.pause();
  };
  const seek = (seconds: number) => {
    const element = video.current;
    if (!element) return;
    const end = Number.isFinite(element.duration) ? element.duration : seconds;
    element.currentTime = Math.min(Math.max(seconds, 0), end);
    follow();
    props.onRest(element.currentTime);
  };
  const changeSpeed = (next: number) => {
    setSpeed(next);
    if (video.current) video.current.playbackRate = next;
  };
  const fullscreen = () => {
    if (document.fullscreenElement) void document.exitFullscreen();
    else void frame.current?.requestFullscreen();
  };
  const perform = (action: PlayerAction) => {
    const element = video.current;
    if (!element) return;
    if (action.kind === 'toggle') toggle();
    if (action.kind === 'seek') seek(element.currentTime + action.bySeconds);
    if (action.kind === 'speed') changeSpeed(speedBy(speed, action.steps));
    if (action.kind === 'fullscreen') fullscreen();
    if (action.kind === 'frame') {
      element.pause();
      seek(stepFrames(element.currentTime, action.by, frameS.current, element.duration));
    }
  };
  useImperativeHandle(ref, () => ({ perform, seek }));

  const onLoaded = () => {
    const element = video.current;
    if (!element) return;
    setDuration(element.duration);
    element.playbackRate = speed;
    const from = shown.renewals > 0 ? position : props.fromSeconds;
    if (from > 0 && from < element.duration) element.currentTime = from;
    follow();
    if (props.playAtOnce || isPlaying) void element.play().catch(() => setPlaying(false));
  };
  const onError = () => {
    setShown({ id, address, renewals: shown.renewals + 1 });
    props.onStale();
  };

  return (
    <div ref={frame} className={styles.player} data-player-keys>
      <video
        key={`${shown.id}:${shown.renewals}`}
        ref={video}
        className={styles.video}
        src={shown.renewals > 0 ? address : shown.address}
        preload="auto"
        playsInline
        muted={props.isMuted}
        onLoadedMetadata={onLoaded}
        onPlay={() => setPlaying(true)}
        onPause={() => {
          setPlaying(false);
          follow();
          props.onRest(video.current?.currentTime ?? 0);
        }}
        onSeeked={() => follow()}
        onEnded={props.onEnded}
        onError={onError}
        onClick={toggle}
      >
        {/* Door cameras record no speech; the list beside says what happens. */}
        <track kind="captions" />
      </video>
      {hasFailed && (
        <p role="alert" className={styles.failed}>
          {names.failed}
        </p>
      )}
      <div className={styles.controls}>
        <IconButton label={isPlaying ? names.pause : names.play} onClick={toggle}>
          {isPlaying ? <PauseIcon /> : <PlayIcon />}
        </IconButton>
        <span className={styles.clock}>
          {clockText(position)} / {clockText(duration)}
        </span>
        <div className={styles.seek}>
          <SeekMarks marks={marks} durationMs={duration * 1000} />
          <input
            type="range"
            aria-label={names.seek}
            aria-valuetext={clockText(position)}
            min={0}
            max={duration || 1}
            step={0.1}
            value={position}
            onChange={(event) => seek(Number(event.target.value))}
          />
        </div>
        <select
          className={styles.speed}
          aria-label={names.speed}
          value={speed}
          onChange={(event) => changeSpeed(Number(event.target.value))}
        >
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
        {props.children}
        <IconButton label={names.fullscreen} onClick={fullscreen}>
          <FullscreenIcon />
        </IconButton>
      </div>
    </div>
  );
}

function SeekMarks({ marks, durationMs }: { marks: readonly SeekMark[]; durationMs: number }) {
  if (durationMs <= 0) return null;
  return (
    <span className={styles.marks} aria-hidden="true">
      {marks.map((mark) => (
        <i
          key={`${mark.offsetMs}:${mark.entered}:${mark.exited}`}
          data-side={mark.entered > 0 ? 'entered' : 'exited'}
          style={{ left: `${Math.min(100, (mark.offsetMs / durationMs) * 100)}%` }}
        />
      ))}
    </span>
  );
}
