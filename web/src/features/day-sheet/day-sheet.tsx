import type { BusInfo } from '@ridewatch/contract/buses';
import { FALLBACK_ZONE, formatMoment } from '@ridewatch/contract/day';
import { type Count, type DayFragments, hasKids } from '@ridewatch/contract/fragments';
import { kopecksOf, showMoney } from '@ridewatch/contract/money';
import { nowMs } from '../../core/clock.ts';
import { useSession } from '../../core/session.ts';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { boundText } from '../calculator/shift-text.ts';
import styles from './day-sheet.module.css';
import { SheetHours } from './sheet-hours.tsx';
import { type DayLaps, lapsInShift, SheetLaps } from './sheet-laps.tsx';
import { SheetMoney } from './sheet-money.tsx';
import { useSheetText } from './use-sheet-text.ts';

interface DaySheetProps {
  info: BusInfo;
  zoneName: string;
  day: DayFragments;
  /** Undefined for a bus without laps, and if they could not be loaded. */
  laps: DayLaps | undefined;
}

/** A bus's day on one A4 page: totals, hours, laps, money, signatures. Light, whatever the theme. */
export function DaySheet({ info, zoneName, day, laps }: DaySheetProps) {
  const text = useSheetText();
  const user = useSession()?.user;
  const { calculation } = day;
  const shown = laps && lapsInShift(laps, day);
  const weekday = new Date(`${day.date}T00:00:00Z`).toLocaleDateString(text.locale, {
    weekday: 'long',
    timeZone: 'UTC',
  });
  const printedAt = formatMoment(nowMs(), FALLBACK_ZONE, 'DD.MM.YYYY HH:mm');
  return (
    <article className={styles.sheet} data-theme="light" data-day-sheet>
      <header className={styles.head}>
        <div>
          <h1>{info.name}</h1>
          <p className={styles.route}>
            {text.route}: {info.group?.name ?? text.noRoute}
          </p>
        </div>
        <div className={styles.date}>
          <strong>{formatDay(day.date)}</strong>
          <p>{weekday}</p>
        </div>
      </header>
      <p className={styles.about}>
        <span>
          {text.zone}: {zoneName}
        </span>
        {calculation && (
          <span>
            {text.shift}: {shiftText(day, text)}
          </span>
        )}
      </p>
      <dl className={styles.totals}>
        <Total
          name={text.entered}
          value={day.totalEnteredManual}
          automatic={day.totalEntered}
          count={hasKids(day) ? day.entered : undefined}
        />
        <Total
          name={text.exited}
          value={day.totalExitedManual}
          automatic={day.totalExited}
          count={hasKids(day) ? day.exited : undefined}
        />
        {shown && (
          <div>
            <dt>{text.laps}</dt>
            <dd>{formatNumber(shown.length)}</dd>
            <dd className={styles.aside}>
              {text.wholeLaps(shown.filter(({ incomplete }) => incomplete === null).length)}
            </dd>
          </div>
        )}
        {calculation && (
          <div>
            <dt>{text.result}</dt>
            <dd>{showMoney(kopecksOf(calculation.result))}</dd>
            <dd className={styles.aside}>
              {text.revenue(showMoney(kopecksOf(calculation.total)))}
            </dd>
          </div>
        )}
      </dl>
      <SheetHours day={day} />
      {info.gps_trackable && <SheetLaps laps={laps} day={day} />}
      {calculation && <SheetMoney calculation={calculation} />}
      <section className={styles.signatures} aria-label={text.signatures}>
        {text.signedBy.map((who) => (
          <p key={who}>
            <b>{who}</b>
            <i />
            <span>{text.signHint}</span>
          </p>
        ))}
      </section>
      <footer className={styles.foot}>
        <span>{user?.company.name}</span>
        <span>{text.printedAt(printedAt, user?.login ?? '')}</span>
      </footer>
    </article>
  );
}

interface TotalProps {
  name: string;
  value: number;
  /** By the counter alone. */
  automatic: number;
  /** Undefined: nobody told children apart. */
  count: Count | undefined;
}

function Total({ name, value, automatic, count }: TotalProps) {
  const text = useSheetText();
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatNumber(value)}</dd>
      <dd className={styles.aside}>
        {[
          count && text.kids(count.adult, count.kids),
          automatic !== value && text.automatic(automatic),
        ]
          .filter(Boolean)
          .join('; ')}
      </dd>
    </div>
  );
}

function shiftText(
  { calculation, date, timezone }: DayFragments,
  text: ReturnType<typeof useSheetText>,
): string {
  const { shift_start = null, shift_end = null } = calculation ?? {};
  if (shift_start === null && shift_end === null) return text.wholeDay;
  const from = shift_start === null ? text.dayStart : boundText(shift_start, date, timezone);
  return `${from} – ${shift_end === null ? text.dayEnd : boundText(shift_end, date, timezone)}`;
}
