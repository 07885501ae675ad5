import type { BusInfo } from '@ridewatch/contract/buses';
import { type Count, type DayFragments, hasKids } from '@ridewatch/contract/fragments';
import type { ReactNode } from 'react';
import { formatNumber } from '../../i18n/format.ts';
import { DayMoney } from './day-money.tsx';
import styles from './day-totals.module.css';
import { useDayText } from './use-day-text.ts';

interface DayTotalsProps {
  info: BusInfo;
  day: DayFragments | undefined;
}

/** The totals of the day: who got on, who got off, who is inside, and what the bus earned. */
export function DayTotals({ info, day }: DayTotalsProps) {
  const text = useDayText();
  const places = (info.capacity_seated ?? 0) + (info.capacity_standing ?? 0);
  return (
    <div className={styles.strip}>
      <dl className={styles.totals} aria-busy={!day || undefined}>
        <Figure
          side="entered"
          name={text.entered}
          value={day?.totalEnteredManual}
          automatic={day?.totalEntered}
          note={day && hasKids(day) && <AdultsAndKids {...day.entered} />}
        />
        <Figure
          side="exited"
          name={text.exited}
          value={day?.totalExitedManual}
          automatic={day?.totalExited}
          note={day && hasKids(day) && <AdultsAndKids {...day.exited} />}
        />
        {info.count_passengers_inside && (
          <Figure
            name={text.inside}
            hint={text.insideHint}
            value={day && Math.max(0, day.inside ?? 0)}
            note={
              day &&
              places > 0 && (
                <span className={styles.parts}>
                  <span>{text.ofPlaces(formatNumber(places))}</span>
                  <i> · </i>
                  <span>
                    {formatNumber(Math.round((Math.max(0, day.inside ?? 0) / places) * 100))}&nbsp;%
                  </span>
                </span>
              )
            }
          />
        )}
      </dl>
      {day?.calculation && <DayMoney day={day} calculation={day.calculation} />}
    </div>
  );
}

// A phone has a row for each, with the digits below each other.
function AdultsAndKids({ adult, kids }: Count) {
  const text = useDayText();
  return (
    <span className={styles.parts}>
      <span>
        {text.adultsShort}&nbsp;<b>{formatNumber(adult)}</b>
      </span>
      <i> · </i>
      <span>
        {text.kidsShort}&nbsp;<b>{formatNumber(kids)}</b>
      </span>
    </span>
  );
}

interface FigureProps {
  name: string;
  value: number | undefined;
  automatic?: number | undefined;
  note?: ReactNode;
  hint?: string;
  side?: 'entered' | 'exited';
}

function Figure({ name, value, automatic, note, hint, side }: FigureProps) {
  const text = useDayText();
  const differs = automatic !== undefined && automatic !== value;
  return (
    <div className={styles.figure} title={hint}>
      <dt data-side={side}>{name}</dt>
      <dd>
        <strong data-total={side ?? 'inside'}>
          {value === undefined ? <span className={styles.wait} /> : formatNumber(value)}
        </strong>
        <small>
          {note}
          {differs && note && ' · '}
          {differs && text.automatic(formatNumber(automatic))}
        </small>
      </dd>
    </div>
  );
}
