import { useEffect, useRef } from 'react';
import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { formatNumber } from '../../i18n/format.ts';
import { clockOn } from './clock-on.ts';
import styles from './halts-list.module.css';
import { type Place, placeName } from './places.ts';
import { spanText } from './span-text.ts';
import { useGpsText } from './use-gps-text.ts';

/** Height of the sticky heading with the direction, px. */
const TURN_PX = 32;

interface HaltsListProps {
  places: readonly Place[];
  zone: string;
  chosenKey: string | undefined;
  onChoose: (place: Place) => void;
  /** Whether the places belong to a lap; stops of a route have neither times nor counts. */
  isDriven: boolean;
}

/** The stops in order, with times and counts; the selected one stays in view. */
export function HaltsList({ places, zone, chosenKey, onChoose, isDriven }: HaltsListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    if (chosenKey === undefined) return;
    const row = list.current?.querySelector(`[data-place="${CSS.escape(chosenKey)}"]`);
    const frame = list.current?.parentElement;
    if (row && frame) showWithin(frame, row);
  }, [chosenKey]);
  const text = useGpsText();
  return (
    <ol ref={list} aria-label={isDriven ? text.halts : text.routeStops} data-player-keys>
      {places.map((place, at) => {
        const { direction } = place;
        const isTurn = direction !== null && direction !== places[at - 1]?.direction;
        return (
          <li key={place.key}>
            {isTurn && <p className={styles.turn}>{text.direction[direction]}</p>}
            <button
              type="button"
              className={styles.row}
              data-place={place.key}
              data-kind={place.kind}
              aria-current={place.key === chosenKey || undefined}
              onClick={() => onChoose(place)}
            >
              <i className={styles.dot} />
              <Row place={place} zone={zone} isDriven={isDriven} />
            </button>
          </li>
        );
      })}
    </ol>
  );
}

// `scrollIntoView` would scroll the page, too.
function showWithin(frame: Element, row: Element): void {
  const seen = frame.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  if (top < seen.top + TURN_PX) frame.scrollTop -= seen.top + TURN_PX - top;
  else if (bottom > seen.bottom) frame.scrollTop += bottom - seen.bottom;
}

function Row({ place, zone, isDriven }: { place: Place; zone: string; isDriven: boolean }) {
  const text = useGpsText();
  const { date } = useBusPage();
  const { arrivalMs, departureMs, passedMs, entered, exited, passengers, stop } = place;
  const name = placeName(place, text);
  const dwellS =
    arrivalMs !== null && departureMs !== null ? (departureMs - arrivalMs) / 1000 : undefined;
  const missed = stop?.skipped ? text.skipped[stop.skipped] : undefined;
  const timeMs = arrivalMs ?? passedMs;
  const clock = timeMs === null ? undefined : clockOn(date, timeMs, zone, 'HH:mm:ss');
  const said = arrivalMs === null ? [clock, missed].filter(Boolean).join(' · ') : clock;
  return (
    <>
      <span className={styles.name} title={name}>
        {name}
      </span>
      {isDriven && (
        <>
          <span className={styles.time} data-passed={passedMs !== null || undefined}>
            {said || '—'}
            {dwellS !== undefined && <small> · {spanText(dwellS, text)}</small>}
          </span>
          {place.kind !== 'missed' && (
            <span className={styles.counts}>
              <b data-side="entered" data-zero={entered === 0 || undefined}>
                +{entered}
              </b>
              <b data-side="exited" data-zero={exited === 0 || undefined}>
                −{exited}
              </b>
              <span className={styles.inside} title={text.inside}>
                {passengers === null ? '' : formatNumber(Math.round(passengers))}
              </span>
            </span>
          )}
        </>
      )}
    </>
  );
}
