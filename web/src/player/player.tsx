import { formatMoment } from '@ridewatch/contract/day';
import type { TimeMap } from '@ridewatch/contract/time-map';
import type { ReactNode, Ref } from 'react';
import { Button, IconButton } from '../ui/button.tsx';
import { clockText } from './clock-text.ts';
import { canFillScreen } from './full-screen.ts';
import styles from './player.module.css';
import { FullscreenIcon, PauseIcon, PlayIcon, SoundOffIcon } from './player-icons.tsx';
import type { PlayerAction } from './player-keys.ts';
import type { Playhead } from './playhead.ts';
import { SeekBar } from './seek-bar.tsx';
import type { SeekMark } from './seek-marks.tsx';
import { speeds } from './speeds.ts';
import type { ThumbnailSheet } from './thumbnail.tsx';
import { usePlayer } from './use-player.ts';
import { VideoStack } from './video-stack.tsx';

export interface PlayerHandle {
  perform(action: PlayerAction): void;
  /** Seeks; in seconds of wall time from the start of the video. */
  seek(offsetS: number): void;
  play(): void;
}

export interface PlayerProps {
  ref: Ref<PlayerHandle>;
  /** Identifies the video; its address may change while it plays. */
  id: number;
  address: string;
  /** The video that probably follows; it is preloaded, so that its first frame is there at once. */
  next: { id: number; address: string } | undefined;
  startMs: number;
  /** Maps media time to wall time; null if they are equal. */
  timeMap: TimeMap | null;
  /** Its thumbnails, shown under the pointer. */
  thumbnails: ThumbnailSheet | null;
  /** IANA zone of the displayed clock. */
  zone: string;
  marks: readonly SeekMark[];
  /** Start position, s of wall time. */
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
  /** Called when the address fails; resolves when the newest one is known. */
  onStale: () => Promise<unknown>;
  /** Called when the user pauses or seeks, with the position, s of wall time. */
  onRest: (offsetS: number) => void;
  /** Further controls at the right end. */
  children?: ReactNode;
}

/** A native video with our own controls; it moves the page's playhead. */
export function Player(props: PlayerProps) {
  const { names } = props;
  const player = usePlayer(props);
  const { playback, reading } = player;
  return (
    <div ref={player.frame} className={styles.player} data-player-keys>
      <div className={styles.screen}>
        <VideoStack
          video={player.video}
          chosen={player.chosen}
          ahead={player.ahead}
          isMuted={props.isMuted || playback.isSilenced}
          {...player.events}
        />
        {playback.isSilenced && (
          <Button className={styles.sound} onClick={playback.turnSoundOn}>
            <SoundOffIcon /> {names.soundOn}
          </Button>
        )}
        {reading.hasFailed && (
          <div role="alert" className={styles.failed}>
            <p>{names.failed}</p>
            <Button kind="primary" onClick={() => void reading.startAgain()}>
              {names.retry}
            </Button>
          </div>
        )}
      </div>
      <Controls {...props} player={player} />
    </div>
  );
}

function Controls(props: PlayerProps & { player: ReturnType<typeof usePlayer> }) {
  const { names, startMs, zone, player } = props;
  const { playback, position, lengthS } = player;
  const wallMs = startMs + position * 1000;
  return (
    <div className={styles.controls}>
      <IconButton label={playback.isPlaying ? names.pause : names.play} onClick={playback.toggle}>
        {playback.isPlaying ? <PauseIcon /> : <PlayIcon />}
      </IconButton>
      <span className={styles.clock}>
        <time dateTime={new Date(wallMs).toISOString()}>
          {formatMoment(wallMs, zone, 'HH:mm:ss')}
        </time>
        <small>
          {clockText(position)} / {clockText(lengthS)}
        </small>
      </span>
      <SeekBar
        label={names.seek}
        startMs={startMs}
        zone={zone}
        offsetS={position}
        lengthS={lengthS}
        timeMap={props.timeMap}
        thumbnails={props.thumbnails}
        marks={props.marks}
        onSeek={player.seek}
      />
      <select
        className={styles.speed}
        aria-label={names.speed}
        value={props.speed}
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
        <IconButton label={names.fullscreen} onClick={player.fullscreen}>
          <FullscreenIcon />
        </IconButton>
      )}
    </div>
  );
}
