import { formatNumber } from '../../i18n/format.ts';
import { Panel } from '../../page/panel.tsx';
import styles from './load-profile.module.css';
import { type Place, placeName } from './places.ts';
import { fullBus } from './track.ts';
import { useGpsText } from './use-gps-text.ts';

interface LoadProfileProps {
  /** The places of a lap, in order. */
  places: readonly Place[];
  /** Capacity of the bus; 0 if unknown. */
  seats: number;
  onChoose: (place: Place) => void;
}

/** A bar chart of the load after each stop; a bar selects its stop. Screen readers use the list instead. */
export function LoadProfile({ places, seats, onChoose }: LoadProfileProps) {
  const text = useGpsText();
  const reached = places.filter(({ passengers }) => passengers !== null);
  const most = Math.max(1, ...reached.map(({ passengers }) => passengers ?? 0));
  const top = fullBus(most, seats);
  return (
    <Panel isAriaHidden title={text.profileTitle} tools={<small>{text.profileHint}</small>}>
      <div className={styles.plot}>
        <span className={styles.top}>{formatNumber(Math.round(top))}</span>
        {reached.map((place, at) => {
          const inside = Math.max(0, place.passengers ?? 0);
          const isTurn = at > 0 && place.direction !== reached[at - 1]?.direction;
          return (
            <button
              key={place.key}
              type="button"
              tabIndex={-1}
              className={styles.stop}
              data-turn={isTurn || undefined}
              title={`${placeName(place, text)}: ${formatNumber(Math.round(inside))}, +${place.entered} −${place.exited}`}
              onClick={() => onChoose(place)}
            >
              <i style={{ height: `${(inside / top) * 100}%` }} />
            </button>
          );
        })}
      </div>
      <p className={styles.ends}>
        <span>{reached[0]?.name}</span>
        <span>{reached.at(-1)?.name}</span>
      </p>
    </Panel>
  );
}
