import { formatMoment } from '@ridewatch/contract/day';
import type { LapSummary } from '@ridewatch/contract/laps';
import { kopecksOf, showMoney } from '@ridewatch/contract/money';
import type { ReactNode } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import styles from './lap-figures.module.css';
import { spanText } from './span-text.ts';
import { useGpsText } from './use-gps-text.ts';

interface LapFiguresProps {
  lap: LapSummary;
  zone: string;
  /** Capacity of the bus; 0 if unknown. */
  places: number;
  /** Number of stops of a complete lap; 0 while unknown. */
  allStops: number;
  /** Newer data of the lap are not calculated yet. */
  isLate: boolean;
  /** Actions on the lap. */
  children: ReactNode;
}

/** The figures of a lap: period, people, load, revenue; and its anomalies. */
export function LapFigures({ lap, zone, places, allStops, isLate, children }: LapFiguresProps) {
  const text = useGpsText();
  const clock = (moment: string) => formatMoment(Date.parse(moment), zone, 'HH:mm');
  const most = Math.round(lap.max_passengers);
  return (
    <section className={styles.panel} aria-label={text.lap(lap.number)}>
      <dl className={styles.figures}>
        <Figure name={text.time} note={spanText(lap.duration, text)}>
          {clock(lap.start)}–{lap.open ? '…' : clock(lap.end)}
        </Figure>
        <Figure name={text.entered} side="entered">
          {formatNumber(lap.entered)}
        </Figure>
        <Figure name={text.exited} side="exited">
          {formatNumber(lap.exited)}
        </Figure>
        <Figure
          name={text.most}
          hint={text.mostHint}
          note={[
            text.people(most),
            ...(places > 0 ? [text.load(formatNumber(Math.round((most / places) * 100)))] : []),
          ].join(' · ')}
        >
          {formatNumber(most)}
        </Figure>
        <Figure name={text.stops}>
          {allStops > 0 ? text.stopsOf(lap.stops, allStops) : lap.stops}
        </Figure>
        {lap.revenue !== null && (
          <Figure
            name={text.revenue}
            hint={text.revenueHint}
            note={
              lap.revenue_error === null
                ? undefined
                : text.plusMinus(showMoney(kopecksOf(lap.revenue_error)))
            }
          >
            {showMoney(kopecksOf(lap.revenue))}
          </Figure>
        )}
      </dl>
      <div className={styles.right}>
        <Flaws lap={lap} zone={zone} isLate={isLate} />
        {children}
      </div>
    </section>
  );
}

function Flaws({ lap, zone, isLate }: Pick<LapFiguresProps, 'lap' | 'zone' | 'isLate'>) {
  const text = useGpsText();
  const tags = [
    lap.pattern && { kind: 'neutral', said: lap.pattern.name, hint: text.pattern },
    lap.open && { kind: 'live', said: text.openLap },
    isLate && {
      kind: 'attention',
      said: text.pendingSince(formatMoment(Date.parse(lap.end), zone, 'HH:mm')),
      hint: text.pendingHint,
    },
    lap.incomplete && !lap.open && { kind: 'neutral', said: text.incomplete[lap.incomplete] },
    lap.imbalanced && {
      kind: 'attention',
      said: text.imbalance(formatNumber(Math.round(lap.imbalance_percent))),
      hint: text.imbalanceHint(formatNumber(lap.drift)),
    },
    lap.unplaced > 0 && { kind: 'neutral', said: text.unplaced(lap.unplaced) },
    lap.no_price > 0 && {
      kind: 'attention',
      said: text.noPrice(formatNumber(Math.round(lap.no_price))),
    },
  ].filter((tag) => tag !== false && tag !== null);
  if (tags.length === 0) return null;
  return (
    <ul className={styles.flaws}>
      {tags.map((tag) => (
        <li key={tag.said} data-kind={tag.kind} title={'hint' in tag ? tag.hint : undefined}>
          {tag.said}
        </li>
      ))}
    </ul>
  );
}

interface FigureProps {
  name: string;
  children: ReactNode;
  note?: string | undefined;
  hint?: string;
  side?: 'entered' | 'exited';
}

function Figure({ name, children, note, hint, side }: FigureProps) {
  return (
    <div title={hint}>
      <dt data-side={side}>{name}</dt>
      <dd>
        <strong data-figure={side}>{children}</strong> {note && <small>{note}</small>}
      </dd>
    </div>
  );
}
