import { formatMoment } from '@ridewatch/contract/day';
import type { DayFragments, HourTraffic } from '@ridewatch/contract/fragments';
import { offsetIfRepeated } from '@ridewatch/contract/hours';
import { formatNumber } from '../../i18n/format.ts';
import styles from './day-sheet.module.css';
import { useSheetText } from './use-sheet-text.ts';

const sides = ['entered', 'exited'] as const;

/** The hours of the day as a row of bars and a table; an hour has the people of all units of the bus. */
export function SheetHours({ day }: { day: DayFragments }) {
  const text = useSheetText();
  const hours = hoursOfDay(day);
  const most = Math.max(1, ...hours.flatMap(({ entered, exited }) => [entered, exited]));
  const sumOf = (side: 'entered' | 'exited') => hours.reduce((sum, hour) => sum + hour[side], 0);
  return (
    <section className={styles.part}>
      <h2>{text.hours}</h2>
      <table className={styles.hours}>
        <thead>
          <tr className={styles.bars} aria-hidden="true">
            <td />
            {hours.map((hour) => (
              <td key={hour.start_time}>
                <span>
                  {sides.map((side) => (
                    <i
                      key={side}
                      data-side={side}
                      hidden={hour[side] <= 0}
                      style={{ height: `${(hour[side] / most) * 100}%` }}
                    />
                  ))}
                </span>
              </td>
            ))}
            <td />
          </tr>
          <tr>
            <th scope="col">{text.hour}</th>
            {hours.map((hour) => (
              <th key={hour.start_time} scope="col">
                {formatMoment(Date.parse(hour.start_time), day.timezone, 'H')}
                <small>{offsetIfRepeated(Date.parse(hour.start_time), day.timezone)}</small>
              </th>
            ))}
            <th scope="col">{text.sum}</th>
          </tr>
        </thead>
        <tbody>
          {sides.map((side) => (
            <tr key={side}>
              <th scope="row">{text[side]}</th>
              {hours.map((hour) => (
                <td key={hour.start_time} data-none={hour[side] === 0 || undefined}>
                  {hour[side] === 0 ? '·' : formatNumber(hour[side])}
                </td>
              ))}
              <td>
                <b>{formatNumber(sumOf(side))}</b>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function hoursOfDay({ events }: DayFragments): HourTraffic[] {
  const hours = new Map<string, HourTraffic>();
  for (const { start_time, entered, exited } of events.flatMap((unit) => unit.events)) {
    const known = hours.get(start_time);
    hours.set(start_time, {
      start_time,
      entered: entered + (known?.entered ?? 0),
      exited: exited + (known?.exited ?? 0),
    });
  }
  return [...hours.values()].sort((a, b) => a.start_time.localeCompare(b.start_time));
}
