import { formatMoment } from '@ridewatch/contract/day';
import { Button, IconButton } from '../ui/button.tsx';
import { clockText } from './clock-text.ts';
import { canFillScreen } from './full-screen.ts';
import styles from './player.module.css';
import { FullscreenIcon, PauseIcon, PlayIcon, SoundOffIcon } from './player-icons.tsx';
import type { PlayerProps } from './player-props.ts';
import { SeekBar } from './seek-bar.tsx';
import { speeds } from './speeds.ts';
import { usePlayer } from './use-player.ts';
import { VideoStack } from './video-stack.tsx';

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
