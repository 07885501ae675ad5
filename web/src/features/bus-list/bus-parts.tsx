import type { BoardLap } from '@ridewatch/contract/board';
import type { CSSProperties } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import type { BusFacts } from './bus-facts.ts';
import styles from './bus-parts.module.css';
import type { BusShownProps } from './row-props.ts';
import type { ListTexts } from './texts-ru.ts';

/** Older than this the place on a lap says its age, ms. */
const OLD_MS = 5 * 60_000;
const FULL_PERCENT = 90;
const DAY_HOURS = 24;
const BARS_HEIGHT = 10;

/** People who entered today; null: they are being counted again. */
export function Entered({ entered, own }: { entered: number | null; own: ListTexts }) {
  const said = entered === null ? own.recounting : own.entered(entered);
  return (
    <b className={styles.number} role="img" aria-label={said} title={said}>
      {entered === null ? '…' : formatNumber(entered)}
    </b>
  );
}

interface HoursProps {
  /** People by hour of the day. */
  hours: readonly number[];
  /** Of a sum: grey. */
  isSum?: boolean;
}

/** The people of a day as bars by hour, the last one darker; each bus has its own scale. */
export function Hours({ hours, isSum = false }: HoursProps) {
  const most = Math.max(5, ...hours);
  const bar = (people: number, hour: number) => {
    if (people <= 0) return '';
    const height = Math.max(0.8, (people / most) * BARS_HEIGHT);
    return `M${hour + 0.1} ${BARS_HEIGHT}v-${height.toFixed(2)}h.8v${height.toFixed(2)}z`;
  };
  const last = hours.length - 1;
  return (
    <svg
      className={styles.hours}
      viewBox={`0 0 ${Math.max(DAY_HOURS, hours.length)} ${BARS_HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      data-sum={isSum || undefined}
    >
      <path d={hours.slice(0, last).map(bar).join('')} />
      {last >= 0 && <path className={styles.lastHour} d={bar(hours[last] ?? 0, last)} />}
    </svg>
  );
}

interface InsideProps {
  facts: BusFacts;
  own: ListTexts;
  /** Says in words what the number is: there is no head of a column above it. */
  isNamed?: boolean;
}

/** People inside with their share of the places. */
export function Inside({ facts, own, isNamed = false }: InsideProps) {
  const { figures, load } = facts;
  const inside = figures?.inside ?? null;
  if (inside === null) return isNamed ? null : <span className={styles.inside}>—</span>;
  const share = load === null || !figures?.places ? '' : own.load(load, figures.places);
  const said = [own.inside(inside), share].filter(Boolean).join(' · ');
  const isFull = load !== null && load >= FULL_PERCENT;
  return (
    <span
      className={styles.inside}
      role="img"
      aria-label={said}
      title={said}
      data-full={isFull || undefined}
    >
      <b>{isNamed ? own.inside(inside) : formatNumber(inside)}</b>
      {load !== null && (
        <i className={styles.bar} style={{ '--load': `${Math.max(0, load)}%` } as CSSProperties} />
      )}
      <small>{share}</small>
    </span>
  );
}

type PlaceProps = Pick<BusShownProps, 'bus' | 'facts' | 'own' | 'madeAt'>;

/** The place of a bus on its lap. */
export function Place({ bus, facts, own, madeAt }: PlaceProps) {
  const lap = facts.figures?.lap ?? null;
  if (lap === null) {
    return <span className={styles.lap}>{bus.group === null && <small>{own.noRoute}</small>}</span>;
  }
  const stop = lap.next ?? lap.stop ?? '';
  const ageMs = Date.parse(madeAt ?? lap.as_of) - Date.parse(lap.as_of);
  const age = ageMs > OLD_MS ? own.asOf(own.lasting(ageMs)) : undefined;
  const said = [own.lapAt(lap.number, stop), age].filter(Boolean).join(' · ');
  const isMoving = facts.state === 'moving' && !lap.ended;
  return (
    <span className={styles.lap} data-lap role="img" aria-label={said} title={said}>
      <small className={styles.lapNumber}>{own.lap(lap.number)}</small>
      <LapLine lap={lap} isMoving={isMoving} />
      <span className={styles.stop}>
        {lap.next !== null && '→ '}
        {stop}
        {age !== undefined && <small> · {age}</small>}
      </span>
    </span>
  );
}

// A lap as a line with a tick at its far terminal: the driven part, and the bus as an arrowhead or a ring. One element:
// there are as many as rows, and each element of an SVG costs as much as one of the page.
function LapLine({ lap, isMoving }: { lap: BoardLap; isMoving: boolean }) {
  const { percent, turn_percent } = lap;
  const places = {
    '--at': `${percent}%`,
    ...(turn_percent !== null && { '--turn': `${turn_percent}%` }),
  };
  return (
    <i
      className={styles.line}
      style={places as CSSProperties}
      data-moving={isMoving || undefined}
      data-ended={lap.ended || undefined}
    />
  );
}
