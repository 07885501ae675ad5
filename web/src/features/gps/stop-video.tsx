import type { Camera } from '@ridewatch/contract/buses';
import { formatMoment } from '@ridewatch/contract/day';
import type { Fragment } from '@ridewatch/contract/fragments';
import { type RefObject, useState } from 'react';
import { setAutoplay, useAutoplay } from '../../fragment/autoplay.ts';
import { fragmentBeside } from '../../fragment/beside.ts';
import { FragmentPanel } from '../../fragment/fragment-panel.tsx';
import type { PlayerHandle } from '../../player/player-props.ts';
import type { Playhead } from '../../player/playhead.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailed } from './lap-parts.tsx';
import type { Place } from './places.ts';
import styles from './stop-video.module.css';
import { useGpsText } from './use-gps-text.ts';

interface StopVideoProps {
  place: Place;
  /** The fragments recorded there, by start. */
  fragments: readonly Fragment[];
  shown: Fragment | undefined;
  isLoading: boolean;
  /** Called to load the fragments again; undefined if they did not fail. */
  onRetry: (() => void) | undefined;
  /** The fragments of the whole lap, through which playback continues. */
  all: readonly Fragment[];
  cameras: ReadonlyMap<number, Camera>;
  zone: string;
  player: RefObject<PlayerHandle | null>;
  playhead: Playhead;
  fromSeconds: number;
  playAtOnce: boolean;
  onShow: (fragment: Fragment, playing: boolean) => void;
  onRest: (seconds: number) => void;
  onClose: () => void;
}

/** The recordings of the door cameras at a stop. */
export function StopVideo(props: StopVideoProps) {
  const { fragments, shown, cameras, zone, all } = props;
  const text = useGpsText();
  const [speed, setSpeed] = useState(1);
  const autoplay = useAutoplay();
  const step = (by: 1 | -1, playing: boolean) => {
    const beside = fragmentBeside(all, shown?.id, by);
    if (beside) props.onShow(beside, playing);
  };
  if (!shown && props.isLoading) return <div className={styles.waiting} aria-busy="true" />;
  if (!shown && props.onRetry) return <LoadFailed text={text.videoLost} onRetry={props.onRetry} />;
  if (!shown) {
    const skipped = props.place.stop?.skipped;
    return (
      <div className={styles.none}>
        <EmptyState
          title={text.noVideoTitle}
          text={skipped ? text.noVideoMissed[skipped] : text.noVideoText}
        />
      </div>
    );
  }
  return (
    <div className={styles.video}>
      {fragments.length > 1 && (
        <ul className={styles.fragments} aria-label={text.doors} data-player-keys>
          {fragments.map((fragment) => (
            <li key={fragment.id}>
              <button
                type="button"
                aria-pressed={fragment.id === shown.id}
                onClick={() => props.onShow(fragment, autoplay)}
              >
                {cameras.get(fragment.cameraId)?.name}{' '}
                <small>{formatMoment(Date.parse(fragment.start_time), zone, 'HH:mm:ss')}</small>
              </button>
            </li>
          ))}
        </ul>
      )}
      <FragmentPanel
        fragment={shown}
        next={fragmentBeside(all, shown.id, 1)}
        camera={cameras.get(shown.cameraId)}
        zone={zone}
        player={props.player}
        playhead={props.playhead}
        fromSeconds={props.fromSeconds}
        playAtOnce={props.playAtOnce}
        speed={speed}
        onSpeed={setSpeed}
        autoplay={autoplay}
        onAutoplay={setAutoplay}
        onStep={(by) => step(by, false)}
        onEnded={() => autoplay && step(1, true)}
        onClose={props.onClose}
        onRest={props.onRest}
      />
    </div>
  );
}
