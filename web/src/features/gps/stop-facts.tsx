import { useBusPage } from '../../bus-page/use-bus-page.ts';
import { formatNumber } from '../../i18n/format.ts';
import { clockOn } from './clock-on.ts';
import { type Place, placeName } from './places.ts';
import { spanText } from './span-text.ts';
import styles from './stop-facts.module.css';
import { useGpsText } from './use-gps-text.ts';

interface StopFactsProps {
  place: Place;
  zone: string;
}

/** The selected place: its name, who got on and off, and the load after it. */
export function StopFacts({ place, zone }: StopFactsProps) {
  const text = useGpsText();
  const { date } = useBusPage();
  const { stop, arrivalMs } = place;
  return (
    <header className={styles.facts}>
      <h2>{placeName(place, text)}</h2>
      {place.kind !== 'missed' && arrivalMs !== null && (
        <p className={styles.counts}>
          <b data-side="entered">
            +{place.entered} <span className="visually-hidden">{text.entered}</span>
          </b>
          <b data-side="exited">
            −{place.exited} <span className="visually-hidden">{text.exited}</span>
          </b>
          {place.passengers !== null && (
            <span>
              {text.inside.toLocaleLowerCase()} {formatNumber(Math.round(place.passengers))}
              {stop?.load_percent != null &&
                ` · ${text.load(formatNumber(Math.round(stop.load_percent)))}`}
            </span>
          )}
          <span className={styles.clock}>{clockOn(date, arrivalMs, zone, 'HH:mm')}</span>
        </p>
      )}
    </header>
  );
}

/** When the bus was at the selected place, and the evidence for it. */
export function StopReasons({ place, zone }: StopFactsProps) {
  const text = useGpsText();
  const { date } = useBusPage();
  const { stop, arrivalMs, departureMs, passedMs } = place;
  const clock = (momentMs: number) => clockOn(date, momentMs, zone, 'HH:mm:ss');
  const stay = () => {
    if (arrivalMs === null) return passedMs === null ? undefined : clock(passedMs);
    if (departureMs === null || departureMs === arrivalMs) return clock(arrivalMs);
    const span = spanText((departureMs - arrivalMs) / 1000, text);
    return `${clock(arrivalMs)}–${clock(departureMs)} (${span})`;
  };
  const parts = [
    place.direction && text.direction[place.direction],
    stay(),
    stop?.skipped && text.skipped[stop.skipped],
    stop?.evidence &&
      text.because(
        text.evidence[stop.evidence],
        formatNumber(Math.round(stop.distance_m ?? 0)),
        formatNumber(Math.round(stop.confidence * 100)),
      ),
  ].filter((part) => typeof part === 'string');
  return <p className={styles.about}>{parts.join(' · ')}</p>;
}
