import type { VehiclePosition } from '@ridewatch/contract/laps';
import type { UseQueryResult } from '@tanstack/react-query';
import { formatNumber } from '../../i18n/format.ts';
import { FailedRead } from '../../page/failed-read.tsx';
import { Ago } from '../../ui/ago.tsx';
import { Choice } from '../../ui/choice.tsx';
import { CloseIcon } from '../../ui/icons.tsx';
import styles from './gps-map.module.css';
import { LOAD_STEPS, SPEED_STEPS } from './track.ts';
import { useGpsText } from './use-gps-text.ts';
import { type PinRead, ROUTE } from './use-pins.ts';

/** Meaning of a track's colours. */
export type TrackColour = 'plain' | 'speed' | 'load';
const COLOURS: readonly TrackColour[] = ['plain', 'speed', 'load'];

/** Reads the value of the address. */
export function readColour(typed: string | undefined): TrackColour {
  return COLOURS.find((one) => one === typed) ?? 'plain';
}

interface TrackColoursProps {
  colour: TrackColour;
  /** The load of the strongest colour. */
  full: number;
  onColour: (colour: TrackColour) => void;
}

/** Selects the meaning of the track's colours, and explains them. */
export function TrackColours({ colour, full, onColour }: TrackColoursProps) {
  const text = useGpsText();
  const steps = {
    plain: [],
    speed: SPEED_STEPS.map(String),
    load: LOAD_STEPS.map((share) => formatNumber(Math.round(share * full))),
  }[colour];
  const unit = {
    plain: '',
    speed: text.kmh,
    load: text.people(full),
  }[colour];
  return (
    <div className={styles.colours} data-over-map>
      <Choice
        label={text.colour}
        value={colour}
        options={COLOURS.map((value) => ({ value, label: text.colours[value] }))}
        onChange={onColour}
      />
      {steps.length > 0 && (
        <p className={styles.legend}>
          {steps.map((step, at) => (
            <span key={step}>
              <i style={{ background: `var(--rw-shade-${at + 1})` }} />
              {step}
            </span>
          ))}
          {unit}
        </p>
      )}
    </div>
  );
}

/** Lists the pinned tracks; each can be unpinned, and says if it could not be loaded. */
export function PinNotes({
  pins,
  onUnpin,
}: {
  pins: readonly PinRead[];
  onUnpin: (id: string) => void;
}) {
  const text = useGpsText();
  return pins.map(({ id, answer }) => {
    const name = id === ROUTE ? text.routeTrack : text.lap(Number(id));
    const isMissing = answer.isError && answer.data === undefined;
    return (
      <div key={id} className={styles.pin} data-over-map>
        <FailedRead answer={answer} what={name} />
        <button
          type="button"
          aria-label={text.unpin(name)}
          title={text.unpin(name)}
          onClick={() => onUnpin(id)}
        >
          {!isMissing && (
            <>
              <i /> {name}
            </>
          )}
          <CloseIcon />
        </button>
      </div>
    );
  });
}

interface LiveNoteProps {
  /** The call that reads the position. */
  answer?: UseQueryResult;
  position: VehiclePosition | undefined;
  follows: boolean;
  /** Undefined while the map has to show something else. */
  onFollow: (() => void) | undefined;
}

/** Shows the state of the bus, and whether the map follows it. */
export function LiveNote({ answer, position, follows, onFollow }: LiveNoteProps) {
  const text = useGpsText();
  const speed = position?.speed_kmh;
  return (
    <div className={styles.live} data-state={position?.state} data-over-map>
      {answer && <FailedRead answer={answer} what={text.live} />}
      {position && (
        <p>
          <i /> {text.live}: {text.state[position.state]}
          {position.state === 'moving' &&
            speed != null &&
            // A moving bus may stop for a moment between two fixes.
            speed >= 1 &&
            ` · ${formatNumber(Math.round(speed))}\u00a0${text.kmh}`}
          {position.state === 'silent' && position.time !== null && (
            <>
              {' · '}
              <Ago moment={position.time} />
            </>
          )}
        </p>
      )}
      {onFollow && (
        <label>
          <input type="checkbox" checked={follows} onChange={onFollow} />
          {text.follow}
        </label>
      )}
    </div>
  );
}
