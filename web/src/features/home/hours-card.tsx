import type { Home } from '@ridewatch/contract/home';
import { formatNumber } from '../../i18n/format.ts';
import { Choice } from '../../ui/choice.tsx';
import styles from './hours-card.module.css';
import type { HomeTexts } from './texts-ru.ts';

type Side = 'entered' | 'exited';

interface HoursCardProps {
  hours: Home['hours'];
  /** The local hour that runs, 0 to 23. */
  running: number;
  side: Side;
  onSide: (side: Side) => void;
  /** The name of the day before: `пт 13.11`. */
  before: string;
  text: HomeTexts;
}

/** People by hour, beside those of the same weekday last week; the running hour has a dashed outline. */
export function HoursCard({ hours, running, side, onSide, before, text }: HoursCardProps) {
  const [now, then] = [hours[side], hours[`${side}_before`]];
  const [first, last] = spanOf([now, then]);
  const span = Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const top = niceTop(Math.max(...now, ...then, 1));
  const share = (people: number | undefined): string => `${((people ?? 0) / top) * 100}%`;
  return (
    <section className={styles.card} aria-label={text.hours}>
      <header className={styles.head}>
        <h2>{text.hours}</h2>
        <span data-day="now" data-side={side}>
          {text.now}
        </span>
        <span data-day="before">{before}</span>
        <Choice
          label={text.hours}
          value={side}
          options={[
            { value: 'entered', label: text.entered },
            { value: 'exited', label: text.exited },
          ]}
          onChange={onSide}
        />
      </header>
      <div className={styles.plot} aria-hidden="true">
        {[top, top / 2, 0].map((people) => (
          <span key={people} className={styles.line} style={{ bottom: share(people) }}>
            {formatNumber(people)}
          </span>
        ))}
        <div className={styles.bars}>
          {span.map((hour) => (
            <span
              key={hour}
              className={styles.hour}
              data-running={hour === running || undefined}
              title={`${hour}:00–${hour + 1}:00 · ${text.now} ${formatNumber(now[hour] ?? 0)} · ${before} ${formatNumber(then[hour] ?? 0)}`}
            >
              <i data-day="before" style={{ height: share(then[hour]) }} />
              <i data-day="now" data-side={side} style={{ height: share(now[hour]) }} />
              <small>{String(hour).padStart(2, '0')}</small>
            </span>
          ))}
        </div>
      </div>
      <table className={styles.table}>
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
              <th scope="row">{hour}:00</th>
              <td>{now[hour] ?? 0}</td>
              <td>{then[hour] ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** The working day of most fleets; it grows with hours that have people. */
const [FIRST_HOUR, LAST_HOUR] = [5, 23];

function spanOf(days: readonly (readonly number[])[]): [first: number, last: number] {
  let [first, last] = [FIRST_HOUR, LAST_HOUR];
  for (const day of days) {
    const at = day.findIndex((people) => people !== 0);
    if (at !== -1) first = Math.min(first, at);
    last = Math.max(last, day.length - 1);
  }
  return [first, last];
}

// An even number of one or two digits and zeros, so that its half is whole.
function niceTop(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most));
  const steps = [1, 2, 4, 6, 8, 10].map((step) => step * unit);
  return Math.max(4, steps.find((step) => step >= most) ?? most);
}
