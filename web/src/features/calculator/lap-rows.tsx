import type { CalculationParts } from '@ridewatch/contract/calculation';
import { formatMoment } from '@ridewatch/contract/day';
import { Link } from '@tanstack/react-router';
import { formatDay, formatNumber } from '../../i18n/format.ts';
import { amountText, moneyText } from './money-text.ts';
import styles from './rows.module.css';
import { useCalculatorText } from './use-calculator-text.ts';

/** The laps of the day with their part of the revenue. Each leads to its lap on the GPS tab. */
export function LapRows({ parts, zone }: { parts: CalculationParts; zone: string }) {
  const text = useCalculatorText();
  const { calculation, laps, other, outside } = parts;
  const isFixed = calculation.type_calculation === 'FIXED';
  const notOfDay = negative(outside);
  const counts = [...laps, other, notOfDay];
  const sum = (pick: (of: CalculationParts['outside']) => number) =>
    counts.reduce((all, one) => all + pick(one), 0);
  return (
    <table className={styles.table} aria-label={text.laps}>
      <thead>
        <tr>
          <th data-narrow>№</th>
          <th>{text.lap}</th>
          <th data-number data-wide>
            {text.counter}
          </th>
          <th data-number data-wide>
            {text.corrections}
          </th>
          <th data-number>{text.counted[calculation.calculation_event]}</th>
          <th data-number data-wide>
            {isFixed ? text.fare : text.noPrice}
          </th>
          <th data-number>{text.revenue}</th>
        </tr>
      </thead>
      <tbody>
        {laps.map((lap) => (
          <tr key={lap.lap_id}>
            <td data-narrow>{lap.number}</td>
            <td>
              <Link
                to="/bus/$busId/gps"
                params={{ busId: String(calculation.workplace_id) }}
                search={{ date: lap.date, lap: String(lap.number) }}
                title={text.openLap(lap.number)}
              >
                {clock(lap.start)}–{!lap.open && clock(lap.end)}
              </Link>{' '}
              {lap.open && <span className={styles.tag}>{text.underWay}</span>}
              {lap.date !== calculation.date && (
                <span className={styles.tag} title={formatDay(lap.date)}>
                  {text.dayBefore}
                </span>
              )}
            </td>
            <Counts of={lap} />
            <td data-number data-wide data-quiet>
              {isFixed
                ? `× ${amountText(calculation.fare)}`
                : lap.no_price > 0 && (
                    <span className={styles.tag} data-kind="attention">
                      {formatNumber(lap.no_price)}
                    </span>
                  )}
            </td>
            <td data-number>
              <b>{moneyText(lap.total)}</b>
              {lap.error !== null && <small>±&nbsp;{moneyText(lap.error)}</small>}
            </td>
          </tr>
        ))}
        {(other.count !== 0 || other.automatic !== 0 || other.corrections !== 0) && (
          <tr>
            <td data-narrow />
            <td>{text.outOfLaps}</td>
            <Counts of={other} />
            <td data-number data-wide data-quiet>
              {isFixed && `× ${amountText(calculation.fare)}`}
            </td>
            <td data-number>
              <b>{moneyText(other.total)}</b>
            </td>
          </tr>
        )}
        {(outside.count !== 0 || outside.corrections !== 0) && (
          <tr>
            <td data-narrow />
            <td>{text.outOfShift}</td>
            <Counts of={notOfDay} />
            <td data-wide />
            <td />
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <td colSpan={2}>{text.wholeDay}</td>
          <Counts
            of={{
              automatic: sum(({ automatic }) => automatic),
              corrections: sum(({ corrections }) => corrections),
              count: sum(({ count }) => count),
            }}
          />
          <td data-number data-wide>
            {!isFixed && calculation.no_price > 0 && formatNumber(calculation.no_price)}
          </td>
          <td data-number>
            <b>{moneyText(calculation.total)}</b>
            {calculation.total_error !== null && (
              <small>±&nbsp;{moneyText(calculation.total_error)}</small>
            )}
          </td>
        </tr>
      </tfoot>
    </table>
  );

  function clock(moment: string): string {
    return formatMoment(Date.parse(moment), zone, 'HH:mm');
  }
}

function negative({ automatic, corrections, count }: CalculationParts['outside']) {
  // 0 − 0 is 0, −0 is shown with its sign.
  return { automatic: 0 - automatic, corrections: 0 - corrections, count: 0 - count };
}

interface CountsProps {
  of: { automatic: number; corrections: number; count: number };
}

/** The cells of people: by the counter, corrections, and both together. */
export function Counts({ of: { automatic, corrections, count } }: CountsProps) {
  const correction = <Correction by={corrections} />;
  return (
    <>
      <td data-number data-wide>
        {wholeText(automatic)}
      </td>
      <td data-number data-wide>
        {corrections === 0 ? '—' : correction}
      </td>
      <td data-number>
        {corrections !== 0 && <span data-phone>{correction}</span>}
        <b>{wholeText(count)}</b>
      </td>
    </>
  );
}

/** People; below zero where manual counts or a shift take away more than a part of the day has. */
const wholeText = (people: number): string => formatNumber(people).replace('-', '−');

/** Shows what manual counts add, with its sign. */
export function Correction({ by }: { by: number }) {
  return (
    <span className={styles.tag} data-kind="correction">
      {by > 0 && '+'}
      {wholeText(by)}
    </span>
  );
}
