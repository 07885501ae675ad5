import type { Home } from '@ridewatch/contract/home';
import { useState } from 'react';
import { valueLines } from '../../charts/value-lines.ts';
import { formatMoney, formatNumber } from '../../i18n/format.ts';
import { Choice } from '../../ui/choice.tsx';
import { tickSlider } from '../../ui/tick-slider.ts';
import styles from './hours-card.module.css';
import type { HomeTexts } from './texts-ru.ts';
import { type Side, sides } from './use-home-address.ts';

interface HoursCardProps {
  hours: Home['hours'];
  /** The hour that runs, 0 to 23, in the zone of the page. */
  running: number;
  side: Side;
  onSide: (side: Side) => void;
  /** The name of the day before: `пт 13.11`. */
  before: string;
  text: HomeTexts;
}

/** People or revenue by hour, beside those of the same weekday last week; the running hour has a dashed outline.
 * Arrow keys point at an hour. */
export function HoursCard({ hours, running, side, onSide, before, text }: HoursCardProps) {
  const [now, then] = [hours[side].map(Number), hours[`${side}_before`].map(Number)];
  const said = side === 'revenue' ? formatMoney : formatNumber;
  const first = firstHour([now, then]);
  const span = Array.from({ length: HOURS - first }, (_, at) => first + at);
  const lines = valueLines(Math.max(...now, ...then), STEPS);
  const top = lines.at(-1) ?? 1;
  const share = (value: number | undefined): string => `${((value ?? 0) / top) * 100}%`;
  const [at, setAt] = useState<number>();
  const figureOf = (values: readonly number[]) =>
    at !== undefined && <b>{said(values[at] ?? 0)}</b>;
  const slider = tickSlider({
    ...{ label: text.hours, count: span.length, at: at === undefined ? undefined : at - first },
    said:
      at === undefined
        ? undefined
        : `${clock(at)}–${clock(at + 1)}: ${text.now} ${said(now[at] ?? 0)}, ${before} ${said(then[at] ?? 0)}`,
    onAt: (next) => setAt(next === undefined ? undefined : first + next),
  });
  return (
    <section className={styles.card} aria-label={text.hours}>
      <header className={styles.head}>
        <h2>{text.hours}</h2>
        {at !== undefined && <strong>{`${clock(at)}–${clock(at + 1)}`}</strong>}
        <span data-day="now" data-side={side}>
          {text.now} {figureOf(now)}
        </span>
        <span data-day="before">
          {before} {figureOf(then)}
        </span>
        <Choice
          label={text.hours}
          value={side}
          options={sides.map((value) => ({ value, label: text[value] }))}
          onChange={onSide}
        />
      </header>
      <div className={styles.plot} data-side={side} {...slider}>
        {lines.map((value) => (
          <span key={value} className={styles.line} style={{ bottom: share(value) }}>
            {formatNumber(value)}
          </span>
        ))}
        <div
          className={styles.bars}
          // A finger leaves at once; the hour that it pointed at stays.
          onPointerLeave={({ pointerType }) => pointerType === 'mouse' && setAt(undefined)}
        >
          {span.map((hour) => (
            <span
              key={hour}
              className={styles.hour}
              data-running={hour === running || undefined}
              data-at={hour === at || undefined}
              onPointerEnter={() => setAt(hour)}
            >
              <i data-day="before" style={{ height: share(then[hour]) }} />
              <i data-day="now" data-side={side} style={{ height: share(now[hour]) }} />
              {hour === running && (
                <i
                  data-day="rest"
                  data-side={side}
                  style={{ height: share(Math.max(now[hour] ?? 0, then[hour] ?? 0)) }}
                />
              )}
              <small>{String(hour).padStart(2, '0')}</small>
            </span>
          ))}
        </div>
      </div>
      <div className="visually-hidden">
        <table>
          <caption>{text.hours}</caption>
          <thead>
            <tr>
              <th scope="col">{text.hour}</th>
              <th scope="col">{text.now}</th>
              <th scope="col">{before}</th>
            </tr>
          </thead>
          <tbody>
            {span.map((hour) => (
              <tr key={hour}>
                <th scope="row">{clock(hour)}</th>
                <td>{said(now[hour] ?? 0)}</td>
                <td>{said(then[hour] ?? 0)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

const HOURS = 24;
/** Roughly the number of steps of the scale. */
const STEPS = 2;
const clock = (hour: number): string => `${String(hour).padStart(2, '0')}:00`;
/** The first hour of the working day of most fleets; earlier ones are shown if they have people. */
const FIRST_HOUR = 5;

function firstHour(days: readonly (readonly number[])[]): number {
  const begins = days.map((day) => day.findIndex((value) => value !== 0));
  return Math.min(FIRST_HOUR, ...begins.filter((hour) => hour !== -1));
}
