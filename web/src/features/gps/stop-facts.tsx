import { formatMoment } from '@ridewatch/contract/day';
import { formatNumber } from '../../i18n/format.ts';
import type { Place } from './places.ts';
import { spanText } from './span-text.ts';
import styles from './stop-facts.module.css';
import { useGpsText } from './use-gps-text.ts';

/** The chosen place: its name, when the bus was there, who got on and off, and why that is believed. */
export function StopFacts({ place, zone }: { place: Place; zone: string }) {
  const text = useGpsText();
  const { stop, arrivalMs, departureMs } = place;
  const clock = (momentMs: number) => formatMoment(momentMs, zone, 'HH:mm:ss');
  const parts = [
    place.direction && text.direction[place.direction],
    arrivalMs !== null &&
      (departureMs === null || departureMs === arrivalMs
        ? clock(arrivalMs)
        : `${clock(arrivalMs)}–${clock(departureMs)} (${spanText((departureMs - arrivalMs) / 1000, text)})`),
    stop?.skipped && text.skipped[stop.skipped],
    stop?.evidence &&
      text.because(
        text.evidence[stop.evidence],
        formatNumber(Math.round(stop.distance_m ?? 0)),
        formatNumber(Math.round(stop.confidence * 100)),
      ),
  ].filter((part) => typeof part === 'string');
  const isCounted = place.kind !== 'missed' && arrivalMs !== null;
  return (
    <header className={styles.facts}>
      <h2>{place.name || (place.kind === 'pause' ? text.pause : text.stop)}</h2>
      {isCounted && (
        <p className={styles.counts}>
          <b data-side="entered">
            +{place.entered} <span className={styles.said}>{text.entered}</span>
          </b>
          <b data-side="exited">
            −{place.exited} <span className={styles.said}>{text.exited}</span>
          </b>
          {place.passengers !== null && (
            <span>
              {text.inside.toLocaleLowerCase()} {formatNumber(Math.round(place.passengers))}
              {stop?.load_percent != null &&
                ` · ${text.load(formatNumber(Math.round(stop.load_percent)))}`}
            </span>
          )}
        </p>
      )}
      <p className={styles.about}>{parts.join(' · ')}</p>
    </header>
  );
}
