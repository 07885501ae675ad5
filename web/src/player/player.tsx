import { formatMoment } from '@ridewatch/contract/day';
import { mediaAt, offsetAt, type TimeMap } from '@ridewatch/contract/time-map';
import {
  type ReactNode,
  type Ref,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { useConnectionLost } from '../connection.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { clockText } from './clock-text.ts';
import { useFrameLength } from './frame-length.ts';
import { stepFrames } from './frame-step.ts';
import { canFillScreen, toggleFullScreen } from './full-screen.ts';
import styles from './player.module.css';
import { FullscreenIcon, PauseIcon, PlayIcon, SoundOffIcon } from './player-icons.tsx';
import type { PlayerAction } from './player-keys.ts';
import type { Playhead } from './playhead.ts';
import type { Preview } from './preview-picture.tsx';
import { SeekBar } from './seek-bar.tsx';
import type { SeekMark } from './seek-marks.tsx';
import { afterFailure, afterProgress, hasGivenUp, newSource, tryAgain } from './source.ts';
import { speedBy, speeds } from './speeds.ts';
import { startPlaying } from './start-playing.ts';
import { VideoStack } from './video-stack.tsx';

export interface PlayerHandle {
  perform(action: PlayerAction): void;
  /** To a moment, in seconds of wall time from the start of the video. */
  seek(offsetS: number): void;
  play(): void;
}

interface PlayerProps {
  ref: Ref<PlayerHandle>;
  /** Tells one video from another; the address of one may change while it plays. */
  id: number;
  address: string;
  /** What is likely watched next: it is read ahead, so that its first frame is there at once. */
  next: { id: number; address: string } | undefined;
  startMs: number;
  /** Where the video's own time and that of the street differ. */
  timeMap: TimeMap | null;
  /** Its small pictures, shown under the pointer. */
  preview: Preview | null;
  /** IANA zone of the clock that runs with the video. */
  zone: string;
  marks: readonly SeekMark[];
  /** Where to begin, s of wall time from its start. */
  fromSeconds: number;
  playAtOnce: boolean;
  isMuted: boolean;
  speed: number;
  onSpeed: (speed: number) => void;
  playhead: Playhead;
  names: Record<
    'play' | 'pause' | 'speed' | 'seek' | 'fullscreen' | 'failed' | 'retry' | 'soundOn',
    string
  >;
  onEnded: () => void;
  /** The address did not answer any more; resolves when the newest one is known. */
  onStale: () => Promise<unknown>;
  /** Paused or moved by hand at this second of wall time from its start. */
  onRest: (offsetS: number) => void;
  /** Further controls at the right end. */
  children?: ReactNode;
}

/** A native video with controls of our own; it moves the page's playhead. */
export function Player(props: PlayerProps) {
  const { ref, id, address, startMs, timeMap, playhead, names, speed } = props;
  const toOffset = (mediaS: number) => offsetAt(timeMap, mediaS * 1000) / 1000;
  const toMedia = (offsetS: number) => mediaAt(timeMap, offsetS * 1000) / 1000;
  const video = useRef<HTMLVideoElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const [isPlaying, setPlaying] = useState(false);
  const [isSilenced, setSilenced] = useState(false);
  // Wall time from its start, s, to the tenth: what stands in the controls.
  const [position, setPosition] = useState(0);
  const [duration, setDuration] = useState(0);
  const [source, setSource] = useState(() => newSource(id, address));
  // A new address of the same video is taken only when the old one failed: taking it would start it anew.
  if (source.id !== id) {
    setSource(newSource(id, address));
    setPosition(0);
    setPlaying(false);
  }
  const hasFailed = hasGivenUp(source);
  const wantsToPlay = useRef(false);
  const startAgain = async () => {
    await props.onStale();
    const known = newest.current;
    setSource((now) => tryAgain(now, known));
  };
  // Once the link is back: what failed without it is not broken.
  const isLost = useConnectionLost();
  const onLink = useEffectEvent(() => {
    if (hasFailed) void startAgain();
  });
  useEffect(() => {
    if (!isLost) onLink();
  }, [isLost]);

  const follow = useEffectEvent(() => {
    const element = video.current;
    if (!element) return;
    setPosition(Math.round(toOffset(element.currentTime) * 10) / 10);
    playhead.set(startMs + toOffset(element.currentTime) * 1000);
    setSource((now) => afterProgress(now, element.currentTime));
  });
  useEffect(() => {
    let request = requestAnimationFrame(function tick() {
      if (video.current && !video.current.paused) follow();
      request = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(request);
  }, []);
  const frameS = useFrameLength(video, source.id);

  const play = async (element: HTMLVideoElement) => {
    wantsToPlay.current = true;
    const started = await startPlaying(element);
    if (element !== video.current) return;
    if (started === 'refused') setPlaying(false);
    setSilenced(started === 'muted' && !props.isMuted);
  };
  const pause = (element: HTMLVideoElement) => {
    wantsToPlay.current = false;
    element.pause();
  };
  const toggle = () => {
    const element = video.current;
    if (!element) return;
    if (element.paused) void play(element);
    else pause(element);
  };
  const seekMedia = (mediaS: number) => {
    const element = video.current;
    if (!element) return;
    const end = Number.isFinite(element.duration) ? element.duration : mediaS;
    element.currentTime = Math.min(Math.max(mediaS, 0), end);
    follow();
    props.onRest(toOffset(element.currentTime));
  };
  const seek = (offsetS: number) => seekMedia(toMedia(offsetS));
  const fullscreen = () => {
    if (frame.current && video.current) void toggleFullScreen(frame.current, video.current);
  };
  const perform = (action: PlayerAction) => {
    const element = video.current;
    if (!element) return;
    if (action.kind === 'toggle') toggle();
    if (action.kind === 'seek') seek(toOffset(element.currentTime) + action.bySeconds);
    if (action.kind === 'speed') props.onSpeed(speedBy(speed, action.steps));
    if (action.kind === 'fullscreen') fullscreen();
    if (action.kind === 'frame') {
      pause(element);
      seekMedia(stepFrames(element.currentTime, action.by, frameS.current, element.duration));
    }
  };
  useImperativeHandle(ref, () => ({
    perform,
    seek,
    play: () => {
      if (video.current) void play(video.current);
    },
  }));

  useEffect(() => {
    if (video.current) video.current.playbackRate = speed;
  }, [speed]);
  const begin = () => {
    const element = video.current;
    if (!element) return;
    setDuration(element.duration);
    element.playbackRate = speed;
    const from = toMedia(source.attempt > 0 ? position : props.fromSeconds);
    if (from > 0 && from < element.duration) element.currentTime = from;
    follow();
    if (props.playAtOnce || wantsToPlay.current) void play(element);
  };
  const newest = useRef(address);
  useEffect(() => {
    newest.current = address;
  }, [address]);
  const renew = async () => {
    const at = video.current?.currentTime || toMedia(position);
    await props.onStale();
    const known = newest.current;
    setSource((now) => (now.id === id ? afterFailure(now, known, at) : now));
  };
  // A video that was read ahead has begun to load, or failed to, before it was chosen.
  const onChosen = useEffectEvent((_key: string) => {
    const element = video.current;
    if (element?.error) void renew();
    else if (element && element.readyState >= HTMLMediaElement.HAVE_METADATA) begin();
  });
  const chosenKey = `${source.id}:${source.attempt}`;
  useEffect(() => onChosen(chosenKey), [chosenKey]);
  const wallMs = startMs + position * 1000;
  const lengthS = Number.isFinite(duration) ? toOffset(duration) : 0;
  const { next } = props;
  const ahead =
    next && next.id !== id && !savesData()
      ? { key: `${next.id}:0`, address: next.address }
      : undefined;
  return (
    <div ref={frame} className={styles.player} data-player-keys>
      <div className={styles.screen}>
        <VideoStack
          video={video}
          chosen={{ key: chosenKey, address: source.address }}
          ahead={ahead}
          isMuted={props.isMuted || isSilenced}
          onLoaded={begin}
          onPlay={() => setPlaying(true)}
          onPause={() => {
            setPlaying(false);
            follow();
            props.onRest(toOffset(video.current?.currentTime ?? 0));
          }}
          onSeeked={() => follow()}
          onEnded={() => {
            wantsToPlay.current = false;
            props.onEnded();
          }}
          onError={() => void renew()}
          onClick={toggle}
        />
        {isSilenced && (
          <Button
            className={styles.sound}
            onClick={() => {
              setSilenced(false);
              if (video.current) video.current.muted = false;
            }}
          >
            <SoundOffIcon /> {names.soundOn}
          </Button>
        )}
        {hasFailed && (
          <div role="alert" className={styles.failed}>
            <p>{names.failed}</p>
            <Button kind="primary" onClick={() => void startAgain()}>
              {names.retry}
            </Button>
          </div>
        )}
      </div>
      <div className={styles.controls}>
        <IconButton label={isPlaying ? names.pause : names.play} onClick={toggle}>
          {isPlaying ? <PauseIcon /> : <PlayIcon />}
        </IconButton>
        <span className={styles.clock}>
          <time dateTime={new Date(wallMs).toISOString()}>
            {formatMoment(wallMs, props.zone, 'HH:mm:ss')}
          </time>
          <small>
            {clockText(position)} / {clockText(lengthS)}
          </small>
        </span>
        <SeekBar
          label={names.seek}
          startMs={startMs}
          zone={props.zone}
          offsetS={position}
          lengthS={lengthS}
          timeMap={timeMap}
          preview={props.preview}
          marks={props.marks}
          onSeek={seek}
        />
        <select
          className={styles.speed}
          aria-label={names.speed}
          value={speed}
          onChange={(event) => props.onSpeed(Number(event.target.value))}
        >
          {speeds.map((one) => (
            <option key={one} value={one}>
              {one}×
            </option>
          ))}
        </select>
        {props.children}
        {canFillScreen() && (
          <IconButton label={names.fullscreen} onClick={fullscreen}>
            <FullscreenIcon />
          </IconButton>
        )}
      </div>
    </div>
  );
}

// People who pay by the megabyte read only what they watch.
function savesData(): boolean {
  const link: unknown = 'connection' in navigator ? navigator.connection : undefined;
  return typeof link === 'object' && link !== null && 'saveData' in link && link.saveData === true;
}
